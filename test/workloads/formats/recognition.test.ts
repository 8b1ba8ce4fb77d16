import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { KNOWN_FORMATS } from '../../../src/workloads/formats/known-formats.ts'
import { readPlanFiles } from '../../../src/workloads/plan/read.ts'
import { planText } from '../../../src/workloads/plan/text.ts'
import { openSource, type PlanFile, type SourceOptions } from '../../../src/workloads/plan/translate-format.ts'
import { assertReadBack } from './fuzz.ts'
import { sample, sampleFolder } from './sample.ts'

const SAMPLES: [format: string, files: PlanFile[]][] = [
  ['implementation-plan', [sample('implementation_plan.json')]],
  ['work-queue', [sample('work_queue.json')]],
  ['epics-and-tasks', [sample('epics-and-tasks.json')]],
  ['task-master', [sample('task-master.json')]],
  ['beads', [sample('issues.jsonl')]],
  ['batch-plan', [sample('batch-plan.md')]],
  ['spec-kit', [sample('tasks.md')]],
  ['gsd-plan', sampleFolder('gsd-phase')],
  ['ccpm', sampleFolder('ccpm-epic')],
]

function formatOf(files: readonly PlanFile[], options: SourceOptions = {}): string {
  const opened = openSource(files, 'plan', options)
  return opened.ok ? opened.value.format : opened.problems.map(formatProblem).join('\n')
}

function read(files: readonly PlanFile[], options: SourceOptions = {}) {
  const result = readPlanFiles(files, 'plan', DEFAULT_SETTINGS, options)
  assert.ok(result.ok, result.ok ? '' : result.problems.map(formatProblem).join('\n'))
  return result.value
}

describe('every format', () => {
  test('has a sample here', () => {
    assert.deepEqual(SAMPLES.map(([format]) => format).sort(), KNOWN_FORMATS.map(({ name }) => name).sort())
  })
  for (const [format, files] of SAMPLES) {
    test(`${format}: is recognised by what is in it`, () => {
      assert.equal(formatOf(files), format)
      // Where there is a file per task, their names are what the tasks are called.
      if (files.length === 1)
        assert.equal(formatOf(files.map(({ file, text }) => ({ file: file.replace(/\.[a-z]+$/, ''), text }))), format)
    })
    test(`${format}: a byte order mark and other line ends change nothing`, () => {
      const other = files.map(({ file, text }) => ({ file, text: `\ufeff${text.replaceAll('\n', '\r\n')}` }))
      assert.deepEqual(
        read(other).plan.tasks.map(({ id, needs, after }) => [id, needs, after]),
        read(files).plan.tasks.map(({ id, needs, after }) => [id, needs, after]),
      )
    })
    test(`${format}: converted and read back, it is the same plan`, () => {
      const plan = read(files)
      assertReadBack(plan, 'json')
      assertReadBack(plan, 'yaml')
      for (const as of ['yaml', 'json'] as const) {
        const text = planText(plan.source, as)
        assert.ok(text.ok)
        const again = read([{ file: `plan.${as}`, text: text.value }])
        assert.equal(again.source.format, 'espalier')
        assert.deepEqual(again.plan.tasks, plan.plan.tasks)
        assert.deepEqual(again.settings, plan.settings)
      }
    })
    test(`${format}: is what \`format\` says, also where it is not recognised`, () => {
      assert.equal(formatOf(files, { format }), format)
      const wrong = openSource([{ file: 'x.json', text: '{"a": [1]}' }], 'x.json', { format })
      assert.ok(!wrong.ok && wrong.problems.every(({ line }) => line !== null))
    })
  }
})

describe("Espalier's own plan", () => {
  const task = { id: 'a', title: 'A', prompt: 'Do a', status: 'pending', dependencies: [], done: false, epic_id: 1 }
  const own: [name: string, file: PlanFile][] = [
    ['YAML', { file: 'plan.yaml', text: 'tasks:\n  - {id: a, run: "true"}\n' }],
    ['YAML without an extension', { file: 'plan', text: 'tasks:\n  - {id: a, run: "true"}\n' }],
    ['JSON with fields of others', { file: 'plan.json', text: JSON.stringify({ tasks: [task] }) }],
    [
      'JSON with a task that lacks its prompt',
      { file: 'p.json', text: '{"tasks": [{"id": "a", "run": "x"}, {"id": "b", "title": "B", "description": "?"}]}' },
    ],
    ['YAML in a line', { file: 'plan', text: '{tasks: [{id: a, run: x}]}' }],
  ]
  for (const [name, file] of own) test(name, () => assert.equal(formatOf([file]), 'espalier'))
  test('a prompt may hold a plan of another format', () => {
    const prompt = sample('batch-plan.md').text.replaceAll('\n', '\n      ')
    assert.equal(formatOf([{ file: 'plan', text: `tasks:\n  - id: a\n    prompt: |\n      ${prompt}\n` }]), 'espalier')
  })
})

