import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatProblem } from '../../../../src/problem.ts'
import { assertReadBack } from '../fuzz.ts'
import { edgesOf, problemsOf, read, remarks, taskOf } from '../markdown-read.ts'
import { sample, sampleFolder } from '../sample.ts'

describe('a folder of GSD plans', () => {
  const plan = read(sampleFolder('gsd-phase'))

  test('a wave waits for the one before, the tasks of a plan follow each other', () => {
    assert.equal(plan.source.format, 'gsd-plan')
    assert.deepEqual(edgesOf(plan), [
      'task-02-01-1',
      'task-02-01-2 ← task-02-01-1',
      'task-02-02-1',
      'task-02-03-1 ← task-02-01-2 task-02-02-1',
      'task-02-03-3 ← task-02-03-1',
    ])
  })

  test('a plan with a summary is done; what is elsewhere is taken as done, and told', () => {
    assert.equal(plan.source.entries.find(({ source }) => source === '02-00-1')?.state, 'done')
    assert.deepEqual(remarks(plan.source.assumed), [
      'gsd-phase/02-01-PLAN.md:6: plans that are not among these files are taken as done: `01-03`',
      'gsd-phase/02-02-PLAN.md:21: tasks whose verification has words besides commands, which are told to the agent and not run: `02-02-1`',
    ])
  })

  test('a checkpoint is for a person: left out, told, and part of the next prompt', () => {
    assert.deepEqual(plan.warnings.map(formatProblem), [
      'gsd-phase/02-03-PLAN.md:24:1: warning: tasks for a person: nobody is asked, and the tasks behind them do not wait: `02-03-2`',
    ])
    const { work } = taskOf(plan, 'task-02-03-3')
    assert.match(work.kind === 'prompt' ? work.prompt : '', /asks a person[\s\S]*Search for "milk" and look/)
  })

  test('files, commands, and all of the words', () => {
    const first = taskOf(plan, 'task-02-01-1')
    assert.deepEqual(first.claims.write, ['src/index/tokens.ts', 'test/tokens.test.ts'])
    assert.deepEqual(first.verify, ['npm test -- tokens'])
    const last = taskOf(plan, 'task-02-01-2')
    assert.deepEqual(last.verify, ['npm test -- index'])
    assert.deepEqual(last.claims.write, [
      'src/index/build.ts',
      'src/index/tokens.ts',
      '.planning/phases/02-search/02-01-SUMMARY.md',
    ])
    const prompt = last.work.kind === 'prompt' ? last.work.prompt : ''
    for (const words of [
      'Write `build(notes)`',
      'All notes are in it',
      'less than 50 ms',
      '02-01-SUMMARY.md',
      'truths:\n  - A note is found by any word',
      '@src/model/note.ts',
    ])
      assert.ok(prompt.includes(words), words)
  })

  test('converted and read back it is the same plan', () => {
    assertReadBack(plan, 'json')
    assertReadBack(plan, 'yaml')
  })
})

