// How a task of a batch plan is verified.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read, remarks, taskOf } from '../markdown-read.ts'

/** Three tasks of a batch, each with what stands below its heading. */
function three(first: string, second = '', third = ''): string {
  return `## Batch 1\n### Task 1.1\n${first}\n### Task 1.2\n${second}\n### Task 1.3\n${third}\n`
}

describe('how a task is verified', () => {
  const of = (text: string) => {
    const plan = read(three(text))
    return { verify: taskOf(plan, 'task-1-1').verify, said: remarks(plan.source.assumed) }
  }
  const cases: [text: string, verify: string[]][] = [
    ['#### Verification\n- npm test\n\n#### Notes\n- npm run other', ['npm test']],
    ['**Verification Steps:**\n1. `npm run lint`\n2. Open the page', ['npm run lint']],
    ['**Verification:**\n| Check | Command |\n|---|---|\n| unit | `npm test` |', []],
    [
      '**Verification:**\n`npm test -- a`\nExpected: FAIL with "no a"\n\n`npm test -- b`\nExpected: PASS',
      ['npm test -- b'],
    ],
    ['**Verification:**\nnpm test', ['npm test']],
    ['**Verification:** `npm test`', ['npm test']],
    ['**Verify command:**\n```sh\nnpm test -- x\n```\n**Expected:** FAIL\n\n`npm test`', ['npm test']],
    ['**Verification:**\nRun `npm test` and confirm:\n- it is green', []],
    ['**Verification:**\n```sh\ngrep -r a src\n```\nExpected: no matches\n\nnpm test', ['npm test']],
    ['**Verification:**\n```md\n```sh\nx\n```\n```\n\n```sh\nnpm test\n```', ['npm test']],
    ['**Verification:**\n#### Unit\n- npm test\n#### Lint\n- npm run lint', ['npm test', 'npm run lint']],
    ['**Verification:**\n- `cd backend && npm test` passes\n- cd web && npm test', ['cd web && npm test']],
  ]
  for (const [text, verify] of cases) test(text, () => assert.deepEqual(of(text).verify, verify))

  test('that there is none is no word', () => {
    assert.deepEqual(of('**Verify:** none').said, [
      '1: tasks of a batch that name no dependencies run at the same time, unless they change the same files',
    ])
  })

  test('words have the place of the first line of them, not of the field', () => {
    const { said } = of('**Verification:**\n\n- npm test\n- The page loads\n- It looks right')
    assert.deepEqual(said.slice(1), [
      '6: tasks whose verification has words besides commands, which are told to the agent and not run: `1.1`',
    ])
  })

  test('a command that is not run is named with its place, and with the setting that would run it', () => {
    const { verify, said } = of(
      '**Verification:**\n- npm test\n- Make sure `git push` works\n- cd /home/ada/shop && npm run lint\n\n```bash\nnpm run dev\n```',
    )
    assert.deepEqual(verify, ['npm test', 'npm run lint'])
    assert.deepEqual(said.slice(1), [
      '5: tasks whose verification has words besides commands, which are told to the agent and not run: `1.1`',
      '8: `npm run dev` is told to the agent, not run as a check: it is not among the commands known to test, lint or build; `checks: ["npm run dev"]` in .espalier/config.yaml runs it',
    ])
  })
})
