// Where a command of a plan in another format has to stand to be a check, and what the settings accept.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../../src/config.ts'
import {
  type AcceptedChecks,
  checkOf,
  commandsIn,
  notRunText,
} from '../../../../src/workloads/formats/checks/commands-in.ts'
import { readMarkdown } from '../../../../src/workloads/formats/markdown/lines.ts'
import { readPlan } from '../../../../src/workloads/plan/read.ts'

function found(text: string, accepted: AcceptedChecks = []) {
  const { verify, words, notRun } = commandsIn(readMarkdown(text).lines, accepted)
  return { verify, words, notRun: notRun.map(({ command, line }) => `${line}: ${command}`) }
}

describe('a command is a check where it stands alone', () => {
  const cases: [text: string, verify: string[], words?: number[], notRun?: string[]][] = [
    ['- npm test', ['npm test']],
    ['- [ ] `pytest tests`', ['pytest tests']],
    ['1. `ruff check src tests`.', ['ruff check src tests']],
    ['$ make check', ['make check']],
    ['npm test\nnpm run lint', ['npm test', 'npm run lint']],
    ['- `npm test` passes', [], [1]],
    ['- Run `npm test`', [], [1]],
    ['- npm test passes', [], [1]],
    ['- npm test\n  and look at what it says', ['npm test'], [2]],
    ['- npm test\n  - npm run lint', ['npm test', 'npm run lint']],
    ['- the login page still works', [], [1]],
    ['- `src/a.ts`', [], [1]],
    ['- `GET /users`', [], [1]],
    ['- stripe refunds create', [], [1]],
    ['- `stripe refunds create`', [], [], ['1: stripe refunds create']],
    ['| a | `npm test` |\n|---|---|', [], [1, 2]],
    ['**Commands:**\n\n- none\n---', []],
    ['```bash\nnpm test\n```', ['npm test']],
    ['```sh\n# types first\nnpx tsc --noEmit\n\nnpm test\n```', ['npx tsc --noEmit && npm test']],
    ['```\nnpm test\n```', ['npm test']],
    ['```\nPASS 3\n```', []],
    ['```\ncurl https://example.com\n```', []],
    ['```ts\nnpm test\n```', []],
    ['```bash\n# only words\n```', []],
    ['```bash\nnpm test\nnpm publish\n```', [], [], ['1: npm test\nnpm publish']],
    [
      '```bash\ncd web\nnpm test && npm run lint\nnpm run build\n```',
      ['cd web && npm test && npm run lint && npm run build'],
    ],
    ['- grep 验证字符串落地：', [], [1]],
    ['`npm test`\n\nExpected: FAIL', [], [3], ['1: npm test']],
    ['`npm test`\nExpected: PASS', ['npm test'], [2]],
  ]
  for (const [text, verify, words = [], notRun = []] of cases)
    test(text, () => assert.deepEqual(found(text), { verify, words, notRun }))
})

describe('the folder of whoever wrote the plan is dropped', () => {
  const cases: [written: string, run: string][] = [
    ['cd /home/ada/shop && npm test', 'npm test'],
    ['cd "C:/Work/My Shop" && npm test', 'npm test'],
    ['cd ~/shop\nnpm test', 'npm test'],
    ['cd web && npm test', 'cd web && npm test'],
  ]
  for (const [written, run] of cases) test(written, () => assert.deepEqual(checkOf(written, []), { run }))
  test('but not in the middle', () => assert.ok('notRun' in checkOf('npm test && cd /home/ada && npm test', [])))
})

describe('the settings accept more', () => {
  const cases: [accepted: AcceptedChecks, command: string, isRun: boolean][] = [
    [['npm run smoke'], 'npm run smoke', true],
    [['npm run smoke'], 'npm run smoke:all', false],
    [['npm run db:*'], 'npm run db:migrate', true],
    [['npm run db:*'], 'npm run db:migrate; rm -rf .', false],
    [['npm run db:*'], 'npm run db:$(cat name)', false],
    [['npm ci'], 'npm ci && npm test', true],
    [['npm ci'], 'npm ci && npm publish', false],
    [['npm start & sleep 1; npm test'], 'npm start & sleep 1; npm test', true],
    ['all', 'curl -f http://localhost:3000', true],
    ['all', 'Check that a.txt exists', false],
    ['all', 'manual review', false],
  ]
  for (const [accepted, command, isRun] of cases)
    test(`${accepted}: ${command}`, () => assert.equal('run' in checkOf(command, accepted), isRun))

  test('all: only what is written as a command', () => {
    const text = '- `curl localhost`\n- curl localhost\n- `src/a.ts`\n```\ncurl localhost\n```\n```sh\ncurl here\n```'
    assert.deepEqual(found(text, 'all').verify, ['curl localhost', 'curl here'])
  })

  test('a script alone in its item is a command, the name of a file is not', () => {
    const { notRun, words } = found('- `./scripts/smoke.sh`\n- `src/a.ts`', [])
    assert.deepEqual(notRun, ['1: ./scripts/smoke.sh'])
    assert.equal(words.length, 1)
    assert.deepEqual(found('- `./scripts/smoke.sh`', ['./scripts/smoke.sh']).verify, ['./scripts/smoke.sh'])
  })

  test('the line that is offered accepts it', () => {
    for (const command of ['npm ci && npm run "x y" && npm ci', 'cat a.txt | tee "b*.txt"', 'npm test &']) {
      const check = checkOf(command, [])
      assert.ok('notRun' in check)
      const offered = /`checks: (\[.*\])` in \.espalier\/config\.yaml runs it$/.exec(notRunText(check.notRun))?.[1]
      assert.deepEqual(checkOf(command, JSON.parse(offered ?? '')), { run: command })
    }
  })
})

test('a plan of another format is read with them; what a person wrote as `verify` is run as it is', () => {
  const subtask = { id: 'a', description: 'Do a', verification: { type: 'command', command: 'npm run smoke' } }
  const foreign = JSON.stringify({ phases: [{ phase: 1, subtasks: [subtask] }] })
  const own = JSON.stringify({ tasks: [{ id: 'a', prompt: 'Do a', verify: ['npm run smoke:prod'] }] })
  const verifyOf = (text: string, checks: AcceptedChecks) => {
    const read = readPlan(text, 'plan.json', { ...DEFAULT_SETTINGS, checks: checks === 'all' ? 'all' : [...checks] })
    assert.ok(read.ok)
    return read.value.plan.tasks[0]?.verify
  }
  assert.deepEqual(verifyOf(foreign, ['npm run x']), [])
  assert.deepEqual(verifyOf(foreign, ['npm run smo*']), ['npm run smoke'])
  assert.deepEqual(verifyOf(foreign, 'all'), ['npm run smoke'])
  assert.deepEqual(verifyOf(own, []), ['npm run smoke:prod'])
})
