import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertReadBack } from '../fuzz.ts'
import { edgesOf, problemsOf, read, remarks, taskOf } from '../markdown-read.ts'
import { sample } from '../sample.ts'

describe("spec-kit's tasks.md", () => {
  const plan = read([sample('tasks.md')])

  test('is named as its folder where the title says nothing', () => {
    for (const title of ['# Tasks', '# Tasks: [FEATURE NAME]', ''])
      assert.equal(
        read([{ file: 'specs/003-search/tasks.md', text: `${title}\n- [ ] T1 a\n` }]).plan.name,
        '003-search',
      )
  })

  test('is recognised, and named after what it is about', () => {
    assert.equal(plan.source.format, 'spec-kit')
    assert.deepEqual([plan.plan.name, plan.plan.objective], ['offline-notes', 'Offline Notes'])
  })

  test('headings are barriers; a line follows its predecessor; [P] waits only for the barrier', () => {
    assert.deepEqual(edgesOf(plan), [
      't002',
      't003',
      't004 ← t002 t003',
      't005 ← t002 t003',
      't006 ← t002 t003',
      't007 ← t004 t005 t006',
      't008 ← t007',
      't010 ← t004 t008',
      't011 ← t005 t006 t007 t010',
    ])
  })

  test('what is ticked is done, and nothing waits for it', () => {
    const done = plan.source.entries.filter(({ state }) => state === 'done').map(({ source }) => source)
    assert.deepEqual(done, ['T001', 'T009'])
  })

  test('paths in the text are claims', () => {
    assert.deepEqual(taskOf(plan, 't007').claims.write, ['src/app.ts', 'src/main.ts'])
    assert.deepEqual(taskOf(plan, 't010').claims.write, ['src/ui/autosave.ts', 'src/storage/backup.ts'])
    assert.deepEqual(taskOf(plan, 't011').claims.write, [])
  })

  test('the prompt has all that belongs to the task, and what it is part of', () => {
    const { work, tags } = taskOf(plan, 't010')
    const prompt = work.kind === 'prompt' ? work.prompt : ''
    for (const words of [
      'Save while typing',
      'debounce by 500 ms',
      'T901 code in a task',
      'a note written offline',
      'Phase 3: User Story 1',
    ])
      assert.ok(prompt.includes(words), words)
    assert.ok(!prompt.includes('Show what is not saved yet'))
    assert.deepEqual(tags, ['us1'])
  })

  test('it says what it assumed and ignored', () => {
    assert.deepEqual(remarks(plan.source.assumed), [
      '22: every heading with tasks is a phase, which waits for the whole one above it',
    ])
    assert.deepEqual(remarks(plan.source.ignored), [
      '6: sections without tasks: `Format: `[ID] [P?] [Story] Description``, `Notes`',
      '55: lines with a box but without the number of a task, such as `T001`: `55`',
    ])
  })

  test('converted and read back it is the same plan', () => {
    assertReadBack(plan, 'json')
    assertReadBack(plan, 'yaml')
  })
})

