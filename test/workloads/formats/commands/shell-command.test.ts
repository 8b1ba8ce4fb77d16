import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import {
  commandOfBlock,
  commandsOfItem,
  meantCommand,
} from '../../../../src/workloads/formats/commands/shell-command.ts'
import { runnableCommand } from '../../../../src/workloads/formats/commands/trailing-remark.ts'

describe('commands', () => {
  const cases: [line: string, command: string][] = [
    ['- cat test-artifacts/first.txt', 'cat test-artifacts/first.txt'],
    ['- [ ] npm run build succeeds', 'npm run build'],
    ['`npm test` passes', 'npm test'],
    ['`pytest tests/ -v` → all green', 'pytest tests/ -v'],
    ['Run: `npx tsc --noEmit`', 'npx tsc --noEmit'],
    ['Run `cd web && npm run lint`', 'cd web && npm run lint'],
    ['tsc --noEmit passes', 'tsc --noEmit'],
    ['pytest passes.', 'pytest'],
    ['1. npm ci', 'npm ci'],
    ['make test', 'make test'],
    ['- $ make check', 'make check'],
    ['$ ./run-all --quick', './run-all --quick'],
    ['`$ npm test`', 'npm test'],
    ['go test ./...', 'go test ./...'],
    ['test -f a.txt', 'test -f a.txt'],
    ['grep -q "the end" a.txt', 'grep -q "the end" a.txt'],
    ['DATABASE_URL=x npm test', 'DATABASE_URL=x npm test'],
    ['./scripts/check.sh', './scripts/check.sh'],
    ['cat a.txt | grep b', 'cat a.txt | grep b'],
    ["bash -c 'exit 0'", "bash -c 'exit 0'"],
    ['- npm test (should pass)', 'npm test'],
    ['- pytest tests/ -v (all pass)', 'pytest tests/ -v'],
    ['- npm test -- --coverage (>80%)', 'npm test -- --coverage'],
    ['npm run build (no errors)', 'npm run build'],
    ['npm test; expected: PASS', 'npm test'],
    ['npm run build && npm test => PASS', 'npm run build && npm test'],
    ['npm test → all green', 'npm test'],
    ['npm run lint [no errors]', 'npm run lint'],
    ['npm run e2e # all of them pass', 'npm run e2e'],
    ['npm test (unit) => PASS', 'npm test'],
    ['python manage.py test, all green', 'python manage.py test'],
    ['npm run lint: no warnings', 'npm run lint'],
    ['npx vitest run src/a.test.ts - all pass', 'npx vitest run src/a.test.ts'],
    ['cargo build --release with no warnings', 'cargo build --release'],
    ['npm ci && (cd web && npm test)', 'npm ci && (cd web && npm test)'],
    ['ls src/[ab].ts', 'ls src/[ab].ts'],
    ['npm run x && [ -f a.txt ]', 'npm run x && [ -f a.txt ]'],
    ['grep -q "=> (x)" a.ts', 'grep -q "=> (x)" a.ts'],
    ['test -n "$(git log -1)"', 'test -n "$(git log -1)"'],
    ['ls $(cat list.txt)', 'ls $(cat list.txt)'],
    ['$ ./check (all pass)', './check'],
    ['Command: npm run x', 'npm run x'],
    ['npm test [PASS]', 'npm test'],
    ['diff actual expected', 'diff actual expected'],
    ['npm test (0 failures)', 'npm test'],
    ['Run: `npm test (all pass)`', 'npm test'],
    ['Run `npm test` and make sure nothing fails', 'npm test'],
    ['TypeScript compiles: `npx tsc --noEmit`', 'npx tsc --noEmit'],
    ['Tests: `npm test`', 'npm test'],
    ['**Run:** `npm run check`', 'npm run check'],
    ['- 1. `npm run one`', 'npm run one'],
    ['Verify that `npm test` passes', 'npm test'],
    ['`npm run build` (no errors)', 'npm run build'],
    ['`npm test -- guest` (existing tests pass unchanged)', 'npm test -- guest'],
    ['Run `npm run lint` and make sure there are no errors', 'npm run lint'],
    ['cd backend && npm test', 'cd backend && npm test'],
    ['cd backend && npm test (all pass)', 'cd backend && npm test'],
    ['. .venv/bin/activate && pytest', '. .venv/bin/activate && pytest'],
    ['`cd web && npm run build` passes', 'cd web && npm run build'],
    ['npm run verify', 'npm run verify'],
    ['! grep -rn foo src/ (no matches)', '! grep -rn foo src/'],
    ['test "$(grep -c foo a.ts)" -eq 0 # none', 'test "$(grep -c foo a.ts)" -eq 0'],
    ['Run `npm run build` in production mode', 'npm run build'],
    ['make all', 'make all'],
    ['npm test -- should pass', 'npm test'],
    ['npm test 2>&1 | tail -20', 'npm test 2>&1 | tail -20'],
    ['grep -c "foo" src/a.ts (should be 3)', 'grep -c "foo" src/a.ts'],
    ['npx tsc --noEmit (no output)', 'npx tsc --noEmit'],
    ['[ "$(wc -l < a.txt)" == 3 ]', '[ "$(wc -l < a.txt)" == 3 ]'],
    ['npm test: none fail', 'npm test'],
    ['pytest -x (stop on first failure)', 'pytest -x'],
    ['npm test (no new test failures)', 'npm test'],
    ['npm test (fails if coverage < 80%)', 'npm test'],
    ['npm test (all pass, failed logins included)', 'npm test'],
    ['`npm test` exits 0 (exit 1 on any warning)', 'npm test'],
    ['npm test (including optional field tests)', 'npm test'],
    ['npm run e2e (headless; no manual steps)', 'npm run e2e'],
    ['npm test (even if the cache is cold)', 'npm test'],
    ['Run `npm test` even if the cache is cold', 'npm test'],
    ['timeout 5 npm start', 'timeout 5 npm start'],
    ['pytest -k exists', 'pytest -k exists'],
    ['npm test -- -t works', 'npm test -- -t works'],
    ['$ pytest -k matches', 'pytest -k matches'],
    ['go test ./... -run Matches', 'go test ./... -run Matches'],
    ['ls dist (not empty)', 'ls dist'],
    ['test -f a.txt (returns 0)', 'test -f a.txt'],
    ['cd web && npm test && cd ../api && npm test', 'cd web && npm test && cd ../api && npm test'],
    ['`npm test`: no failures', 'npm test'],
    ['`npm run unit` (no failures)', 'npm run unit'],
    ['`npm run typecheck` - no type errors', 'npm run typecheck'],
    ['`npx tsc --noEmit` has no errors', 'npx tsc --noEmit'],
    ['`npx tsc --noEmit` returns 0 errors', 'npx tsc --noEmit'],
    ['`npx tsc --noEmit` reports zero errors', 'npx tsc --noEmit'],
    ['`npm run build` with no errors', 'npm run build'],
    ['`pytest -q` → 12 passed, 0 failed', 'pytest -q'],
    ['`npx vitest run x.test.js` shows 20/20 passed, 0 failed', 'npx vitest run x.test.js'],
    ['`npm test` must not fail', 'npm test'],
    ['`npm test` doesn’t fail', 'npm test'],
    ['`npm run lint` produces no output', 'npm run lint'],
    ['`npm audit` reports no vulnerabilities', 'npm audit'],
    ['`node -c a.js` -- syntax check passes', 'node -c a.js'],
    ['All unit tests pass (`npm test`)', 'npm test'],
    ['All tests pass: npm test', 'npm test'],
    ['Types: npx tsc --noEmit', 'npx tsc --noEmit'],
    ['Run npm run lint', 'npm run lint'],
    ['2. Run npm run lint.', 'npm run lint'],
  ]
  for (const [line, command] of cases)
    test(line, () => assert.deepEqual(commandsOfItem(line), { verify: [command], hasWords: false, notRun: [] }))

  test('a shell takes all of them', () => {
    const { status, stderr } = spawnSync('sh', ['-n', '-c', cases.map(([, command]) => command).join('\n')])
    assert.equal(status, 0, String(stderr))
  })
})

