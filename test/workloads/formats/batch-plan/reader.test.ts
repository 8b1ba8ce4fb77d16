import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertReadBack } from '../fuzz.ts'
import { edgesOf, problemsOf, read, remarks, taskOf } from '../markdown-read.ts'
import { sample } from '../sample.ts'

const SAMPLE = [sample('batch-plan.md')]

describe('a batch plan', () => {
  const plan = read(SAMPLE)

  test('is recognised, whatever it is called', () => {
    assert.equal(plan.source.format, 'batch-plan')
    assert.equal(plan.plan.objective, 'Guest checkout')
    assert.equal(read([{ file: 'notes', text: SAMPLE[0]?.text ?? '' }]).source.format, 'batch-plan')
  })

  test('batches wait for batches, tasks for the tasks they name', () => {
    assert.deepEqual(edgesOf(plan), [
      'task-1-1',
      'task-1-2a ← task-1-1',
      'task-2-1 ← task-1-2a',
      'task-2-2 ← task-1-2a',
      'task-3-1 ← task-1-2a task-2-1 task-2-2',
    ])
    assert.deepEqual(
      plan.plan.epics.map(({ id, title }) => `${id}: ${title}`),
      ['batch-1: Batch 1: Foundations', 'batch-2: Batch 2: Checkout', 'batch-3: Batch 3: Mail'],
    )
  })

  test('files are claims; brackets in a name are part of it', () => {
    assert.deepEqual(taskOf(plan, 'task-1-1').claims, {
      write: ['db/migrations/012_guests.sql', 'db/schema.sql'],
      read: ['docs/data-model.md'],
    })
    assert.deepEqual(taskOf(plan, 'task-2-1').claims.write, ['app/checkout/\\[step\\]/page.tsx'])
  })

  test('commands are run, words are told', () => {
    assert.deepEqual(taskOf(plan, 'task-1-1').verify, ['npm run db:check'])
    assert.deepEqual(taskOf(plan, 'task-1-2a').verify, ['npx tsc --noEmit && npm test -- guest'])
    assert.deepEqual(taskOf(plan, 'task-2-1').verify, [])
    const { work } = taskOf(plan, 'task-1-1')
    const prompt = work.kind === 'prompt' ? work.prompt : ''
    for (const words of [
      'can be rolled back',
      'feat(db): add',
      '## Batch 9: this is an example',
      'nothing here is visible',
      'TypeScript, PostgreSQL',
    ])
      assert.ok(prompt.includes(words), words)
  })

  test('what is done is not run again, and what lies outside fails with its reason', () => {
    assert.deepEqual(
      plan.source.entries.find(({ source }) => source === '3.2'),
      { task: 'task-3-2', source: '3.2', state: 'done' },
    )
    assert.deepEqual(taskOf(plan, 'task-3-1').outside, ['/etc/postfix/main.cf'])
    assert.equal(taskOf(plan, 'task-3-1').retries, 0)
    assert.deepEqual(
      plan.warnings.map(({ line, message }) => `${line}: ${message}`),
      ['88: task `3.1` will fail: /etc/postfix/main.cf is outside of the repository'],
    )
  })

  test('it is called as its title says', () => {
    assert.equal(read('# Pay later!\n\n## Batch 1: a\n### Task 1.1: b\n').plan.name, 'pay-later')
  })

  test('it says what it assumed and what it ignored', () => {
    assert.deepEqual(remarks(plan.source.assumed), [
      '34: tasks whose verification has words besides commands, which are told to the agent and not run: `1.1`, `2.1`',
      '59: tasks of a batch that name no dependencies run at the same time, unless they change the same files',
      '86: a batch that says nothing of its dependencies waits for the one before it',
    ])
    assert.deepEqual(remarks(plan.source.ignored), ['103: sections that are part of no batch: `Success criteria`'])
  })

  test('converted and read back it is the same plan', () => {
    assertReadBack(plan, 'json')
    assertReadBack(plan, 'yaml')
  })
})