describe('lines of tasks', () => {
  const cases: [name: string, text: string, edges: string[]][] = [
    ['one after the other without [P]', '- [ ] T1 a\n- [ ] T2 b\n- [ ] T3 c', ['t1', 't2 ← t1', 't3 ← t2']],
    ['all at once with it', '- [ ] T1 [P] a\n- [ ] T2 [P] b', ['t1', 't2']],
    [
      'a line follows all [P] lines before it',
      '- [ ] T1 [P] a\n- [ ] T2 [P] b\n- [ ] T3 c',
      ['t1', 't2', 't3 ← t1 t2'],
    ],
    ['what is done in between does not break the order', '- [ ] T1 a\n- [x] T2 b\n- [ ] T3 c', ['t1', 't3 ← t1']],
    ['labels in any order, bold and starred', '* [ ] **T1** [US1] [P] a\n+ [ ] `T2` [P] b', ['t1', 't2']],
    [
      'numbers in brackets',
      '- [ ] [T1] a\n- [x] **[T2]** b\n* [ ] [T3]: [P] c (depends on [T1])\n- [ ] [P] `[T4]` d, after [T1]-[T3]',
      ['t1', 't3 ← t1', 't4 ← t1 t3'],
    ],
    [
      'labels before the number',
      '- [ ] [P] T1 a\n- [ ] [US1] [P] [T2] b\n- [ ] [US1] T3 c',
      ['t1', 't2', 't3 ← t1 t2'],
    ],
    ['a phase that is done is no barrier', '## A\n- [ ] T1 a\n## B\n- [x] T2 b\n## C\n- [ ] T3 c', ['t1', 't3 ← t1']],
    ['deeper headings are phases, too', '## A\n### B\n- [ ] T1 [P] a\n### C\n- [ ] T2 [P] b', ['t1', 't2 ← t1']],
    ['two phases of the same name', '## A\n- [ ] T1 a\n## A\n- [ ] T2 b', ['t1', 't2 ← t1']],
    [
      'dependencies in words',
      '- [ ] T1 [P] a\n- [ ] T2 [P] b\n- [ ] T3 [P] c, depends on T1 and T2.',
      ['t1', 't2', 't3 ← t1 t2'],
    ],
    ['a range', '- [ ] T1 [P] a\n- [ ] T2 [P] b\n- [ ] T3 [P] c (depends on T1–T2)', ['t1', 't2', 't3 ← t1 t2']],
    ['Windows line ends', '- [ ] T1 a\r\n- [ ] T2 b\r\n', ['t1', 't2 ← t1']],
  ]
  for (const [name, text, edges] of cases) test(name, () => assert.deepEqual(edgesOf(read(text)), edges))

  test('where everything is done there is nothing to do, which is no mistake', () => {
    assert.deepEqual(read('- [x] T1 a\n').plan.tasks, [])
  })
})

describe('sections without tasks', () => {
  test('are listed where they say something', () => {
    const plan = read(
      '## A\n- [ ] T1 [P] a\n- [ ] T2 [P] b\n\n## Dependencies\n- Setup first\n- T1 → T2\n\n## Strategy\n### MVP\n1. Setup\n### More\n2. Rest\n\n## Execution order\n- T1 → T2\n## Empty\n',
    )
    assert.deepEqual(remarks(plan.source.ignored), [
      '5: sections without tasks: `Dependencies`, `MVP`, `More`, `Execution order`',
    ])
  })
})

describe('claims of a tasks.md', () => {
  test('a path from elsewhere is neither a claim nor a reason to fail', () => {
    const plan = read('- [ ] T1 Create src/api/users.ts, importing types from `../models/user.ts` and ../x.ts\n')
    assert.deepEqual([taskOf(plan, 't1').claims.write, taskOf(plan, 't1').outside], [['src/api/users.ts'], undefined])
  })

  test('what is struck out is no claim, and no part of one', () => {
    const lines: [line: string, said: string, write: string[]][] = [
      ['T1 ~~src/a.js~~ `src/a.ts` holds it', '~~src/a.js~~ `src/a.ts` holds it', ['src/a.ts']],
      ['T1 Write src/b.ts instead of ~~src/a.js~~', 'Write src/b.ts instead of ~~src/a.js~~', ['src/b.ts']],
      ['T1 **Write** src/b.ts', '**Write** src/b.ts', ['src/b.ts']],
      ['**T1 Write src/b.ts**', 'Write src/b.ts', ['src/b.ts']],
      ['T1 **Write src/b.ts**', 'Write src/b.ts', ['src/b.ts']],
    ]
    for (const [line, said, write] of lines) {
      const { work, claims } = taskOf(read(`- [ ] ${line}\n`), 't1')
      assert.deepEqual([work.kind === 'prompt' && work.prompt.split('\n')[0], claims.write], [said, write], line)
    }
  })

  test('a block of code below a task is no claim', () => {
    const plan = read("- [ ] T1 Create src/a.ts\n\n  ```ts\n  import { b } from './b.ts'\n  ```\n  and src/c.ts\n")
    assert.deepEqual(taskOf(plan, 't1').claims.write, ['src/a.ts', 'src/c.ts'])
  })
})