describe('words', () => {
  const cases = [
    'The page still works',
    'All tests pass',
    'Run the tests',
    'npm tests pass',
    'make sure it works',
    'make sure',
    'go to the page',
    'test that the login works',
    'curl tests pass for all endpoints',
    'curl localhost:3000 returns 200',
    '`curl localhost:3000` returns 200',
    'git diff --stat shows only the two files',
    'The page at `/login` still works',
    '`src/a.ts` exists',
    '`total()` returns 3',
    'npm',
    '$ 5 for a seat',
    'npm test -- <name>',
    'npm test (the suite (all of it',
    'npm run "half',
    'Run `npm test` and see it fail',
    'Run: `npm test` → Expected: FAIL',
    'npm test; expected: FAIL',
    'npm test (fails before the change)',
    'Do not run: `npm publish`',
    'Do not run `npm publish`',
    'Rollback: `git revert HEAD`',
    '`npm run bad` fails',
    'no errors from `npm run four`',
    '`curl localhost:1` and `curl localhost:2` return 200',
    'Start it and `curl localhost:3000`: returns 200',
    'Tests: `total()`',
    '$ is the currency',
    'npm test | 12 passed',
    'npm test -- --coverage > 80%',
    'wc -l src/a.ts < 300',
    'npx jest path/<name>.test.ts',
    'grep -c "foo" src/a.ts == 0',
    'grep -c "foo" src/a.ts returns 0',
    'grep -c "foo" src/a.ts → 0',
    'grep -rn "foo" src/ (no matches)',
    'grep -rn "foo" src/ | grep -v test # should be empty',
    "Run `grep -c 'x' f` -- should return 0",
    "Run `grep -c 'x' f` -- should NOT match",
    '`ls old/` (must not exist)',
    'npm test (exits with code 1)',
    'If possible run `npm run e2e`',
    'Manually: open the app and run `npm run e2e`',
    'Run `npm run smoke` in staging',
    'npm run e2e (optional)',
    'npm run e2e (optional, needs a browser)',
    'npm run e2e (manual check)',
    'Optional: `npm run e2e`',
    'npm test: fails',
    'npm test (3 passed, 1 failed)',
    'npm test (fails first, then passes)',
    'npm test (the first run fails)',
    'npm test (on main it fails)',
    'ls dist (empty)',
    '`grep -rn old src` produces no output',
    '`grep -rn old src` and `grep -rn older src` have no matches',
    '`curl localhost:3000` returns 200 OK',
    '`npm test` → 3 passed, 1 failed',
    '`npm test` does not pass',
    'All unit tests do not pass (`npm test`)',
    'Run npm test to see what is left',
    'Run npm run e2e in staging',
    'Run npm test and see it fail',
    'Rollback: npm run undo',
    'If possible: npm run e2e',
    'Expected failure: npm test',
    'constructor',
    '__proto__ test',
    '',
    `npm ${'x'.repeat(5_000)}`,
  ]
  for (const line of cases)
    test(line.slice(0, 60) || 'nothing', () =>
      assert.deepEqual(commandsOfItem(line), { verify: [], hasWords: true, notRun: [] }),
    )
})