describe('what is not recognised', () => {
  test('is told first what is wrong, then what such a file could be', () => {
    const cases: [file: string, text: string, kinds: string[]][] = [
      ['notes.md', 'Some words.\n', ['markdown']],
      ['x.json', '[1]', ['json']],
      ['package.json', '{"name": "x", "scripts": {"tasks:all": ""}}', ['json']],
      ['x.jsonl', 'words\n', ['json']],
      ['x', 'Some words.\n', ['json', 'markdown']],
    ]
    for (const [file, text, kinds] of cases) {
      const [first, ...lines] = formatOf([{ file, text }]).split('\n')
      assert.match(first ?? '', new RegExp(`^${file}:1:1: this is not a plan that is known here\\. `))
      const expected = KNOWN_FORMATS.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
      const own = kinds.includes('json') ? ['espalier'] : []
      assert.deepEqual(
        lines.slice(0, kinds.includes('json') ? -1 : -2).map((line) => line.trim().split(' ', 1)[0]),
        [...own, ...expected],
      )
      for (const line of lines) assert.ok(line.length <= 120, line)
    }
  })

  const similar: [name: string, file: string, text: string, says: RegExp][] = [
    ['phases without anything in them', 'p.json', '{"phases": []}', /^p\.json:1:1: there are no subtasks in it: an/],
    ['phases that are no list', 'p.json', '{"phases": {}}', /^p\.json:1:12: `phases` must be a list, not a mapping/],
    ['no features', 'q.json', '{"features": []}', /^q\.json:1:1: there are no features in it: a work queue has/],
    ['a tag without tasks', 't.json', '{"master": {"tasks": []}}', /no tasks in it: Task Master /],
    ['tasks of Task Master', 't.json', '{"tasks": [{"id": 1}]}', /^t\.json:1:12: this task has no `title` or/],
    ['epics alone', 'e.json', '{"epics": [{"id": 1}]}', /^e\.json:1:1: there are no tasks in it: next to `epics`/],
    [
      'issues without a title',
      'i.jsonl',
      '{"id": "a-1"}\n{"id": "a-2"}\n',
      /^i\.jsonl:1:1: this issue has no `title` or/,
    ],
    ['a batch without tasks', 'b.md', '## Batch 1: x\n', /^b\.md:1:1: no batch of this plan has a task: a task/],
    ['tasks without a batch', 'b.md', '### Task 1.1: x\n', /^b\.md:1:1: task `1\.1` stands under no batch/],
    ['boxes without numbers', 't.md', '- [ ] Do it\n', /^t\.md:1:1: there are no tasks in it: a task is a line/],
    ['a plan of GSD without its number', '01-01-PLAN.md', '---\nphase: 1\n---\n', /`plan` is missing in the fields/],
    [
      'a plan with tasks and no batch',
      'docs/plans/2026-01-01-login-plan.md',
      '### Task 1.1: x\n',
      /read as batch plan in Mark/,
    ],
    ['the epic of ccpm', 'epic.md', '---\nname: x\n---\n', /^epic\.md:1:1: this tells about the epic .* the folder/],
  ]
  for (const [name, file, text, says] of similar)
    test(`${name}: what is missing is said in the words of the format`, () => {
      const said = formatOf([{ file, text }])
      assert.match(said, says)
      assert.match(said, /: it was read as .*, which it looks most like; `--format` says what else it is$/)
    })

  test('Task Master without any status can be read all the same', () => {
    const { source, plan } = read([{ file: 't.json', text: '{"tasks": [{"id": 1, "title": "x"}]}' }])
    assert.equal(source.format, 'task-master')
    assert.equal(plan.tasks.length, 1)
  })

  test('a plan of the own format with mistakes stays one', () => {
    assert.match(formatOf([{ file: 'p.json', text: '{"taks": []}' }]), /^espalier$/)
    assert.match(formatOf([{ file: 'p.json', text: '{"tasks": [{"id": "a", "title": "x"}]}' }]), /^espalier$/)
  })

  test('JSON that is broken says where, whatever it was to be', () => {
    const text = sample('implementation_plan.json').text.replace('"phases": [', '"phases": [,')
    assert.equal(
      formatOf([{ file: 'implementation_plan.json', text }]),
      'implementation_plan.json:7:14: a value is expected here',
    )
  })
  test('UTF-16 is named as such, with a byte order mark or without, whatever the file is called', () => {
    const text = '# Plan\n\n## Batch 1: x\n### Task 1.1: y\n'
    const little = Buffer.from(text, 'utf16le')
    for (const bytes of [little, Buffer.from(little).swap16(), Buffer.concat([Buffer.from([0xff, 0xfe]), little])])
      for (const file of ['plan.md', 'plan.json', 'plan.yaml'])
        assert.equal(
          formatOf([{ file, text: bytes.toString('utf8') }]),
          `${file}:1:1: this is UTF-16: save it as UTF-8`,
        )
  })

  test('a format nobody knows, and parts of what has none', () => {
    assert.equal(
      formatOf([sample('work_queue.json')], { format: 'work-que' }),
      `there is no format \`work-que\`; did you mean \`work-queue\`?; known: ${['espalier', ...KNOWN_FORMATS.map(({ name }) => name)].join(', ')}`,
    )
    assert.match(formatOf([sample('work_queue.json')], { part: '1' }), /`--part` has no meaning for work queue JSON$/)
    assert.match(
      formatOf([{ file: 'p.yaml', text: 'tasks: []' }], { part: '1' }),
      /no meaning for Espalier's own plan$/,
    )
  })
})

describe('a folder or several files', () => {
  const readme = { file: 'README.md', text: '# Read me\n' }
  test('the only plan among them', () => {
    assert.equal(formatOf([readme, sample('implementation_plan.json')]), 'implementation-plan')
    assert.equal(formatOf([readme, { file: 'espalier.yaml', text: 'tasks:\n  - {id: a, run: x}\n' }]), 'espalier')
  })
  test('two plans are one too many, none is none', () => {
    assert.equal(
      formatOf([sample('work_queue.json'), sample('task-master.json')]),
      'plan: these are 2 plans (work_queue.json, task-master.json): name one',
    )
    assert.match(formatOf([readme, { file: 'x.md', text: 'x' }]), /^plan: there is no plan in it$/)
    assert.equal(formatOf([]), 'plan: there is no file in it that could be a plan')
  })
  test('one file per task: what is not one of them is named', () => {
    const { source } = read([...sampleFolder('ccpm-epic'), readme])
    assert.ok(source.ignored.some(({ place }) => place.file === 'README.md'))
  })
})