describe('boxes as people write them', () => {
  const states = (text: string): string[] => read(text).source.entries.map(({ source, state }) => `${source} ${state}`)
  const lines: [line: string, state: string][] = [
    ['1. [ ] T2 x', 'T2 open'],
    ['12) [x] T2 x', 'T2 done'],
    ['* [ ] T2 x', 'T2 open'],
    ['+ [X] T2 x', 'T2 done'],
    ['[ ] T2 x', 'T2 open'],
    ['- [-] T2 x', 'T2 skipped'],
    ['- [~] T2 x', 'T2 open'],
    ['- [/] T2 x', 'T2 open'],
    ['- [?] T2 x', 'T2 open'],
  ]
  for (const [line, state] of lines)
    test(line, () => assert.deepEqual(states(`- [ ] T1 a\n${line}\n- [ ] T3 b\n`), ['T1 open', state, 'T3 open']))

  test('marks besides a space and an x are told, each with its line', () => {
    const plan = read('- [ ] T1 a\n- [-] T2 b\n- [/] T3 c\n- [?] T4 d (depends on T2)\n')
    assert.deepEqual(edgesOf(plan), ['t1', 't3 ← t1', 't4 ← t3'])
    assert.deepEqual(remarks(plan.source.assumed), [
      '2: tasks that are marked `[-]` are left out: `T2`',
      '3: tasks that are marked `[/]` are run from the start: `T3`',
      '4: tasks that are marked `[?]` are run from the start: `T4`',
    ])
  })

  test('what stands in front of the words is no part of them', () => {
    for (const line of ['T1 [P] [US1] Do it', '[T1] [P] [US1] Do it', '[US1] [P] **[T1]**: Do it']) {
      const { title, tags } = taskOf(read(`- [ ] ${line}\n`), 't1')
      assert.deepEqual([title, tags], ['Do it', ['us1']], line)
    }
    // A number whose bracket does not end, and a link, are words.
    assert.deepEqual(read('- [ ] T1 a\n- [ ] [T2 b]\n- [ ] [T3](c.md) d\n').plan.tasks.length, 1)
  })

  test('a task without a box is not run, which is a warning; where it is only spoken of, it is not', () => {
    const plan = read('- [ ] T1 a\n- T2 b\n- [] T3 c\n2. **T4**: d\n- [T5] e\n\n## Dependencies\n- T1 → T9\n')
    assert.deepEqual(edgesOf(plan), ['t1'])
    const help = 'a task to do begins with `- [ ] T001`, one that is done with `- [x] T001`'
    assert.deepEqual(remarks(plan.source.warnings), [
      `2: tasks that are not run (${help}): \`T2\`, \`T3\`, \`T4\`, \`T5\``,
    ])
  })

  test('boxes without a number are counted, with their lines, and told to nobody', () => {
    const plan = read('- [ ] T1 a\n\n# More\n- [ ] b\n- [x] c\n- [ ] T2 d\n')
    assert.deepEqual(remarks(plan.source.ignored), [
      '4: lines with a box but without the number of a task, such as `T001`: `4`, `5`',
    ])
    assert.doesNotMatch(JSON.stringify(plan.plan.tasks), /\[[ x]\] [bc]/)
  })
})

describe('what is wrong with a tasks.md has a place', () => {
  const cases: [text: string, says: string][] = [
    ['- [ ] T1 a\n- [ ] T1 b', 'plan.md:2:7: there are two tasks `T1`; the first is in line 1'],
    ['- [ ] T1 a (depends on T9)', 'plan.md:1:24: task `T1` depends on `T9`, which does not exist'],
    [
      '- [ ] T1 [P] a (depends on T2)\n- [ ] T2 b (depends on T1)',
      'plan.md:1:28: tasks wait for each other: T1 → T2 → T1',
    ],
    ['- [ ] T1 a (depends on T1)', 'plan.md:1:24: task `T1` needs itself'],
    [
      '- [ ] T1 a\n- [ ] T2 b\n- [ ] T3 c (depends on T2-T1)',
      'plan.md:3:24: task `T3` depends on `T2-T1`, which goes backwards',
    ],
  ]
  for (const [text, says] of cases) test(says, () => assert.deepEqual(problemsOf(text), [says]))

  test('a file without tasks', () => {
    assert.match(
      problemsOf('# Tasks\n\n- [ ] TXXX later\n', { format: 'spec-kit' }).join(),
      /^plan\.md:1:1: there are no tasks in it/,
    )
  })
})
