import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimLines, flaggedLines, planFileLines } from '../../../src/cli/status/attention-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { taskOf } from '../../reports/sample.ts'

const list = (...paths: string[]) => ({ paths, count: paths.length })
const changed = (id: string, ...paths: string[]) => taskOf({ id, history: [{ undeclared: list(...paths) }] })

test('in the terminal: who, what, and where to look next', () => {
  const look = {
    cwd: '/repos/shop/docs',
    repeat: '',
    doneInFile: new Set<string>(),
    width: 80,
    palette: palette(false),
  }
  const late = { tasks: [changed('late', 'package.json', 'z')] }
  assert.deepEqual(claimLines({ tasks: [] }, look), [])
  assert.deepEqual(claimLines(late, look), ['! late changed files without a claim: package.json, z'])
  const many = Array.from({ length: 9 }, (_, n) => changed(`t${n}`, '\x1b[31mx'))
  for (const [planFile, word] of [
    ['/repos/shop/docs/plan.yaml', 'plan.yaml'],
    ['/repos/shop/my plan.yaml', "'../my plan.yaml'"],
    ['/etc/plan.yaml', '/etc/plan.yaml'],
  ])
    assert.equal(claimLines({ ...late, planFile }, look)[1], `  \`espalier plan show ${word}\` suggests claims`)
  const repeat = ' --repo ../shop'
  const planFile = '/repos/shop/docs/plan.yaml'
  const lines = claimLines({ tasks: many, planFile }, { ...look, repeat })
  assert.equal(lines.length, 6)
  assert.equal(lines.at(-1), '  … and 4 more; `espalier plan show plan.yaml --repo ../shop` suggests claims')
  assert.ok(!lines.join('').includes('\x1b'))
})

test('claims are not offered for what the plan file calls done', () => {
  const view = { tasks: [changed('late', 'z'), changed('later', 'y')], planFile: '/plan.json' }
  const offers = (...done: string[]) =>
    claimLines(view, { cwd: '/', repeat: '', doneInFile: new Set(done), width: 80, palette: palette(false) }).length ===
    3
  assert.ok(offers() && offers('late') && !offers('late', 'later'))
})

const LOOK = { width: 100, palette: palette(false) }
const flagged = (...paths: string[]) => ({ flagged: { paths, count: paths.length } })

test('in the terminal: who changed what somebody should look at, unless it failed', () => {
  const failure = { reason: 'verify-failed' as const, message: 'npm test' }
  const tasks = [
    taskOf({ id: 'ci', history: [flagged('.github/ci.yml', '\x1b[31m.gitignore')] }),
    taskOf({ id: 'bad', history: [{ ...flagged('.envrc'), failure }] }),
    taskOf({ id: 'good', history: [flagged('.envrc'), {}] }),
  ]
  const lines = flaggedLines({ tasks }, LOOK)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /^! ci changed files that other programs run: \.github\/ci\.yml, /)
  assert.ok(!lines.join('').includes('\x1b'))
  const many = Array.from({ length: 9 }, (_, n) => taskOf({ id: `t${n}`, history: [flagged('.envrc')] }))
  assert.match(flaggedLines({ tasks: many }, LOOK).at(-1) ?? '', /… and 4 more/)
})

const FILES = [{ file: '/shop/plan.json', why: 'it is read-only' }]
const CONFLICTS = [{ file: '/shop/plan.json', task: 'B', message: '`B` is not in it \x1b[31many more' }]

test('in the terminal: what the plan file does not say, one by one up to five', () => {
  const lines = planFileLines({ unwritten: { files: FILES, conflicts: CONFLICTS } }, LOOK)
  assert.equal(lines[0], '! the status of tasks could not be written into /shop/plan.json: it is read-only')
  assert.match(lines[1] ?? '', /^! `B` is not in it .*any more$/)
  assert.ok(!lines.join('').includes('\x1b'))
  assert.deepEqual(planFileLines({}, LOOK), [])
  const many = Array.from({ length: 9 }, () => FILES).flat()
  const cut = planFileLines({ unwritten: { files: many, conflicts: [] } }, LOOK)
  assert.equal(cut.at(-1), '  … and 4 more')
})