describe('several commands in a line, and words beside them', () => {
  const cases: [line: string, verify: string[], hasWords: boolean][] = [
    ['Run `npm test -- second` and `npm run build`', ['npm test -- second', 'npm run build'], false],
    ['`npm test` and `npm run build` both pass', ['npm test', 'npm run build'], false],
    ['`npm test` passes, then `npm run build` succeeds', ['npm test', 'npm run build'], false],
    ['npm run build succeeds, and `npm test -- index` passes', ['npm test -- index'], true],
    ['`npm test` green; `tsc --noEmit` clean.', ['npm test', 'tsc --noEmit'], false],
    ['Run `npm test`, then open `dist/index.html`', ['npm test'], true],
    ['npm test, npm run build', ['npm test', 'npm run build'], false],
    ['npm test and npm run build', ['npm test', 'npm run build'], false],
  ]
  for (const [line, verify, hasWords] of cases)
    test(line, () => assert.deepEqual(commandsOfItem(line), { verify, hasWords, notRun: [] }))
})

describe('a remark that a shell would stumble over', () => {
  const cases: [written: string, run: string][] = [
    ['npm test (all pass)', 'npm test'],
    ['npm run build => dist', 'npm run build => dist'],
    ['npm test # all', 'npm test # all'],
    ['(cd web && npm test)', '(cd web && npm test)'],
    ['if (cd a); then (cd b); fi', 'if (cd a); then (cd b); fi'],
    ['node -e "f(1)"', 'node -e "f(1)"'],
    ['(all of it)(', '(all of it)('],
  ]
  for (const [written, run] of cases) test(written, () => assert.equal(runnableCommand(written), run))
})

