// What a batch plan says in other words about what waits for what, what is a task, and what is not to be done.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStatus } from '../../../../src/workloads/formats/batch-plan/status.ts'
import { edgesOf, read, remarks, taskOf } from '../markdown-read.ts'

/** Three tasks of a batch, each with what stands below its heading. */
function three(first: string, second = '', third = ''): string {
  return `## Batch 1\n### Task 1.1\n${first}\n### Task 1.2\n${second}\n### Task 1.3\n${third}\n`
}

describe('orders of tasks', () => {
  const cases: [third: string, waitsFor: string][] = [
    ['**Depends on:** 1.1 (schema)', 'task-1-1'],
    ['**Dependencies:** Task 1.1 (the table), Task 1.2', 'task-1-1 task-1-2'],
    ['**Dependencies:** Task 1.1: the table', 'task-1-1'],
    ['**Dependencies:** Task 1.1, in parallel with Task 1.2', 'task-1-1'],
    ['**Dependencies:** Task 1.1 - the base, needs Node 1.2', 'task-1-1'],
    ['**Dependencies**\n- Task 1.1', 'task-1-1'],
    ['#### Dependencies\n- Task 1.1', 'task-1-1'],
    ['**Depends:** Task 1.1', 'task-1-1'],
    ['**Blocked by:** Task 1.1', 'task-1-1'],
    ['**Prerequisites:** Task 1.2', 'task-1-2'],
    ['**Requires:** Tasks 1.1 and 1.2', 'task-1-1 task-1-2'],
    // Words: they are told to the agent, and order nothing.
    ['**Prerequisites:** Node 18', ''],
    ['**Dependencies:** Types used by Task 1.1', ''],
    ['**Dependencies:** Must land before Task 1.1', ''],
    ['**Dependencies:** None; blocks Task 1.2', ''],
    ['**Dependencies:** Independent of Task 1.1', ''],
    ['**Blocks:** Task 1.1', ''],
    ['Depends on: Task 1.1', ''],
    ['```\n**Depends on:** Task 1.1\n```', ''],
  ]
  for (const [third, waitsFor] of cases)
    test(third, () =>
      assert.deepEqual(edgesOf(read(three('', '', third))), [
        'task-1-1',
        'task-1-2',
        waitsFor === '' ? 'task-1-3' : `task-1-3 ← ${waitsFor}`,
      ]),
    )

  test('what is not understood is said', () => {
    const said = remarks(read(three('', '', '**Dependencies:** Types used by Task 1.1')).source.assumed)
    assert.ok(
      said.includes(
        '7: the dependency `Types used by Task 1.1` does not begin with a batch or task: nothing waits for it',
      ),
    )
  })

  describe('fields where something else may stand', () => {
    for (const said of ['**Requires:** 2 API keys', '**Blocked by:** 2 open questions'])
      test(`${said} names no batch`, () => {
        const plan = read(`## Batch 1\n${said}\n### Task 1.1\n### Task 1.2\n## Batch 2\n### Task 2.1\n`)
        assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-2', 'task-2-1 ← task-1-1 task-1-2'])
        assert.match(remarks(plan.source.assumed).join('\n'), /^2: the dependency `.*` does not begin with/m)
      })

    test('a task that is not there is a warning with its place', () => {
      const { warnings } = read(three('', '', '**Prerequisites:** Task 1.1, Task 7'))
      assert.deepEqual(
        warnings.map(({ line, column, message }) => `${line}:${column}: ${message}`),
        ['7:35: there is no task 7 to depend on: it is told to the agent, and orders nothing'],
      )
    })

    test('a batch that names only such a thing waits for the one before it', () => {
      const plan = read('## Batch 1\n### Task 1.1\n## Batch 2\n**Prerequisites:** Ticket 7\n### Task 2.1\n')
      assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-2-1 ← task-1-1'])
    })
  })
})

describe('batches with a letter', () => {
  const text =
    '## Batch 0a: a\n### Task 0a.1: x\n## Batch 0b: b\n**Dependencies:** None\n### Task 0b.1: y\n**Dependencies:** Task 0a.1\n' +
    '## Batch 1: c\n**Dependencies:** Batches 0a, 0b\n### Task 1.1: z\n## Batch 2\n**Dependencies:** Batch 0\n### Task 2.1\n'

  test('are batches of their own, and together those of their number', () => {
    const plan = read(text)
    assert.deepEqual(edgesOf(plan), [
      'task-0a-1',
      'task-0b-1 ← task-0a-1',
      'task-1-1 ← task-0a-1 task-0b-1',
      'task-2-1 ← task-0a-1 task-0b-1',
    ])
    assert.deepEqual(
      plan.plan.epics.map(({ id }) => id),
      ['batch-0a', 'batch-0b', 'batch-1', 'batch-2'],
    )
  })

  const parts: [part: string, tasks: string[]][] = [
    ['0a', ['task-0a-1']],
    ['0', ['task-0a-1', 'task-0b-1']],
    ['0-1', ['task-0a-1', 'task-0b-1', 'task-1-1']],
  ]
  for (const [part, tasks] of parts)
    test(`--part ${part}`, () =>
      assert.deepEqual(
        read(text, { part }).plan.tasks.map(({ id }) => id),
        tasks,
      ))
})

