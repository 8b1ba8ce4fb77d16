// `plan show` and `plan simulate` as a whole: what they print, what they write, and how they refuse.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runProgram } from '../../../src/cli/program.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { Summary } from '../../../src/reports/summary.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { answerIn } from '../../rig/recorded-page.ts'
import { makeRepository } from '../../rig/repository.ts'
import { FakeTerminal } from '../fake-terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'espalier-plan-'))
after(() => rmSync(folder, { recursive: true }))

writeFileSync(
  join(folder, 'espalier.yaml'),
  `
name: shop
maxConcurrency: 2
tasks:
  - {id: a, run: x, estimate: 2m, estimateUsd: 1}
  - {id: b, run: x, estimate: 5m, claims: [src]}
  - {id: c, run: x, estimate: 2m, needs: [a], claims: [src/c.ts]}
  - {id: d, run: x, needs: [c]}
`,
)

async function espalier(...args: string[]) {
  const [out, err] = [new FakeTerminal(100_000), new FakeTerminal(200)]
  const plain = { outPalette: palette(false), errPalette: palette(false) }
  const surroundings = { out: out.output, err: err.output, env: {}, cwd: folder, home: folder, live: false, ...plain }
  const status = await runProgram(['node', 'espalier', 'plan', ...args], '1.2.3', surroundings)
  return { status, out: out.screen.join('\n'), err: err.screen.join('\n') }
}

test('plan show --json has all of it', async () => {
  const { status, out } = await espalier('show', '--json')
  assert.equal(status, 0)
  const shown = JSON.parse(out)
  assert.deepEqual(Object.keys(shown), [
    ...[
      'version',
      'name',
      'objective',
      'tasks',
      'edges',
      'criticalPath',
      'totalMs',
      'busiestClaim',
      'lowerBoundMs',
      'slots',
    ],
    ...['estimated', 'conflicts', 'conflictCount', 'conflictsComplete', 'batches', 'waves', 'epics', 'never'],
    ...['done', 'estimates', 'learnedClaims'],
  ])
  assert.deepEqual(shown.batches[1], { number: 2, tasks: ['c'], waitsFor: ['a'] })
  assert.deepEqual(shown.conflicts, [{ a: 'b', b: 'c', paths: ['src', 'src/c.ts'] }])
  assert.deepEqual(shown.estimates, { plan: 3, history: 0, unknown: 1, assumedMs: shown.estimates.assumedMs })
  assert.ok(shown.estimates.assumedMs > 0)
})

test('plan show in a folder outside of git is text for people', async () => {
  const { status, out, err } = await espalier('show', '-j', '4')
  assert.deepEqual([status, err], [0, ''])
  assert.match(out, /^shop {2}4 tasks[\s\S]*At best with -j 4[\s\S]*Critical path[\s\S]*Batches[\s\S]*3 from the plan/)
})

test('plan show --mermaid prints a drawing', async () => {
  const { status, out } = await espalier('show', '--mermaid')
  assert.equal(status, 0)
  assert.match(out, /^flowchart LR\n[\s\S]* {2}t2 --> t3\n[\s\S]*class t0,t2,t3 critical/)
})

test('a drawing with more edges than most programs draw comes with a word about it', async () => {
  const chain = Array.from({ length: 502 }, (_, n) => ({ id: `t${n}`, run: 'x', needs: n === 0 ? [] : [`t${n - 1}`] }))
  writeFileSync(join(folder, 'long.json'), JSON.stringify({ tasks: chain }))
  const { status, err } = await espalier('show', 'long.json', '--mermaid')
  assert.equal(status, 0)
  assert.match(err, /at most 500 arrows, and this has 501; --html/)
})

for (const command of ['show', 'simulate']) {
  test(`plan ${command} --html writes a page, also into a new folder, and says where`, async () => {
    const { status, out } = await espalier(command, '--html', `pages/${command}.html`)
    const file = join(folder, 'pages', `${command}.html`)
    assert.deepEqual([status, out.trim()], [0, file])
    assert.match(readFileSync(file, 'utf8'), /^<!doctype html>[\s\S]*shop[\s\S]*<\/html>\n$/)
  })

  test(`plan ${command} --html - is stdout`, async () => {
    const { status, out } = await espalier(command, '--html', '-')
    assert.equal(status, 0)
    assert.match(out, /^<!doctype html>/)
    assert.ok(!existsSync(join(folder, '-')))
  })

  test(`plan ${command} --html without a file: to the state folder, and its place is printed`, async () => {
    const outside = await espalier(command, '--html')
    assert.equal(outside.status, 2)
    assert.match(outside.err, /^outside of a git repository .* name a file, as in --html /)
    await using repository = await makeRepository({ files: { 'shop.yaml': 'tasks: [{id: a, run: x}]' } })
    const plan = join(repository.top, 'shop.yaml')
    const { status, out } = await espalier(command, plan, '--html', '--repo', repository.top)
    const kind = command === 'show' ? 'plan' : 'simulation'
    const file = repository.at('repo.espalier', 'reports', `shop.${kind}.html`)
    assert.deepEqual([status, out], [0, file])
    assert.match(readFileSync(file, 'utf8'), /^<!doctype html>/)
    assert.equal(repository.git('status', '--porcelain'), '')
    const here = async (...flags: string[]) => espalierHere(repository.top, ['plan', command, 'shop.yaml', ...flags])
    assert.equal((await here('--html')).out, `${file}\n`, 'in a pipe, too')
    assert.match((await here('--html', '-')).out, /^<!doctype html>/)
  })

  test(`plan ${command} --html never takes a plan for a page`, async () => {
    const before = readFileSync(join(folder, 'espalier.yaml'), 'utf8')
    const { status, err } = await espalier(command, '--html', 'espalier.yaml')
    assert.equal(status, 2)
    assert.match(err, /must end in \.html\. A plan or a run goes before --html/)
    assert.equal(readFileSync(join(folder, 'espalier.yaml'), 'utf8'), before)
  })

  test(`plan ${command}: a page that cannot be written is refused`, async () => {
    const { status, err } = await espalier(command, '--html', 'espalier.yaml/page.html')
    assert.equal(status, 2)
    assert.match(err, /^espalier\.yaml\/page\.html: cannot be written: .*Name another file/)
  })
}