describe('what stands in a field for a command', () => {
  const run: [written: string, command: string, expected?: string][] = [
    ['npm test', 'npm test'],
    ['my-tool verify --all', 'my-tool verify --all'],
    ['npm test (all pass)', 'npm test'],
    ['npm test -- should pass', 'npm test'],
    ['npm test passes', 'npm test'],
    ['npm run build => dist', 'npm run build => dist'],
    ['npx tsc --noEmit', 'npx tsc --noEmit', 'no output'],
    ['npm test', 'npm test', 'exit code 0'],
    ['! grep -r foo src/', '! grep -r foo src/', 'no matches'],
    ['if [ -f a ]; then exit 1; fi', 'if [ -f a ]; then exit 1; fi'],
    ['npm test', 'npm test', '0 failures'],
    [
      'pytest tests/test_auth.py',
      'pytest tests/test_auth.py',
      'expected: All tests pass, including failed login handling',
    ],
    ['npm test', 'npm test', 'No new test failures'],
    ['npm test', 'npm test', 'Tests pass, failure cases covered'],
    ['npm test', 'npm test', 'exits 0 (exit 1 on any warning)'],
    ['npm test', 'npm test', 'all previously failing tests pass'],
    ['test -f a', 'test -f a', 'expected: returns 0'],
    ['test -f a', 'test -f a', 'expected: 0'],
    ['grep -q x a', 'grep -q x a', 'returns 0'],
    ['ls dist', 'ls dist', 'not empty'],
    ['test -d node_modules', 'test -d node_modules', 'is not empty'],
    ['find src | wc -l', 'find src | wc -l', 'returns non-zero'],
    ['grep -c x a', 'grep -c x a', 'more than zero'],
    ['pytest -k exists', 'pytest -k exists'],
    ['npm test -- -t returns', 'npm test -- -t returns'],
    ['go test ./... -run Matches', 'go test ./... -run Matches'],
    ['cargo test works', 'cargo test works'],
    ['curl localhost:3000 works', 'curl localhost:3000'],
    ['cd web && npx vitest exists', 'cd web && npx vitest exists'],
    [
      'if [ -f a ]; then exit 1; fi\nnpm test # the rest is fine',
      'if [ -f a ]; then exit 1; fi\nnpm test # the rest is fine',
    ],
  ]
  for (const [written, command, expected] of run)
    test(`${written}, ${expected}`, () => assert.deepEqual(meantCommand(written, expected), { run: command }))

  const told: [written: string, why: RegExp, expected?: string][] = [
    ['Check that two.txt exists', /is words/],
    ['manual review', /is words/],
    ['N/A', /is words/],
    ['my-tool should be green', /is words/],
    ['grep -c "foo" src/a.ts returns 0', /is words/],
    ["grep -r 'foo' src/", /to fail or to find nothing/, 'no matches'],
    ['npm test', /to fail or to find nothing/, 'FAIL: not implemented'],
    ['npm test', /to fail or to find nothing/, 'exit code 1'],
    ['npm test', /to fail or to find nothing/, 'expected: tests fail, then pass'],
    ['npm test', /to fail or to find nothing/, 'does not pass yet, it fails'],
    ['npm test', /to fail or to find nothing/, 'returns non-zero'],
    ['grep -r foo src', /to fail or to find nothing/, 'returns 0'],
    ['test -f a', /to fail or to find nothing/, 'must not exist'],
    ['my-tool run is green', /is words/],
    ['npx jest path/<name>.test.ts', /nothing that a shell would take/],
    ['# should NOT appear:\ngrep -n old src/a.ts', /to fail or to find nothing/],
    ['git push', /changes what git keeps/],
    ['npm run dev', /does not end/],
  ]
  for (const [written, why, expected] of told)
    test(`${written}, ${expected}`, () => {
      const gate = meantCommand(written, expected)
      assert.match('notRun' in gate ? gate.notRun.why : `it is run: ${gate.run}`, why)
    })
})