describe('headings of tasks', () => {
  const tasks = (heading: string): string[] => {
    const { source } = read(`## Batch 1\n### Task 1.1: a\n${heading}\nwords\n### Task 1.4: d\n`)
    return source.entries.slice(1, -1).map(({ source, state }) => `${source} ${state}`)
  }
  const cases: [heading: string, entries: string[]][] = [
    ['### ✅ Task 1.2: x', ['1.2 done']],
    ['### 🔧 Task 1.2: x', ['1.2 open']],
    ['### Task 1.2: x ✅', ['1.2 done']],
    ['### Task 1.2: x (DONE)', ['1.2 done']],
    ['### Task 1.2: x [COMPLETED]', ['1.2 done']],
    ['### Task 1.2: x — ✅', ['1.2 done']],
    ['### Task 1.2 ✅', ['1.2 done']],
    ['### Task 1.2: x (SKIPPED)', ['1.2 skipped']],
    ["### Task 1.2: x (WON'T DO)", ['1.2 skipped']],
    ['### Task 1.2: x (DEFERRED to v2)', ['1.2 skipped']],
    ['### Task 1.2: x (DROPPED: no time)', ['1.2 skipped']],
    ['### Task 1.2: x (SKIP LOCKED)', ['1.2 open']],
    ['### Task 1.2: x (CANCELLED, REFUNDED)', ['1.2 open']],
    ['### Task 1.2: x — DEFERRED', ['1.2 skipped']],
    ['### Task 1.2: x - DONE', ['1.2 done']],
    ['### Task 1.2: Order list filter (archived)', ['1.2 open']],
    ['### Task 1.2: Handle refunds (cancelled)', ['1.2 open']],
    ['### Task 1.2: Detect entries (duplicate)', ['1.2 open']],
    ['### Task 1.2: Add status column (done)', ['1.2 open']],
    ['### Task 1.2: Replace ❌ with ✅', ['1.2 open']],
    ['### Task 1.2: Toggle ❌/✅', ['1.2 open']],
    ['### Task 1.2: Add ✅', ['1.2 open']],
    ['### [deferred] Task 1.2: x', ['1.2 skipped']],
    ['### Task 1.2: x (new)', ['1.2 open']],
    ['### [ ] Task 1.2: x', ['1.2 open']],
    ['### [x] Task 1.2: x', ['1.2 done']],
    ['### [Task 1.2] x', ['1.2 open']],
    ['### [web] Task 1.2: x', ['1.2 open']],
    ['### [DONE] Task 1.2: x', ['1.2 done']],
    ['### ~~Task 1.2: x~~', ['1.2 skipped']],
    ['### 1.2: x', ['1.2 open']],
    ['### Task 2: x', ['2 open']],
    ['### 2.2: of another batch', []],
    ['### Task A.1: x', []],
    ['### Task 1-22: x', []],
    ['### 1.2 x', []],
    ['#### 1.2: within a task', []],
    ['#### Task 2: within a task', []],
    ['### Overview', []],
  ]
  for (const [heading, entries] of cases) test(heading, () => assert.deepEqual(tasks(heading), entries))

  test('one that is not taken as a task, though it looks like one, has a warning', () => {
    const warned = (heading: string): string[] =>
      read(`## Batch 1\n### Task 1.1\n${heading}\n`).warnings.map(({ line, message }) => `${line}: ${message}`)
    assert.deepEqual(warned('### Task A.1: x'), [
      '3: `Task A.1: x` is not taken as a task, and its words are told to all tasks of the batch: a task begins with a heading such as `### Task 1.1: title`',
    ])
    assert.equal(warned('### 1.2 x').length, 1)
    assert.deepEqual(warned('### Overview'), [])
  })

  test('a task may be named by its bare number', () => {
    const text = '## Batch 1\n### Task 1: a\n### Task 2: b\n**Dependencies:** Task 1\n'
    assert.deepEqual(edgesOf(read(text)), ['task-1', 'task-2 ← task-1'])
  })
})

