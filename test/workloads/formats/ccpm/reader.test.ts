import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertReadBack } from '../fuzz.ts'
import { edgesOf, problemsOf, read, remarks, taskOf } from '../markdown-read.ts'
import { sample, sampleFolder } from '../sample.ts'

const NOT_PARALLEL = '`parallel: false` adds no order: a task waits for what `depends_on` and `conflicts_with` name'

describe('a folder of ccpm tasks', () => {
  const plan = read(sampleFolder('ccpm-epic'))

  test('dependencies are needs; conflicts are kept apart', () => {
    assert.equal(plan.source.format, 'ccpm')
    assert.equal(plan.plan.objective, 'share-by-link')
    assert.deepEqual(edgesOf(plan), ['task-002', 'task-003 ← (task-002)', 'task-004 ← task-002', 'task-005'])
  })

  test('what is closed is done, what was begun is begun again', () => {
    assert.equal(plan.source.entries.find(({ source }) => source === '001')?.state, 'done')
    assert.deepEqual(remarks(plan.source.assumed), [
      'ccpm-epic/003.md:3: tasks that are `in-progress` are run from the start: `003`',
      `ccpm-epic/004.md:5: ${NOT_PARALLEL}`,
    ])
    assert.deepEqual(remarks(plan.source.ignored), ['ccpm-epic/002.md:8: fields at the top of a task: `effort`'])
  })

  test('the whole text is the prompt', () => {
    const { title, work } = taskOf(plan, 'task-002')
    assert.equal(title, 'Make a link')
    assert.match(
      work.kind === 'prompt' ? work.prompt : '',
      /^# Task: Make a link[\s\S]*Two links are never the same\n\n## What this is part of\n\n# Epic: share-by-link$/,
    )
  })

  test('converted and read back it is the same plan', () => {
    assertReadBack(plan, 'json')
    assertReadBack(plan, 'yaml')
  })

  test('one file alone: what it depends on is taken as done', () => {
    const alone = read([sample('ccpm-epic/004.md')])
    assert.deepEqual(edgesOf(alone), ['task-004'])
    assert.deepEqual(remarks(alone.source.assumed), [
      '4: tasks that are in other files are taken as done: `2`',
      `5: ${NOT_PARALLEL}`,
    ])
  })
})

