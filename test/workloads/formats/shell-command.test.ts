import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commandIn, commandOfBlock } from '../../../src/workloads/formats/shell-command.ts'

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
  ]
  for (const [line, command] of cases) test(line, () => assert.equal(commandIn(line), command))
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
    '$ is the currency',
    'constructor',
    '__proto__ test',
    '',
    `npm ${'x'.repeat(5_000)}`,
  ]
  for (const line of cases) test(line.slice(0, 60) || 'nothing', () => assert.equal(commandIn(line), null))
})

test('blocks of shell code are one command that fails with its first line that fails', () => {
  assert.equal(commandOfBlock('bash', ['npm ci', 'npm test']), 'set -e\nnpm ci\nnpm test')
  assert.equal(commandOfBlock('sh', ['npm test']), 'npm test')
  assert.equal(commandOfBlock('console', ['$ npm test', 'ok 1', '$ npm run lint']), 'set -e\nnpm test\nnpm run lint')
})

test('other blocks are no commands', () => {
  assert.equal(commandOfBlock('ts', ['npm test']), null)
  assert.equal(commandOfBlock('', ['ok 1']), null)
  assert.equal(commandOfBlock('bash', ['# nothing', '']), null)
})