test('blocks of shell code are one command that fails with its first line that fails', () => {
  assert.deepEqual(commandOfBlock('bash', ['npm ci', 'npm test']), { run: 'set -e\nnpm ci\nnpm test' })
  assert.deepEqual(commandOfBlock('sh', ['npm test']), { run: 'npm test' })
  assert.deepEqual(commandOfBlock('console', ['$ npm test', 'ok 1', '$ npm run lint']), {
    run: 'set -e\nnpm test\nnpm run lint',
  })
})

test('a block without a language is shell code if all of its lines are commands', () => {
  assert.deepEqual(commandOfBlock('', ['npm test']), { run: 'npm test' })
  assert.deepEqual(commandOfBlock('', ['$ npm test', 'PASS 3 tests']), { run: 'npm test' })
  assert.deepEqual(commandOfBlock('', ['# both', 'npm ci', '', 'npm test']), {
    run: 'set -e\n# both\nnpm ci\n\nnpm test',
  })
  assert.equal(commandOfBlock('', ['npm test', 'PASS 3 tests']), null)
  assert.equal(commandOfBlock('', ['PASS 3 tests']), null)
})

test('other blocks are no commands', () => {
  assert.equal(commandOfBlock('ts', ['npm test']), null)
  assert.equal(commandOfBlock('', ['ok 1']), null)
  assert.equal(commandOfBlock('bash', ['# nothing', '']), null)
})

test('a block that is to fail, to find nothing, or to change something outside is told as a whole', () => {
  const why = (...lines: string[]): string => {
    const gate = commandOfBlock('bash', lines) ?? assert.fail()
    return 'notRun' in gate ? gate.notRun.why : 'it is run'
  }
  assert.match(why('npm ci', 'grep -r foo src # should be empty'), /to find nothing/)
  assert.match(why('grep -r foo src', '# Expected: no matches'), /to find nothing/)
  assert.match(why('# These patterns should NOT appear:', 'grep -n "old" src/a.ts'), /to find nothing/)
  assert.match(
    why('npm ci', '', '# No references left', '# (both of them)', 'ls src', '# must not exist', 'ls old'),
    /nothing/,
  )
  assert.match(why('npm ci', '# This should fail until it is done', 'npm test'), /to fail/)
  assert.equal(why('# Should not appear', '! grep -n old a.ts', '', 'ls src'), 'it is run')
  assert.equal(why('# Should not appear', 'if grep -q old a.ts; then', 'exit 1', 'fi'), 'it is run')
  assert.equal(why('# Empty files are handled', 'grep -q empty a.ts', '# No errors', 'npx tsc'), 'it is run')
  assert.match(why('npm test', 'git push'), /what git keeps.*, so its block is not run/)
  assert.deepEqual(commandOfBlock('sh', ['npm test', '  git push']), {
    notRun: { command: 'git push', why: 'changes what git keeps, here or elsewhere, so its block is not run' },
  })
  const named = commandOfBlock('sh', ['cd web', 'npm test', 'cd ../api', 'git push']) ?? assert.fail()
  assert.equal('notRun' in named && named.notRun.command, 'git push')
  assert.match(why('npm run dev', 'curl localhost:3000'), /does not end/)
  assert.equal(why('npm test   # all pass', '# fails fast'), 'it is run')
  assert.equal(why('npm ci', 'pytest -x  # stop on first failure'), 'it is run')
  assert.equal(why('npm ci', 'npm test # fails if coverage < 80%'), 'it is run')
  assert.equal(why('cd web', 'npm test', 'cd ../api', 'npm test'), 'it is run')
  assert.equal(why('check() (echo fail)', '! grep -r foo src # should be empty'), 'it is run')
})
