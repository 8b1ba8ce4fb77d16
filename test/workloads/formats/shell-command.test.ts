import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { commandOfBlock, commandsOfItem } from '../../../src/workloads/formats/shell-command.ts'
import { runnableCommand } from '../../../src/workloads/formats/trailing-remark.ts'

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
    ['Run `npm run lint` and make sure there are no errors', 'npm run lint'],
  ]
  for (const [line, command] of cases)
    test(line, () => assert.deepEqual(commandsOfItem(line), { verify: [command], hasWords: false }))

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
    'constructor',
    '__proto__ test',
    '',
    `npm ${'x'.repeat(5_000)}`,
  ]
  for (const line of cases)
    test(line.slice(0, 60) || 'nothing', () => assert.deepEqual(commandsOfItem(line), { verify: [], hasWords: true }))
})

describe('several commands in a line, and words beside them', () => {
  const cases: [line: string, verify: string[], hasWords: boolean][] = [
    ['Run `npm test -- second` and `npm run build`', ['npm test -- second', 'npm run build'], false],
    ['`npm test` and `npm run build` both pass', ['npm test', 'npm run build'], false],
    ['`npm test` passes, then `npm run build` succeeds', ['npm test', 'npm run build'], false],
    ['npm run build succeeds, and `npm test -- index` passes', ['npm test -- index'], true],
    ['Run `npm test`, then open `dist/index.html`', ['npm test'], true],
  ]
  for (const [line, verify, hasWords] of cases)
    test(line, () => assert.deepEqual(commandsOfItem(line), { verify, hasWords }))
})

describe('what is meant as a command', () => {
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

test('blocks of shell code are one command that fails with its first line that fails', () => {
  assert.equal(commandOfBlock('bash', ['npm ci', 'npm test']), 'set -e\nnpm ci\nnpm test')
  assert.equal(commandOfBlock('sh', ['npm test']), 'npm test')
  assert.equal(commandOfBlock('console', ['$ npm test', 'ok 1', '$ npm run lint']), 'set -e\nnpm test\nnpm run lint')
})

test('a block without a language is shell code if all of its lines are commands', () => {
  assert.equal(commandOfBlock('', ['npm test']), 'npm test')
  assert.equal(commandOfBlock('', ['$ npm test', 'PASS 3 tests']), 'npm test')
  assert.equal(commandOfBlock('', ['# both', 'npm ci', '', 'npm test']), 'set -e\n# both\nnpm ci\n\nnpm test')
  assert.equal(commandOfBlock('', ['npm test', 'PASS 3 tests']), null)
  assert.equal(commandOfBlock('', ['PASS 3 tests']), null)
})

test('other blocks are no commands', () => {
  assert.equal(commandOfBlock('ts', ['npm test']), null)
  assert.equal(commandOfBlock('', ['ok 1']), null)
  assert.equal(commandOfBlock('bash', ['# nothing', '']), null)
})