describe('the batches to run', () => {
  const open = (part: string): string[] => read(SAMPLE, { part }).plan.tasks.map(({ id }) => id)
  const cases: [part: string, tasks: string[]][] = [
    ['all', ['task-1-1', 'task-1-2a', 'task-2-1', 'task-2-2', 'task-3-1']],
    ['2', ['task-2-1', 'task-2-2']],
    ['1-2', ['task-1-1', 'task-1-2a', 'task-2-1', 'task-2-2']],
    [' 1 , 3 ', ['task-1-1', 'task-1-2a', 'task-3-1']],
    ['1,2-9', ['task-1-1', 'task-1-2a', 'task-2-1', 'task-2-2', 'task-3-1']],
  ]
  for (const [part, tasks] of cases) test(`${part}`, () => assert.deepEqual(open(part), tasks))

  test('what they need of the others is taken as done', () => {
    const plan = read(SAMPLE, { part: '2' })
    assert.deepEqual(edgesOf(plan), ['task-2-1', 'task-2-2'])
    assert.ok(remarks(plan.source.assumed).some((remark) => /only the batches `2` are run/.test(remark)))
    assert.equal(plan.source.entries.filter(({ state }) => state === 'skipped').length, 3)
  })

  test('order goes through what was left out: by batches, and by tasks that name tasks', () => {
    const chain = '## Batch 1\n### Task 1.1\n## Batch 2\n### Task 2.1\n## Batch 3\n### Task 3.1\n'
    assert.deepEqual(edgesOf(read(chain, { part: '1,3' })), ['task-1-1', 'task-3-1 ← task-1-1'])
    const none = '**Dependencies:** None\n'
    const named =
      `## Batch 1\n${none}### Task 1.1\n### Task 1.2\n` +
      `## Batch 2\n${none}### Task 2.1\n**Dependencies:** Task 1.2\n` +
      `## Batch 3\n${none}### Task 3.1\n**Dependencies:** Task 2.1\n`
    assert.deepEqual(edgesOf(read(named, { part: '1,3' })), ['task-1-1', 'task-1-2', 'task-3-1 ← task-1-2'])
    const mixed = chain.replace(
      '## Batch 3\n### Task 3.1\n',
      `## Batch 3\n${none}### Task 3.1\n**Dependencies:** Task 2.1\n`,
    )
    assert.deepEqual(edgesOf(read(mixed, { part: '1,3' })), ['task-1-1', 'task-3-1 ← task-1-1'])
  })

  test('a batch that is done holds nothing up, chosen or not', () => {
    const text = '## Batch 1\n### Task 1.1\n## Batch 2\n**Status:** done\n### Task 2.1\n## Batch 3\n### Task 3.1\n'
    assert.deepEqual(edgesOf(read(text, { part: '1,3' })), ['task-1-1', 'task-3-1'])
    assert.deepEqual(edgesOf(read(text)), ['task-1-1', 'task-3-1'])
  })

  const wrong: [part: string, says: RegExp][] = [
    ['', /names none of its batches/],
    ['1-', /`1-` names none/],
    [
      'two',
      /`two` names none of its batches \(`all`, `2`, `1-3` or `1,3-4`\): this plan has the batches `1`, `2`, `3`/,
    ],
    ['3-1', /`3-1` names none/],
    ['7', /`7` names none/],
  ]
  for (const [part, says] of wrong)
    test(`not ${JSON.stringify(part)}`, () => assert.match(problemsOf(SAMPLE, { part }).join(), says))
})

