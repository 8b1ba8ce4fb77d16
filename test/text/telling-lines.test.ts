import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellingEnd, tellingLine, tellingLines, whyFailed } from '../../src/text/telling-lines.ts'

const OUTPUTS: [name: string, output: string, told: string | null][] = [
  [
    'node',
    `/app/a.js:3\n    throw new TypeError('no cart')\n\nTypeError: no cart\n    at total (/app/a.js:3:9)\n    at main (/app/a.js:9:1)\n\nNode.js v24.1.0\nnpm error Lifecycle script failed`,
    'TypeError: no cart',
  ],
  [
    'node:test',
    `✔ adds (1ms)\n✖ subtracts (2ms)\n✖ divides (1ms)\nℹ tests 3\n\n✖ failing tests:\n\n✖ subtracts`,
    '✖ subtracts (2ms)',
  ],
  ['TAP', 'ok 1 - a\nnot ok 2 - b # TODO later\nnot ok 3 - carries\n# fail 1', 'not ok 3 - carries'],
  [
    'pytest',
    `collected 2 items\n\ntest_a.py .F\n\n____ test_total ____\n\n>   assert 1 == 2\nE   assert 1 == 2\n\nFAILED test_a.py::test_total - assert 1 == 2`,
    '____ test_total ____',
  ],
  [
    'Python',
    `Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    main()\n  File "a.py", line 2, in main\nValueError: bad amount`,
    'ValueError: bad amount',
  ],
  [
    'go',
    `=== RUN   TestTotal\n    a_test.go:5: got 1\n--- FAIL: TestTotal (0.00s)\nFAIL\nexit status 1`,
    '--- FAIL: TestTotal (0.00s)',
  ],
  ['cargo', `running 2 tests\ntest a::b ... ok\ntest a::c ... FAILED\n\nfailures:`, 'test a::c ... FAILED'],
  [
    'rustc',
    `error[E0308]: mismatched types\n --> src/a.rs:3:5\n\nerror: aborting due to 1 previous error`,
    'error[E0308]: mismatched types',
  ],
  [
    'tsc',
    `src/a.ts(3,5): error TS2345: Argument of type\nsrc/b.ts(1,1): error TS1: x`,
    'src/a.ts(3,5): error TS2345: Argument of type',
  ],
  [
    'gcc',
    `a.c: In function 'main':\na.c:3:5: error: expected ';'\nmake: *** [a.o] Error 1`,
    "a.c:3:5: error: expected ';'",
  ],
  ['shell', `sh: 1: frobnicate: not found`, 'sh: 1: frobnicate: not found'],
  ['jest', `FAIL src/a.test.js\n  ● cart › adds up\n\n    expect(received)`, '● cart › adds up'],
  ['no error', 'checked 3 files\n0 errors found\nsee the page', null],
  ['a passing test about errors', '✔ says Error: x when asked (1ms)\nok 1 - error: handled', null],
]

for (const [name, output, told] of OUTPUTS)
  test(`the line that says what went wrong: ${name}`, () => assert.equal(tellingLine(output), told))

test('colours do not hide it, and what is below it is shown with it', () => {
  const output = `a\n\u001b[31m✖ subtracts\u001b[39m\n  expected 1\n\n  got 2\n${'x\n'.repeat(9)}`
  assert.equal(tellingLine(output), '✖ subtracts')
  assert.deepEqual(tellingLines(output, 3).slice(1), ['  expected 1', '  got 2'])
  assert.deepEqual(tellingLines('a\nb\n\nc\n', 2), ['b', 'c'])
})

test('of TAP the error is shown, not where and how long the test ran', () => {
  const details = "  ---\n  duration_ms: 9.03\n  location: '/a.js:4:1'\n  failureType: 'testCodeFailure'\n  error: |-\n"
  const output = `ok 1 - a\nnot ok 2 - adds up\n${details}    Expected values to be equal:\n\n    0 !== 5\n  stack: |-\n`
  assert.deepEqual(tellingLines(output, 3), ['not ok 2 - adds up', '    Expected values to be equal:', '    0 !== 5'])
})

test('of a long output the end is kept, and what went wrong far above it', () => {
  const frames = Array.from({ length: 400 }, (_, index) => `    at frame${index} (/app/a.js:${index}:1)`).join('\n')
  const kept = tellingEnd(`start\nTypeError: no cart\n${frames}\n`, 600)
  assert.ok(kept.length <= 600, String(kept.length))
  assert.match(kept, /^TypeError: no cart\n/)
  assert.match(kept, /\n…\n {4}at frame\d+/)
  assert.match(kept, /at frame399 \(\/app\/a\.js:399:1\)$/)
  assert.equal(tellingEnd('short\n', 600), 'short')
  assert.equal(tellingEnd(`${'x'.repeat(50)}\nlast`, 10), 'last')
})

test('a failure in a line', () => {
  assert.equal(
    whyFailed({ reason: 'verify-failed', message: '`npm test` exited with status 1:\nError: no cart\n    at x' }),
    'verify-failed: `npm test` exited with status 1: Error: no cart',
  )
  assert.equal(whyFailed({ reason: 'verify-failed', message: 'it took too long' }), 'verify-failed: it took too long')
})