describe('what a status says', () => {
  const cases: [status: string, state: string, isTold?: true][] = [
    ['✅ Completed', 'done'],
    ['Done', 'done'],
    ['done (2025-01-01)', 'done'],
    ['DONE - merged in #12', 'done'],
    ['**Merged**', 'done'],
    ['✅', 'done'],
    ['[x]', 'done'],
    ['100%', 'done'],
    ['complete except tests', 'open', true],
    ['done, but the tests are missing', 'open', true],
    ['Partially complete', 'open', true],
    ['80%', 'open', true],
    ['In progress', 'open', true],
    ['Blocked', 'open', true],
    ['Not started', 'open'],
    ['⏳ Pending', 'open'],
    ['[ ]', 'open'],
    ['', 'open'],
    ['Skipped', 'skipped', true],
    ['❌ Cancelled (see #3)', 'skipped', true],
    ['Deferred', 'skipped', true],
    ["Won't do", 'skipped', true],
    ['On hold', 'skipped', true],
  ]
  for (const [status, state, isTold = false] of cases)
    test(status || 'nothing', () => assert.deepEqual(readStatus(status), { state, isWorthTelling: isTold }))

  test('what is left out is said, and order goes through it', () => {
    const plan = read(three('', '**Status:** Cancelled\n**Dependencies:** Task 1.1', '**Dependencies:** Task 1.2'))
    assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-3 ← task-1-1'])
    assert.deepEqual(remarks(plan.source.assumed), ['4: task `1.2` is `Cancelled`: left out'])
  })

  test('what the headings say is told, too', () => {
    const { source } = read(
      '## Batch 1\n### Task 1.1: a (DONE)\n### ✅ Task 1.2: b\n### ~~Task 1.3: c~~\n### Task 1.4\n',
    )
    assert.deepEqual(remarks(source.assumed), [
      '2: tasks `1.1`, `1.2` are done, as the heading says',
      '4: task `1.3` is left out, as the heading says',
    ])
  })

  test('a batch, and what was begun', () => {
    const plan = read(
      '## Batch 1\n**Status:** Deferred\n### Task 1.1\n## Batch 2\n**Dependencies:** None\n### Task 2.1\n**Status:** In progress\n',
    )
    assert.deepEqual(edgesOf(plan), ['task-2-1'])
    assert.deepEqual(remarks(plan.source.assumed), [
      '1: batch `1` is `Deferred`: left out',
      '6: task `2.1` is `In progress`: run from the start',
    ])
  })
})

test('the file of a test is written, too', () => {
  const { claims } = taskOf(read(three('**File:** `src/a.ts`\n**Test:** `test/a.test.ts` (extend)')), 'task-1-1')
  assert.deepEqual(claims.write, ['src/a.ts', 'test/a.test.ts'])
})

describe('files that are only read', () => {
  const claims = (files: string) => taskOf(read(three(files)), 'task-1-1').claims
  const cases: [files: string, write: string[], reads?: string[]][] = [
    ['**Files:**\n- Read: src/a.ts', [], ['src/a.ts']],
    ['**Files:**\n- Reference: src/a.ts', [], ['src/a.ts']],
    ['**Files to read:** src/a.ts', [], ['src/a.ts']],
    ['**Reference files:** src/a.ts', [], ['src/a.ts']],
    [
      '**Files:**\n| Path | What |\n|---|---|\n| src/a.ts | Modify |\n| docs/x.md | Read only |',
      ['src/a.ts'],
      ['docs/x.md'],
    ],
    // What is read and changed is written; other words are the agent's.
    ['**Files:**\n- Read/Modify: src/a.ts', ['src/a.ts']],
    ['**Files:**\n- Review and fix: src/a.ts', ['src/a.ts']],
    ['**Files to read and modify:** src/a.ts', ['src/a.ts']],
    ['**Files:**\n| Path | Notes |\n|---|---|\n| src/a.ts | See spec 2 |', ['src/a.ts']],
    ['**Files:**\n- Modify: src/Form.tsx (add a read-only mode)', ['src/Form.tsx']],
    ['**Files:**\n- src/a.ts\n- Note: leave src/x.ts alone', ['src/a.ts']],
  ]
  for (const [files, write, reads = []] of cases)
    test(files, () => {
      const { write: written, read: onlyRead } = claims(files)
      assert.deepEqual([written, onlyRead], [write, reads])
    })
})

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
    assert.deepEqual(said.slice(1), ['6: 2 lines of verifications are words, not commands: told to the agent, not run'])
  })

  test('a command that is not run is named with its place, and with the setting that would run it', () => {
    const { verify, said } = of(
      '**Verification:**\n- npm test\n- Make sure `git push` works\n- cd /home/ada/shop && npm run lint\n\n```bash\nnpm run dev\n```',
    )
    assert.deepEqual(verify, ['npm test', 'npm run lint'])
    assert.deepEqual(said.slice(1), [
      '5: a line of a verification is words, not a command: told to the agent, not run',
      '8: `npm run dev` is told to the agent, not run as a check: it is not among the programs known to test, lint or build; `checks: ["npm run dev"]` in .espalier/config.yaml runs it',
    ])
  })
})
