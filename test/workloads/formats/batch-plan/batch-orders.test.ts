// What a batch plan says in other words about what waits for what, what is a task, and what is not to be done.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStatus } from '../../../../src/workloads/formats/batch-plan/status.ts'
import { edgesOf, problemsOf, read, remarks, taskOf } from '../markdown-read.ts'

/** Three tasks of a batch, each with what stands below its heading. */
function three(first: string, second = '', third = ''): string {
  return `## Batch 1\n### Task 1.1\n${first}\n### Task 1.2\n${second}\n### Task 1.3\n${third}\n`
}

describe('orders of tasks', () => {
  const cases: [third: string, edges: string[]][] = [
    ['**Depends:** 1.1', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1']],
    ['**Blocked by:** Task 1.1', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1']],
    ['**Prerequisites:** Task 1.2', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-2']],
    ['**Requires:** Tasks 1.1 and 1.2', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1 task-1-2']],
    ['**Prerequisites:** Node 18', ['task-1-1', 'task-1-2', 'task-1-3']],
    ['#### Dependencies\n- Task 1.1', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1']],
    ['**Blocks:** Task 1.1', ['task-1-1 ← task-1-3', 'task-1-2', 'task-1-3']],
    ['**Dependencies:** None; blocks Task 1.2', ['task-1-1', 'task-1-2 ← task-1-3', 'task-1-3']],
    ['**Dependencies:** Task 1.1. Blocks: Task 1.2', ['task-1-1', 'task-1-2 ← task-1-3', 'task-1-3 ← task-1-1']],
    ['**Dependencies:** None, required by Tasks 1.1, 1.2', ['task-1-1 ← task-1-3', 'task-1-2 ← task-1-3', 'task-1-3']],
    ['**Dependencies:** Must land before Task 1.1', ['task-1-1 ← task-1-3', 'task-1-2', 'task-1-3']],
    ['**Dependencies:** Can start before Task 1.1', ['task-1-1', 'task-1-2', 'task-1-3']],
    ['**Dependencies:** Everything except Task 1.2', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1']],
    ['**Dependencies:** Tasks 1.1-1.2, but not Task 1.1', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-2']],
    ['**Dependencies:** Task 1.1, Task 1.2 (optional)', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1 (task-1-2)']],
    ['**Dependencies:** Soft: Task 1.1', ['task-1-1', 'task-1-2', 'task-1-3 ← (task-1-1)']],
    ['**Dependencies:** Ideally after Task 1.1', ['task-1-1', 'task-1-2', 'task-1-3 ← (task-1-1)']],
    ['**Dependencies:** Task 1.1 (optional), 1.1', ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1']],
  ]
  for (const [third, edges] of cases) test(third, () => assert.deepEqual(edgesOf(read(three('', '', third))), edges))

  describe('nothing is turned round but by words that can mean nothing else', () => {
    const NEEDS = ['task-1-1', 'task-1-2 ← task-1-1', 'task-1-3']
    const BLOCKS = ['task-1-1 ← task-1-2', 'task-1-2', 'task-1-3']
    const NONE = ['task-1-1', 'task-1-2', 'task-1-3']
    const UNCLEAR =
      /^5: this task waits for task 1\.1: the words before it do not say clearly which of them comes first$/m
    const TURNED = /^5: task 1\.1 waits for this task, as the words before it say$/m
    const cases: [said: string, edges: string[], told?: RegExp][] = [
      ['Not before Task 1.1', NEEDS],
      ['Cannot start before Task 1.1', NEEDS],
      ["Can't be started before Task 1.1", NEEDS],
      ['Should not begin before Task 1.1', NEEDS],
      ['Must not be merged until Task 1.1', NEEDS],
      ['Blocked by Task 1.1', NEEDS],
      ['Types created by Task 1.1', NEEDS],
      ['Complete before: Task 1.1', NEEDS, UNCLEAR],
      ['Complete before Task 1.1', NEEDS, UNCLEAR],
      ['Uses the building blocks of Task 1.1', NEEDS, UNCLEAR],
      ['Types used by Task 1.1', NEEDS, UNCLEAR],
      ['Types required by Task 1.1', NEEDS, UNCLEAR],
      ['Must land before Task 1.1', BLOCKS, TURNED],
      ['This task must land before Task 1.1', BLOCKS, TURNED],
      ['None; this should be merged before Task 1.1', BLOCKS, TURNED],
      ['None. Required by: Task 1.1', BLOCKS, TURNED],
      ['Blocks Task 1.1', BLOCKS, TURNED],
      ['It is a prerequisite for Task 1.1', BLOCKS, TURNED],
      ['Not required by Task 1.1', NONE],
      ['Can start before Task 1.1', NONE],
    ]
    for (const [said, edges, told] of cases)
      test(said, () => {
        const plan = read(three('', `**Dependencies:** ${said}`))
        assert.deepEqual(edgesOf(plan), edges)
        const words = remarks(plan.source.assumed).join('\n')
        if (told) assert.match(words, told)
        else assert.doesNotMatch(words, /the words before it/)
      })
  })

  test('who names itself in such words does not wait for itself', () => {
    const edges = (said: string) => edgesOf(read(three('', `**Dependencies:** ${said}`)))[1]
    assert.equal(edges('Task 1.1 must be merged before Task 1.2'), 'task-1-2 ← task-1-1')
    assert.equal(edges('Everything before Task 1.2'), 'task-1-2')
  })

  describe('in brackets the word that makes it soft stands for itself', () => {
    const cases: [behind: string, isSoft: boolean][] = [
      ['(optional)', true],
      ['[soft]', true],
      ['(soft dependency)', true],
      ['(optional: nicer with it)', true],
      ['(nice to have)', true],
      ['(optional fields only)', false],
      ['(recommended approach)', false],
      ['(weakly typed)', false],
    ]
    for (const [behind, isSoft] of cases)
      test(behind, () => {
        const edges = edgesOf(read(three('', `**Dependencies:** Task 1.1 ${behind}`)))
        assert.equal(edges[1], isSoft ? 'task-1-2 ← (task-1-1)' : 'task-1-2 ← task-1-1')
      })
  })

  describe('fields where something else may stand', () => {
    const two = (field: string): string =>
      `## Batch 1\n${field}\n### Task 1.1\n### Task 1.2\n## Batch 2\n### Task 2.1\n`
    const FREE = ['task-1-1', 'task-1-2', 'task-2-1 ← task-1-1 task-1-2']
    for (const said of ['**Requires:** 2 API keys', '**Needs:** 2 reviewers', '**Blocked by:** 2 open questions'])
      test(`${said} names no batch`, () => {
        const plan = read(two(said))
        assert.deepEqual(edgesOf(plan), FREE)
        assert.match(remarks(plan.source.assumed).join('\n'), /^2: the dependency `.*` names no batch or task/m)
      })

    const cases: [said: string, edges: string][] = [
      ['**Requires:** 1.2 GB of RAM', 'task-1-3'],
      ['**Requires:** 1.1, 1.2', 'task-1-3 ← task-1-1 task-1-2'],
      ['**Blocked by:** 1.1 and 1.2', 'task-1-3 ← task-1-1 task-1-2'],
      ['**Prerequisites:** Node 20, Task 1.2', 'task-1-3 ← task-1-2'],
      ['**Prerequisites:** Ticket Task 7 in Jira', 'task-1-3'],
      ['**Prerequisites:** Task 1.1, Task 7', 'task-1-3 ← task-1-1'],
    ]
    for (const [said, edges] of cases) test(said, () => assert.equal(edgesOf(read(three('', '', said))).at(-1), edges))

    test('what is not there is a warning with its place', () => {
      const { warnings } = read(three('', '', '**Prerequisites:** Ticket Task 7 in Jira'))
      assert.deepEqual(
        warnings.map(({ line, column, message }) => `${line}:${column}: ${message}`),
        ['7:32: there is no task 7 to depend on: it is told to the agent, and orders nothing'],
      )
    })

    test('a batch that names only such a thing waits for the one before it', () => {
      const plan = read('## Batch 1\n### Task 1.1\n## Batch 2\n**Prerequisites:** Ticket Task 7\n### Task 2.1\n')
      assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-2-1 ← task-1-1'])
    })
  })

  test('a batch that blocks another', () => {
    const plan = (first: string, second: string): string[] =>
      edgesOf(read(`## Batch 1\n${first}\n### Task 1.1\n## Batch 2\n${second}\n### Task 2.1\n`))
    assert.deepEqual(plan('**Dependencies:** None — blocks Batch 2', ''), ['task-1-1', 'task-2-1 ← task-1-1'])
    assert.deepEqual(plan('**Blocks:** Batch 2', '**Dependencies:** None'), ['task-1-1', 'task-2-1 ← task-1-1'])
    assert.deepEqual(plan('', '**Dependencies:** Batch 1 (soft)'), ['task-1-1', 'task-2-1 ← (task-1-1)'])
    assert.deepEqual(plan('', '**Dependencies:** None\n**Prerequisites:** Docker'), ['task-1-1', 'task-2-1'])
    assert.deepEqual(plan('', '**Blocks:** None'), ['task-1-1', 'task-2-1 ← task-1-1'])
    assert.deepEqual(plan('', '**Dependencies:** blocks Batch 2'), ['task-1-1', 'task-2-1 ← task-1-1'])
  })

  test('all but one task of a batch', () => {
    const text = `${three('')}## Batch 2\n**Dependencies:** Batch 1 except Task 1.2\n### Task 2.1\n`
    assert.equal(edgesOf(read(text)).at(-1), 'task-2-1 ← task-1-1 task-1-3')
  })

  test('what blocks nothing that there is', () => {
    const said = remarks(
      read(three('**Blocks:** the release', '**Dependencies:** x', '**Depends:** none')).source.assumed,
    )
    assert.deepEqual(said.slice(0, 1), ['3: `the release` names no batch or task that would wait for this'])
    assert.deepEqual(
      read(three('**Blocks:** Task 1.9')).warnings.map(({ line, column, message }) => `${line}:${column}: ${message}`),
      ['3:18: there is no task 1.9 that could wait for this: it is told to the agent, and orders nothing'],
    )
  })

  test('what blocks and is blocked by the same is a circle', () => {
    assert.match(problemsOf(three('**Blocks:** Task 1.2\n**Blocked by:** Task 1.2')).join(), /wait for each other/)
  })
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
    ['### Task 1.2: x ✅ (done)', ['1.2 done']],
    ['### Task 1.2 ✅', ['1.2 done']],
    ['### Task 1.2: x (SKIPPED)', ['1.2 skipped']],
    ["### Task 1.2: x (WON'T DO)", ['1.2 skipped']],
    ['### Task 1.2: x (DEFERRED to v2)', ['1.2 skipped']],
    ['### Task 1.2: x (DROPPED: no time)', ['1.2 skipped']],
    ['### Task 1.2: x (SKIP LOCKED)', ['1.2 open']],
    ['### Task 1.2: x (CANCELLED, REFUNDED)', ['1.2 open']],
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
    ['Completed by Task 1.1', 'done'],
    ['complete except tests', 'open', true],
    ['done, but the tests are missing', 'open', true],
    ['Partially complete', 'open', true],
    ['80%', 'open', true],
    ['In progress', 'open', true],
    ['Blocked', 'open', true],
    ['Not done', 'open'],
    ['Not started', 'open'],
    ['To be done', 'open'],
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

  test('what only looks like a status in a heading is told', () => {
    const plan = read(
      '## Batch 1\n### Task 1.1: a (done)\n### Task 1.2: b (done)\n## Batch 2: Orders (cancelled)\n### Task 2.1: c (done)\n**Status:** done\n',
    )
    assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-2'])
    assert.deepEqual(remarks(plan.source.assumed).slice(1), [
      '2: `(done)` behind a title is part of it: what is done or left out has `**Status:**`, or the word in capitals',
      '4: `(cancelled)` behind a title is part of it: what is done or left out has `**Status:**`, or the word in capitals',
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

describe('files that are not to be changed', () => {
  const claims = (files: string) => taskOf(read(three(`**Files:**\n${files}`)), 'task-1-1').claims
  const cases: [files: string, write: string[], reads?: string[]][] = [
    ['- src/a.ts\n- No changes to `src/secret.ts`', ['src/a.ts']],
    ['- src/a.ts\n- Leave `src/secret.ts` alone', ['src/a.ts']],
    ['- src/a.ts\n- `src/secret.ts` (unchanged)', ['src/a.ts']],
    ['- src/a.ts\n- src/secret.ts stays unchanged', ['src/a.ts']],
    ['- Modify: src/a.ts (no changes to its types)', ['src/a.ts']],
    ['- src/a.ts\n- `docs/x.md` (read only)', ['src/a.ts'], ['docs/x.md']],
    ['| Path | What |\n|---|---|\n| src/a.ts | Modify |\n| docs/x.md | Read only |', ['src/a.ts'], ['docs/x.md']],
    ['| Path | What |\n|---|---|\n| src/a.ts | Modify |\n| src/b.ts | no changes |', ['src/a.ts']],
    ['| Path | Action | Notes |\n|---|---|---|\n| src/a.ts | Modify | Read config from env |', ['src/a.ts']],
    ['| Path | Action | Notes |\n|---|---|---|\n| src/a.ts | Modify | its API is unchanged |', ['src/a.ts']],
    ['| Path | Action |\n|---|---|\n| docs/x.md | Read for the types |', [], ['docs/x.md']],
    ['| Path | Notes |\n|---|---|\n| src/a.ts | See spec 2 |\n| src/b.ts | Review page |', ['src/a.ts', 'src/b.ts']],
    ['- Modify: src/Form.tsx (add a read-only mode)', ['src/Form.tsx']],
    ['- src/Form.tsx (add a read-only mode)', ['src/Form.tsx']],
    ['- src/Form.tsx - make it read-only', ['src/Form.tsx']],
    ['- src/a.ts\n- docs/x.md (read only, for the types)', ['src/a.ts'], ['docs/x.md']],
    ['- src/a.ts\n- docs/x.md - read only', ['src/a.ts'], ['docs/x.md']],
    ['- Modify: src/y.ts: public API is unchanged', ['src/y.ts']],
    ['- src/y.ts: public API is unchanged', ['src/y.ts']],
    ['- Modify: src/z.ts (internals; exports: no changes)', ['src/z.ts']],
    ['- src/z.ts (internals; exports: no changes)', ['src/z.ts']],
    ['- Modify:\n  - src/Form.tsx (read-only)', ['src/Form.tsx']],
    ['- leave/request.ts\n- never/ending.ts', ['leave/request.ts', 'never/ending.ts']],
  ]
  for (const [files, write, reads = []] of cases)
    test(files, () => {
      const { write: written, read: red } = claims(files)
      assert.deepEqual([written, red], [write, reads])
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
