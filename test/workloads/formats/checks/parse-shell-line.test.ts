import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readShell } from '../../../../src/workloads/formats/checks/parse-shell-line.ts'

function wordsOf(line: string): string[][] | string {
  const read = readShell(line)
  return typeof read === 'string' ? read : read.commands.map(({ words }) => words.map(({ text }) => text))
}

describe('a line is read as the commands in it', () => {
  const cases: [line: string, commands: string[][]][] = [
    [
      'cd web && npm test "a b"',
      [
        ['cd', 'web'],
        ['npm', 'test', 'a b'],
      ],
    ],
    ['a \'b c\'\\ d"e\\"f"', [['a', 'b c de"f']]],
    ['a | b || c; d\ne', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['(a; b) && ! c', [['a'], ['b'], ['c']]],
    [`echo "$(a | b)" $X \${Y}`, [['a'], ['b'], ['echo', '$', '$', '$']]],
    ['X=1 Y="2 3" a # b; c', [['a']]],
    ['a 2>&1 >/dev/null | b', [['a'], ['b']]],
    ['a \\\n  b', [['a', 'b']]],
    ['grep "^1$" a', [['grep', '^1$', 'a']]],
  ]
  for (const [line, commands] of cases) test(line, () => assert.deepEqual(wordsOf(line), commands))
})

describe('what is not understood to its end is not read at all', () => {
  const cases = [
    ...[
      '',
      '# only a comment',
      'a &',
      'a & b',
      'a &> b',
      'a &&',
      '| a',
      'a;; b',
      '()',
      '(a',
      'a)',
      "a 'b",
      'a "b',
      'a \\',
    ],
    ...['a <<END\nb\nEND', 'a <<< b', 'a <(b)', 'a `b`', 'a "`b`"', 'echo $((1 + 1))', '((1))', `a \${X:-b}`, "a $'b'"],
    ...[
      'if a; then b; fi',
      'for x in a; do b; done',
      'while a; do b; done',
      '{ a; }',
      'f() { a; }',
      '[[ a ]]',
      'time a',
    ],
    ...['a\u0007', 'a\r', '$(('.repeat(100), '('.repeat(50), `echo ${'a'.repeat(5000)}`],
  ]
  for (const line of cases)
    test(JSON.stringify(line).slice(0, 60), () => assert.equal(typeof readShell(line), 'string'))
})

test('whatever is read, a shell accepts', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'b.ts',
      ' ',
      ' ',
      '\n',
      ';',
      '&&',
      '||',
      '|',
      '!',
      '(',
      ')',
      '$(',
      '"',
      "'",
      '\\',
      '#',
      '{',
      '}',
      '=',
      '$X',
    ],
    ...[
      '2>&1',
      '>',
      '<',
      '/dev/null',
      '&',
      '`',
      'if',
      'then',
      'do',
      'done',
      '[',
      ']',
      '$',
      '*',
      '~',
      '-x',
      'X=1',
      `\${X}`,
    ],
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 14 }), (pieces) => {
      const line = pieces.join('')
      if (typeof readShell(line) === 'string') return
      const { status, stderr } = spawnSync('sh', ['-n'], { encoding: 'utf8', input: line })
      assert.equal(status, 0, `${JSON.stringify(line)}: ${stderr}`)
    }),
    { numRuns: 2_000 },
  )
})