describe('dependencies of batches and tasks', () => {
  const plan = (batch: string, task = ''): string =>
    `## Batch 1\n### Task 1.1\n### Task 1.2\n### Task 1.3\n## Batch 2\n${batch}\n### Task 2.1: last\n${task}\n`
  const waits = (batch: string, task?: string): string => edgesOf(read(plan(batch, task))).at(-1) ?? ''
  const cases: [batch: string, task: string, edges: string][] = [
    ['**Dependencies:** None', '', 'task-2-1'],
    ['**Dependencies**: none (it stands alone)', '', 'task-2-1'],
    ['**Depends on:** Batch 1', '', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
    ['', '', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
    ['**Dependencies:** Task 1.2', '', 'task-2-1 ← task-1-2'],
    ['**Dependencies:** None', '**Dependencies:** Task 1.1 and 1.3', 'task-2-1 ← task-1-1 task-1-3'],
    ['**Dependencies:** None', '**Dependencies:** Tasks 1.1-1.3', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
    ['**Dependencies:** None', '**Dependencies:**\n- Task 1.1 (the table)\n- Task 1.2', 'task-2-1 ← task-1-1 task-1-2'],
    ['**Dependencies:** None', '**Dependencies:** Task 1.1 (Task 1.3 is not needed)', 'task-2-1 ← task-1-1'],
    ['**Dependencies:** None', '**Dependencies:** Batch 1', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
    ['**Dependencies:** None', '**Dependencies:** Node 18 and Python 3.11', 'task-2-1'],
    ['**Dependencies:** Previous batch', '', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
    ['**Dependencies:** All', '', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
    ['**Dependencies:** The login service', '', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
    ['**Dependencies:** Independent of Batch 1', '', 'task-2-1'],
    ['**Dependencies:** None', '**Dependencies:** Independent of Task 1.1 and Task 1.2', 'task-2-1'],
    ['**Dependencies:** None', '**Dependencies:** Task 1.1, in parallel with Task 1.2', 'task-2-1 ← task-1-1'],
    ['**Dependencies:** None', '**Dependencies:** Task 1.1 - the base, needs Node 1.2', 'task-2-1 ← task-1-1'],
    ['**Dependencies:** None', '**Dependencies:** Task 1.2 - see `docs/1.1.md`', 'task-2-1 ← task-1-2'],
    ['**Dependencies:** None', '**Dependencies:** Task 1.1 ✅, 1.2', 'task-2-1 ← task-1-1 task-1-2'],
    ['**Dependencies:** None', '**Dependencies:** Tasks 1.1 through 1.3', 'task-2-1 ← task-1-1 task-1-2 task-1-3'],
  ]
  for (const [batch, task, edges] of cases)
    test(`${batch} ${task}`.trim() || 'nothing said', () => assert.equal(waits(batch, task), edges))

  test('a batch that waits for something unknown waits for the one before it, and that is said', () => {
    const { source } = read(plan('**Dependencies:** The login service'))
    assert.ok(
      remarks(source.ignored).includes(
        '6: dependencies that do not begin with a batch or task: no task waits for them, and a batch waits for the one before it: `The login service`',
      ),
    )
  })

  test('headings of other depths, and those in a code block', () => {
    const text = '# Plan\n\n### Batch 1: a\n#### Task 1.1: b\n\n```md\n### Task 1.2: no\n```\n\n#### Task 1.2a: c\n'
    assert.deepEqual(edgesOf(read(text)), ['task-1-1', 'task-1-2a'])
  })

  test('what a test is in is written, and the message of the commit is told', () => {
    const task = '**Files:**\n- Test: `test/a.test.ts`\n- Modify: src/a.ts:12-20\n\n**Commit:** feat: add a\n'
    const { claims, work } = taskOf(read(plan('', task)), 'task-2-1')
    assert.deepEqual(claims.write, ['test/a.test.ts', 'src/a.ts'])
    assert.match(work.kind === 'prompt' ? work.prompt : '', /\*\*Commit:\*\* feat: add a/)
  })

  test('lists of files in a list', () => {
    const files = '**Files:**\n- Read:\n  - docs/a.md\n  - docs/b.md\n- **Create:** `c.ts`\n- d.ts\n'
    const { claims } = taskOf(read(plan('', files)), 'task-2-1')
    assert.deepEqual(claims, { write: ['c.ts', 'd.ts'], read: ['docs/a.md', 'docs/b.md'] })
  })

  describe('the files of a task', () => {
    const cases: [files: string, write: string[], read?: string[]][] = [
      ['**Files:**\n- Create: `src/a.ts` (new), `src/b.ts`', ['src/a.ts', 'src/b.ts']],
      ['**Files:**\n- Modify: `src/f.ts` (lines 10-20), `src/g.ts` (line 3)', ['src/f.ts', 'src/g.ts']],
      ['**Files:**\n- Modify: src/n.ts:12, 40-45', ['src/n.ts']],
      ['**Files:**\n- Modify: all files in src/o/', ['src/o']],
      ['**Files:**\n- New: src/q.ts\n- Create directory: `src/s/`', ['src/q.ts', 'src/s']],
      ['**Files:**\n- app/(shop)/page.tsx', ['app/(shop)/page.tsx']],
      [
        '**Files to modify:** `src/a.ts`, `src/b.ts`\n**Files to create:**\n- src/c.ts',
        ['src/a.ts', 'src/b.ts', 'src/c.ts'],
      ],
      ['- **Files to create/modify:** src/a.ts', ['src/a.ts']],
      ['**Files:**\n- src/a.ts\n**Files to read:** docs/a.md', ['src/a.ts'], ['docs/a.md']],
    ]
    for (const [files, write, reads = []] of cases)
      test(files, () => {
        const { claims } = taskOf(read(plan('', files)), 'task-2-1')
        assert.deepEqual([claims.write, claims.read], [write, reads])
      })
  })

  test('code is run where it stands alone, in a block without a language as well', () => {
    const verification =
      '**Verification:** Run `npm test -- a` and `npm run b`\n\n<!-- a note -->\n\n```\nnpm test\n```\n\nExpected output:\n\n```\nPASS 3\n```\n- `npx tsc --noEmit`\n- npm test (should pass)\n'
    assert.deepEqual(taskOf(read(plan('', verification)), 'task-2-1').verify, ['npm test', 'npx tsc --noEmit'])
  })

  test('words are noted', () => {
    const read1 = read(plan('**Dependencies:** None', '**Dependencies:** the login service'))
    assert.ok(
      remarks(read1.source.ignored).some((one) => /do not begin with a batch or task: .*`the login service`/.test(one)),
    )
  })

  test('a batch without tasks passes on what it waits for', () => {
    const text = '## Batch 1\n### Task 1.1\n## Batch 2\n## Batch 3\n### Task 3.1\n'
    assert.deepEqual(edgesOf(read(text)), ['task-1-1', 'task-3-1 ← task-1-1'])
  })
})

describe('what is wrong with a batch plan has a place', () => {
  const cases: [text: string, says: string][] = [
    ['## Batch 1\n### Task 1.1\n**Dependencies:** Task 1.9', 'plan.md:3:24: there is no task 1.9 to depend on'],
    ['## Batch 1\n**Dependencies:** Batch 4\n### Task 1.1', 'plan.md:2:25: there is no batch 4 to depend on'],
    ['## Batch 1\n### Task 1.1\n### Task 1.1', 'plan.md:3:1: there are two tasks `1.1`; the first is in line 2'],
    ['## Batch 1\n### Task 1.1\n## Batch 1', 'plan.md:3:1: there are two batches `1`; the first is in line 1'],
    [
      '### Task 1.1\n## Batch 1\n### Task 1.2',
      'plan.md:1:1: task `1.1` stands under no batch: put it under a heading such as `## Batch 1: title`',
    ],
    [
      '## Batch 1\n### Task 1.1\n**Dependencies:** Task 1.2\n### Task 1.2\n**Dependencies:** Task 1.1',
      'plan.md:3:24: tasks wait for each other: 1.1 → 1.2 → 1.1',
    ],
    [
      '## Batch 1\n**Dependencies:** Batch 2\n### Task 1.1\n## Batch 2\n**Dependencies:** Batch 1\n### Task 2.1',
      'plan.md:2:25: batches wait for each other: 1 → 2 → 1',
    ],
    ['## Batch 1\n### Task 1.1\na\0b', 'plan.md:3:2: this holds a NUL character: is it a text file?'],
  ]
  for (const [text, says] of cases) test(says, () => assert.deepEqual(problemsOf(text), [says]))

  test('a plan that is not one, said to be one', () => {
    assert.deepEqual(problemsOf('# Hello\n', { format: 'batch-plan' }), [
      'plan.md:1:1: there is no batch in this plan: a batch begins with a heading such as `## Batch 1: title`',
    ])
  })
})