test('a plan with nothing left: how much is done, and no empty tables', async () => {
  const done = (id: number) => ({ id, title: `Step ${id}`, description: 'x', status: 'done', dependencies: [] })
  writeFileSync(join(folder, 'over.json'), JSON.stringify({ master: { tasks: [done(1), done(2)], metadata: {} } }))
  for (const command of ['show', 'simulate']) {
    const { status, out } = await espalier(command, 'over.json')
    assert.equal(status, 0)
    assert.equal(out, 'read as Task Master tasks.json: 0 tasks to do, 2 done already\nover: nothing left to do')
  }
  const page = await espalier('simulate', 'over.json', '--html', '-')
  const { title, sections } = answerIn<Summary>(page.out, '/runs/simulation/summary')
  assert.deepEqual([title, sections], ['Nothing is left to do', []])
  const { tasks, done: count } = JSON.parse((await espalier('show', 'over.json', '--json')).out)
  assert.deepEqual([tasks, count], [0, 2])
})

test('what a file of another format was read as comes first', async () => {
  const task = (id: number, status: string) => ({ id, title: `Step ${id}`, description: 'x', status, dependencies: [] })
  const tasks = [task(1, 'done'), task(2, 'pending')]
  writeFileSync(join(folder, 'half.json'), JSON.stringify({ master: { tasks, metadata: {} } }))
  const { out } = await espalier('show', 'half.json')
  assert.match(out, /^read as Task Master tasks\.json: 1 task to do, 1 done already\nhalf {2}1 task in 1 batch\n/)
})

test('plan simulate --json: rows, the point of diminishing returns, where the figures come from', async () => {
  const { status, out } = await espalier('simulate', '--json', '-j', '2,1')
  assert.equal(status, 0)
  const { name, tasks, rows, enough, costUsd, costKnown, estimates } = JSON.parse(out)
  assert.deepEqual([name, tasks, enough, costUsd, costKnown], ['shop', 4, 2, 1, 1])
  assert.deepEqual(
    rows.map((row: { workers: number; eager: object; waves: object }) => [
      row.workers,
      Object.keys(row.eager),
      Object.keys(row.waves),
    ]),
    [1, 2].map((workers) => {
      const keys = ['makespanMs', 'idleMs', 'done', 'costUsd']
      return [workers, keys, keys]
    }),
  )
  assert.ok(estimates.time.assumedMs > 0)
  const { assumedMs } = estimates.time
  assert.deepEqual(estimates, {
    time: { plan: 3, history: 0, unknown: 1, assumedMs },
    cost: { plan: 1, history: 0, unknown: 3 },
  })
})

test('plan simulate says where more workers take longer, what has no cost, and how much a budget is enough for', async () => {
  // The third worker takes `e` at once, and with it the claim that the long chain needs two minutes later.
  const tasks = [
    { id: 'a', run: 'x', estimate: '2m' },
    { id: 'b', run: 'x', estimate: '4m', needs: ['a'], claims: ['db'] },
    { id: 'c', run: 'x', estimate: '7m', needs: ['b'] },
    { id: 'e', run: 'x', estimate: '5m', claims: ['db'] },
    { id: 'f', run: 'x', estimate: '8m' },
  ]
  writeFileSync(join(folder, 'slower.json'), JSON.stringify({ tasks }))
  const { out } = await espalier('simulate', 'slower.json', '-j', '2,3')
  assert.match(out, /\n {2}With -j 3 it takes longer: /)
  assert.match(out, /\n {2}Cost: unknown \(no `estimateUsd`/)
  assert.doesNotMatch((await espalier('simulate')).out, /it takes longer/)
  const dear = ['a', 'b', 'c'].map((id) => ({ id, run: 'x', estimate: '1m', estimateUsd: 2 }))
  writeFileSync(join(folder, 'dear.json'), JSON.stringify({ budgetUsd: 5, tasks: dear }))
  assert.match((await espalier('simulate', 'dear.json')).out, / 2 of 3 tasks\n/)
})

const misuses: { args: string[]; says: RegExp }[] = [
  { args: ['simulate', '-j', '0'], says: /at most 20 whole numbers from 1 to 1000/ },
  { args: ['simulate', '-j', '1,,2'], says: /whole numbers/ },
  { args: ['simulate', '-j', '1001'], says: /whole numbers/ },
  { args: ['simulate', '-j', Array(21).fill('1').join(',')], says: /at most 20/ },
  { args: ['simulate', '--json', '--html', 'x.html'], says: /cannot be used with option '--json'/ },
  { args: ['show', '--mermaid', '--html', 'x.html'], says: /cannot be used with option '--mermaid'/ },
  { args: ['simulate', 'nowhere.yaml'], says: /nowhere\.yaml: no such file/ },
]
for (const { args, says } of misuses) {
  test(`espalier plan ${args.join(' ').slice(0, 40)}: exit status 2 and what is wrong`, async () => {
    const { status, out, err } = await espalier(...args)
    assert.deepEqual([status, out], [2, ''])
    assert.match(err, says)
  })
}