describe('one GSD plan alone', () => {
  const head = (more = ''): string => `---\nphase: 01-x\nplan: 02\n${more}---\n`

  test('what it depends on is taken as done', () => {
    const plan = read([sample('gsd-phase/02-03-PLAN.md')])
    assert.deepEqual(edgesOf(plan), ['task-02-03-1', 'task-02-03-3 ← task-02-03-1'])
    assert.deepEqual(remarks(plan.source.assumed), [
      '6: plans that are not among these files are taken as done: `02-01`, `02`',
    ])
  })

  describe('how a task is verified', () => {
    const of = (verify: string) => {
      const plan = read(`${head()}<task>\n<name>A</name>\n<verify>\n${verify}\n</verify>\n</task>\n`)
      return { verify: taskOf(plan, 'task-01-02-1').verify, said: remarks(plan.source.assumed) }
    }
    const cases: [verify: string, commands: string[], said: string[]][] = [
      ['<automated>grep -q "&amp;" a.html</automated>', ['grep -q "&amp;" a.html'], []],
      ['grep -q "&amp;" a.html', ['grep -q "&amp;" a.html'], []],
      ['<automated>pytest -k exists</automated>', ['pytest -k exists'], []],
      ['<automated>npm test</automated>\nnpm run build', ['npm test', 'npm run build'], []],
      [
        '<automated>MISSING — write the test first</automated>\nnpm run build\nThe page opens.',
        ['npm run build'],
        ['8: tasks whose verification has words besides commands, which are told to the agent and not run: `01-02-1`'],
      ],
      [
        '<automated>grep -c "foo" src/a.ts returns 0</automated>',
        [],
        ['8: `grep -c "foo" src/a.ts returns 0` is told to the agent, not run as a check: it is words, not a command'],
      ],
      [
        '<automated>git push</automated>',
        [],
        [
          '8: `git push` is told to the agent, not run as a check: it is not among the commands known to test, lint or build; `checks: ["git push"]` in .espalier/config.yaml runs it',
        ],
      ],
    ]
    for (const [verify, commands, said] of cases)
      test(verify, () => assert.deepEqual(of(verify), { verify: commands, said }))
  })

  test('a letter that is two in lower case moves nothing', () => {
    const text = '---\nphase: 1\nplan: 1\n---\n<task><name>İİ</NAME><action>x</action></task>\n'
    const { plan } = read([{ file: '01-01-PLAN.md', text }])
    assert.deepEqual(
      plan.tasks.map(({ title }) => title),
      ['İİ'],
    )
  })

  test('all blocks and the words between them reach the agent; a checkpoint at the end is only named', () => {
    const plan = read(
      `---
phase: 01-auth
plan: 01
---
<objective>O</objective>

Words between.

<tasks>
Words among tasks.
<task type="auto">
  <name>A</name>
  <files>
    src/a.ts (new),
    src/b.ts,
  </files>
  <read_first>src/old.ts</read_first>
  <action>Do A</action>
  <verify><automated>npm run build (no errors)</automated></verify>
</task>
<task type="auto">
  <name>B</name>
  <action>Do B</action>
  <verify>npm run build succeeds, and \`npm test -- index\` passes</verify>
</task>
<task type="checkpoint:human-verify">Look at the page.</task>
</tasks>
<threat_model>Spoofing is mitigated</threat_model>
<interfaces>type User</interfaces>
`,
    )
    const [first, second] = ['task-01-01-1', 'task-01-01-2'].map((id) => taskOf(plan, id))
    const prompts = [first, second].map((task) => (task?.work.kind === 'prompt' ? task.work.prompt : ''))
    for (const words of ['Words between.', 'Words among tasks.', 'Threat model:\nSpoofing', 'Interfaces:\ntype User'])
      for (const prompt of prompts) assert.ok(prompt.includes(words), words)
    assert.match(prompts[0] ?? '', /## Read first\n\nsrc\/old.ts/)
    assert.doesNotMatch(prompts[0] ?? '', /automated>|Look at the page/)
    assert.match(remarks(plan.source.warnings).join(), /tasks for a person: .*`01-01-3`/)
    assert.deepEqual(first?.claims.write, ['src/a.ts', 'src/b.ts'])
    assert.deepEqual(first?.verify, [])
    assert.deepEqual(second?.verify, [])
    assert.deepEqual(remarks(plan.source.assumed), [
      '19: `npm run build (no errors)` is told to the agent, not run as a check: it is no plain list of commands; `checks: ["npm run build (no errors)"]` in .espalier/config.yaml runs it',
      '24: tasks whose verification has words besides commands, which are told to the agent and not run: `01-01-2`',
    ])
  })

  test('tags in a code block are code', () => {
    const code = '```html\n<task>\n</task>\n</action>\n<name>\n```'
    const plan = read(`${head()}<task>\n<name>a</name>\n<action>\n${code}\n</action>\n</task>\n\n${code}\n`)
    assert.deepEqual(edgesOf(plan), ['task-01-02-1'])
    const { work } = taskOf(plan, 'task-01-02-1')
    assert.ok(work.kind === 'prompt' && work.prompt.includes(code))
  })

  test('one without tasks is one task', () => {
    const plan = read(`${head('type: tdd\nfiles_modified: [src/a.ts]\n')}\n<feature>\nAdd it.\n</feature>\n`)
    assert.deepEqual(edgesOf(plan), ['task-01-02-1'])
    assert.deepEqual(taskOf(plan, 'task-01-02-1').claims.write, ['src/a.ts'])
  })

  const cases: [text: string, says: string][] = [
    [`${head()}\n<task>\n<name>a</name>\n`, 'plan.md:6:1: `<task>` begins here and has no `</task>`'],
    [`${head()}<task><name>a</task>`, 'plan.md:5:7: `<name>` begins here and has no `</name>`'],
    [`${head('wave: soon\n')}`, 'plan.md:4:7: `wave` must be a whole number, not the string `soon`'],
    [`${head('depends_on: [[1]]\n')}`, 'plan.md:4:14: `depends_on` must hold names, not a list'],
    [`${head('plan: 3\n')}`, 'plan.md:4:1: `plan` is here a second time; the first is in line 3'],
  ]
  for (const [text, says] of cases) test(says, () => assert.deepEqual(problemsOf(text), [says]))
})

describe('plans that depend on plans', () => {
  const plan = (phase: string, number: string, more: string) => ({
    file: `p/${phase}-${number}-PLAN.md`,
    text: `---\nphase: ${phase}-name\nplan: ${number}\n${more}\n---\n<task><name>Do</name><action>It</action></task>\n`,
  })
  const waits = (...files: ReturnType<typeof plan>[]): string[] => edgesOf(read(files))

  const names = ['"01-01"', '01', '"1"', '01-01-PLAN.md']
  for (const name of names)
    test(`called ${name}`, () =>
      assert.deepEqual(waits(plan('01', '01', ''), plan('01', '02', `depends_on: [${name}]`)), [
        'task-01-01-1',
        'task-01-02-1 ← task-01-01-1',
      ]))

  test('a number that holds that of its phase: the file is what others name', () => {
    const files = ['01', '02'].map((n) => ({
      file: `p/04-${n}-PLAN.md`,
      text: `---\nphase: 04-x\nplan: 04-${n}\ndepends_on: ${n === '01' ? '[]' : '[04-01]'}\n---\n<task><name>Do</name></task>\n`,
    }))
    assert.deepEqual(edgesOf(read(files)), ['task-04-04-01-1', 'task-04-04-02-1 ← task-04-04-01-1'])
  })

  test('phases come one after the other, wave by wave', () => {
    const files = [
      plan('01', '01', 'wave: 1'),
      plan('01', '02', 'wave: 2'),
      plan('02', '01', 'wave: 1'),
      plan('02', '02', 'wave: 1'),
    ]
    assert.deepEqual(waits(...files), [
      'task-01-01-1',
      'task-01-02-1 ← task-01-01-1',
      'task-02-01-1 ← task-01-02-1',
      'task-02-02-1 ← task-01-02-1',
    ])
  })

  test('they are called as their folder, one alone as its phase and number', () => {
    assert.equal(read([plan('01', '01', ''), plan('01', '02', '')]).plan.name, 'p')
    assert.equal(read([plan('01', '02', '')]).plan.name, '01-name-02')
  })

  test('one that is missing in this phase, twice the same, a circle', () => {
    assert.deepEqual(problemsOf([plan('01', '01', ''), plan('01', '02', 'depends_on: ["01-07"]')]), [
      'p/01-02-PLAN.md:4:14: there is no plan `01-07` in this phase to depend on',
    ])
    assert.deepEqual(problemsOf([plan('01', '01', ''), { ...plan('01', '01', ''), file: 'p/again.md' }]), [
      'p/again.md:1:1: there are two plans `01-01`; the first is p/01-01-PLAN.md',
    ])
    assert.deepEqual(problemsOf([plan('01', '01', 'depends_on: [02]'), plan('01', '02', 'depends_on: [01]')]), [
      'p/01-01-PLAN.md:4:14: plans wait for each other: 01-01 → 01-02 → 01-01',
    ])
  })
})

test('a task for a person is left out, and told to the one behind it', () => {
  const steps = ['type="auto"><name>a', 'type="manual"><name>press the button', 'type="auto"><name>d']
  const tasks = steps.map((step) => `<task ${step}</name><action>x</action></task>\n`)
  const plan = read(`---\nphase: 01-x\nplan: 01\n---\n<tasks>\n${tasks.join('')}</tasks>\n`)
  assert.deepEqual(edgesOf(plan), ['task-01-01-1', 'task-01-01-3 ← task-01-01-1'])
  assert.match(remarks(plan.source.warnings).join(), /^7: tasks for a person: nobody is asked, .*: `01-01-2`$/)
  const { work } = taskOf(plan, 'task-01-01-3')
  assert.match(
    work.kind === 'prompt' ? work.prompt : '',
    /asks a person \(nobody was asked\)\n\n<name>press the button/,
  )
})