describe('tasks of ccpm', () => {
  const task = (name: string, fields: string) => ({
    file: `e/${name}.md`,
    text: `---\nname: ${name}\nparallel: true\n${fields}\n---\nDo it.\n`,
  })
  const alone = (name: string, fields = '') => ({
    file: `e/${name}.md`,
    text: `---\nname: x\nparallel: false\n${fields}\n---\n`,
  })

  test('one that is not parallel waits for what it names, and nothing else', () => {
    const plan = read([task('1', ''), alone('2'), task('3', ''), alone('4', 'depends_on: [1]'), alone('5')])
    assert.deepEqual(edgesOf(plan), ['task-1', 'task-2', 'task-3', 'task-4 ← task-1', 'task-5'])
    assert.deepEqual(remarks(plan.source.assumed), [`e/2.md:3: ${NOT_PARALLEL}`])
  })

  test('control characters are refused', () =>
    assert.match(problemsOf([task('1', 'a: \u0008')]).join(), /^e\/1\.md:4:4: this holds the control character 08/))

  const lists = ['[1]', '1', '"1"', '"001.md"', '["#1"]', '[001]', '"Task 1"']
  for (const list of lists)
    test(`depends_on: ${list}`, () =>
      assert.deepEqual(edgesOf(read([task('001', ''), task('2', `depends_on: ${list}`)])), [
        'task-001',
        'task-2 ← task-001',
      ]))

  for (const name of ['dependencies', 'blocked_by', 'dependsOn', 'needs'])
    test(`${name} is depends_on`, () => {
      const plan = read([task('1', ''), task('2', `${name}: [1]`)])
      assert.deepEqual(edgesOf(plan), ['task-1', 'task-2 ← task-1'])
      assert.deepEqual(remarks(plan.source.ignored), [])
    })

  for (const wait of ['depends_on: waiting for legal', 'blocked_by: [PostgreSQL]', 'blocked_by: [9]'])
    test(`${wait} is a warning`, () => {
      for (const tasks of [[task('1', ''), task('2', wait)], [task('2', wait)]]) {
        const plan = read(tasks)
        assert.equal(edgesOf(plan).at(-1), 'task-2')
        assert.match(remarks(plan.source.warnings).join(), /^(?:e\/2.md:)?4: `\w+` names `.*`, which is no task here/)
      }
    })

  test('brackets behind a name explain it', () =>
    assert.deepEqual(edgesOf(read([task('1', ''), task('2', 'depends_on: ["1 (the table)"]')])), [
      'task-1',
      'task-2 ← task-1',
    ]))

  test('what need be no task is named and not refused', () => {
    const plan = read([task('1', ''), task('2', 'dependencies: [express, 1]')])
    assert.deepEqual(edgesOf(plan), ['task-1', 'task-2 ← task-1'])
    assert.deepEqual(remarks(plan.source.warnings), [
      'e/2.md:4: `dependencies` names `express`, which is no task here: nothing waits for it',
    ])
  })

  test('what was cancelled is not run, and nothing waits for it', () => {
    const plan = read([task('1', 'status: cancelled'), task('2', 'depends_on: [1]')])
    assert.deepEqual(edgesOf(plan), ['task-2'])
    assert.equal(plan.source.entries[0]?.state, 'skipped')
    assert.deepEqual(remarks(plan.source.assumed), [
      'e/1.md:4: tasks that are `cancelled` are left out: `1`',
      'e/2.md:4: nothing waits for tasks that are left out: `1`',
    ])
  })

  test('conflicts never close a circle, whatever they are between', () => {
    const files = [
      task('1', 'depends_on: [3]\nconflicts_with: [2, 3]'),
      task('2', 'conflicts_with: [1, 3]'),
      task('3', 'depends_on: [2]\nconflicts_with: [1, 2]'),
    ]
    assert.deepEqual(edgesOf(read(files)), ['task-1 ← task-3 (task-2)', 'task-2', 'task-3 ← task-2'])
  })

  test('a name may hold what means something else in YAML', () => {
    for (const name of ['Login: the form', '"Sign in" button', "Don't #1: 'quote'", '@mention [x]']) {
      const file = { file: 'e/1.md', text: `---\nname: ${name}\nparallel: true\n---\n` }
      assert.equal(taskOf(read([file]), 'task-1').title, name)
    }
    const quoted = { file: 'e/1.md', text: '---\nname: "a \\"b\\""\nparallel: true\n---\n' }
    assert.equal(taskOf(read([quoted]), 'task-1').title, 'a "b"')
  })

  test('it is called as its epic, or as its folder', () => {
    assert.equal(read([task('1', ''), task('2', '')]).plan.name, 'e')
    assert.equal(read([{ file: 'epics/pay-later/001.md', text: task('1', '').text }]).plan.name, 'pay-later')
    const epic = { file: 'e/epic.md', text: '---\nname: Share "by" link\n---\n' }
    const named = read([epic, task('1', '')]).plan
    assert.deepEqual([named.name, named.objective], ['share-by-link', 'Share "by" link'])
  })

  test('what the epic says is told; an analysis beside a task is not part of the plan', () => {
    const epic = { file: 'e/epic.md', text: '---\nname: Links\n---\nNo cookies.\n' }
    const analysis = { file: 'e/1-analysis.md', text: '---\nissue: 1\n---\nTwo streams.\n' }
    const plan = read([task('1', ''), analysis, epic])
    const { work } = taskOf(plan, 'task-1')
    assert.equal(work.kind === 'prompt' ? work.prompt : '', '1\n\nDo it.\n\n## What this is part of\n\nNo cookies.')
    assert.deepEqual(remarks(plan.source.ignored), ["e/1-analysis.md:1: this file is not one of ccpm's task files"])
  })

  test('a name that stands above the text as well is told once', () => {
    const prompt = (body: string) => {
      const { work } = taskOf(
        read([{ file: '1.md', text: `---\nname: Log in\nparallel: true\n---\n${body}\n` }]),
        'task-1',
      )
      return work.kind === 'prompt' ? work.prompt : ''
    }
    assert.equal(prompt('# Task: Log in\n\nDo.'), '# Task: Log in\n\nDo.')
    assert.equal(prompt('# Log out'), 'Log in\n\n# Log out')
  })

  const cases: [name: string, files: ReturnType<typeof task>[], says: string][] = [
    [
      'a need that is missing',
      [task('1', ''), task('2', 'depends_on: [7]')],
      'e/2.md:4:14: task `2` depends on `7`, which does not exist',
    ],
    [
      'a conflict that is missing',
      [task('1', ''), task('2', 'conflicts_with: [7]')],
      'e/2.md:4:18: task `2` conflicts with `7`, which does not exist',
    ],
    [
      'a circle',
      [task('1', 'depends_on: [2]'), task('2', 'depends_on: [1]')],
      'e/1.md:4:14: tasks wait for each other: 1 → 2 → 1',
    ],
    [
      'fields that are no YAML',
      [task('1', ''), task('2', 'a: b: c')],
      'e/2.md:4:4: this is not valid YAML: nested mappings are not allowed in compact mappings',
    ],
  ]
  for (const [name, files, says] of cases) test(name, () => assert.deepEqual(problemsOf(files), [says]))
})
