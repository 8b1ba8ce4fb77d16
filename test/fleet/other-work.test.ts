// Not only the attempts of a plan go to workers: verifications of the landing queue, entries of suites and evals of searches do.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { EventOf } from '../../src/event.ts'
import { openStore } from '../../src/store/open.ts'
import type { EvalEntry } from '../../src/workloads/search/result-manifest.ts'
import { espalier } from '../rig/espalier.ts'
import { testDatabase } from '../rig/postgres.ts'
import type { Program } from '../rig/program.ts'
import { runGit } from '../rig/repository.ts'
import { adds, FILES, SMALLEST } from '../rig/search.ts'
import { until } from '../rig/until.ts'
import { FleetRig } from './worker-rig.ts'

function verifications(run: Program): EventOf<'landing.verifying'>[] {
  return run.events.filter((event) => event.type === 'landing.verifying')
}

function verdicts(run: Program): EventOf<'landing.verified'>[] {
  return run.events.filter((event) => event.type === 'landing.verified')
}

async function leaves(...workers: Program[]): Promise<void> {
  for (const worker of workers) worker.signal('SIGTERM')
  for (const worker of workers) assert.equal(await worker.ends(), 0, worker.heard)
}

describe('other work on workers', { concurrency: false }, () => {
  test('a landing is verified on a worker: what fails there does not land, and its output is where all output is', async () => {
    await using database = await testDatabase()
    const settings = `landing: {verify: ['echo "seen in $ESPALIER_WORKTREE"; ! test -e bad.txt'], reruns: 0}`
    const tasks = `  - {id: good, run: 'echo 1 > good.txt'}\n  - {id: bad, run: 'echo 1 > bad.txt', retries: 0}`
    await using rig = await FleetRig.open(database.url, `name: demo\n${settings}\ntasks:\n${tasks}\n`)
    const worker = await rig.worker('one')
    await worker.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    assert.equal(await run.ends(), 1, run.heard)
    assert.deepEqual(new Set(verifications(run).map((one) => one.worker)), new Set(['one']), run.heard)
    assert.ok(
      verdicts(run).some(({ verdict }) => verdict?.passed) && verdicts(run).some(({ verdict }) => !verdict?.passed),
    )
    const names = runGit(rig.repository.top, ['ls-tree', '--name-only', 'espalier/demo-1']).split('\n')
    assert.ok(names.includes('good.txt') && !names.includes('bad.txt'), names.join(' '))
    const log = await espalier(rig.repository.top, ['logs', 'bad', '--store', database.url])
    assert.match(log.out, new RegExp(`seen in ${rig.home.at('one')}`), log.err)
    await leaves(worker)
  })

  test('a worker that is lost while it verifies: another one does it, and nothing is blamed', async () => {
    await using database = await testDatabase()
    const verify = `[ -e "$HOME/gate" ] || { echo $$ > "$HOME/verifying"; exec sleep 600; }`
    const settings = `landing: {verify: ['${verify}']}`
    const plan = `name: demo\n${settings}\ntasks:\n  - {id: a, run: 'echo 1 > a.txt'}\n`
    await using rig = await FleetRig.open(database.url, plan)
    const workers = new Map([
      ['one', await rig.worker('one')],
      ['two', await rig.worker('two')],
    ])
    for (const worker of workers.values()) await worker.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    await until('it is verified', () => existsSync(rig.home.at('verifying')))
    const first = await until('it is told', () => verifications(run)[0] ?? null)
    writeFileSync(rig.home.at('gate'), '')
    await workers.get(first.worker ?? '')?.kill()
    assert.equal(await run.ends(), 0, run.heard)
    const [, second] = verifications(run)
    assert.ok(second?.worker !== undefined && second.worker !== first.worker, run.heard)
    assert.deepEqual(
      verdicts(run).map(({ verdict }) => verdict?.passed ?? null),
      [null, true],
    )
    const pid = Number(readFileSync(rig.home.at('verifying'), 'utf8'))
    const back = rig.start(first.worker ?? '', workers.get(first.worker ?? '')?.token ?? '', [])
    await until('what it left is ended', () => !existsSync(`/proc/${pid}`))
    await leaves(back, workers.get(second.worker) as Program)
  })

  test('entries of a suite on a worker: their JUnit XML and artifacts come back', async () => {
    await using database = await testDatabase()
    const xml = `<testsuite><testcase name="x" classname="c" time="1"/><testcase name="y" classname="c" time="2"/></testsuite>`
    const unit = `mkdir -p "out/deep folder"; echo shot > "out/deep folder/a.txt"; cat given.xml > report.xml`
    const suite = [
      'entries:',
      `  - {id: unit, run: '${unit}', artifacts: ['out/**'], junit: ['report.xml']}`,
      `  - {id: flaky, run: 'test "$ESPALIER_ATTEMPT" = 2', retries: 1}`,
    ].join('\n')
    await using rig = await FleetRig.open(database.url, 'tasks: []\n', { 'suite.yaml': suite, 'given.xml': xml })
    const worker = await rig.worker('one')
    await worker.says(/joined repo/)
    const run = rig.command('suite', 'run', '--workers-only')
    assert.equal(await run.ends(), 0, `${run.heard}\n${worker.heard}`)
    const opened = await openStore(database.url, 'read')
    assert.ok(opened.ok)
    await using store = opened.value
    const [listed] = await store.runs(1)
    const views = [...(await store.tasks(listed?.run ?? '')).values()]
    assert.deepEqual(new Set(views.flatMap(({ history }) => history.map((one) => one.worker))), new Set(['one']))
    const unitView = views.find(({ id }) => id.startsWith('unit'))
    const result = unitView?.history.at(-1)?.result
    assert.deepEqual([result?.counts?.tests, result?.artifacts], [2, ['artifacts/out/deep folder/a.txt']])
    const folder = join(`${rig.repository.top}.espalier`, 'runs', listed?.run ?? '', unitView?.id ?? '', '1')
    assert.equal(readFileSync(join(folder, 'artifacts/out/deep folder/a.txt'), 'utf8'), 'shot\n')
    assert.equal(readFileSync(join(folder, 'junit/report.xml'), 'utf8').trim(), xml)
    await leaves(worker)
  })

  test('evals of a search on workers: the same manifest as in one process', async () => {
    await using database = await testDatabase()
    const ideas = { 'ideas/one.md': adds(1), 'ideas/seven.md': adds(7), 'ideas/too-many.md': adds(500) }
    const files = { ...FILES, ...ideas, 'search.yaml': SMALLEST }
    await using rig = await FleetRig.open(database.url, 'tasks: []\n', files)
    const { top } = rig.repository
    const manifestIn = async (...place: string[]) => {
      const {
        evals,
        nodes,
        best_node_id: best,
      } = JSON.parse((await espalier(top, ['search', 'show', '--json', ...place])).out)
      return {
        nodes,
        best,
        evals: (evals as EvalEntry[]).map(({ eval_id, commit, score, error }) => [
          eval_id,
          commit,
          score,
          error?.reason,
        ]),
      }
    }
    const workers = [await rig.worker('one'), await rig.worker('two')]
    for (const worker of workers) await worker.says(/joined repo/)
    const apart = ['--state-dir', rig.home.at('apart')]
    const alone = await espalier(top, ['search', 'run', 'search.yaml', ...apart])
    assert.equal(alone.status, 0, alone.err)
    const run = rig.command('search', 'run', 'search.yaml', '--workers-only', '--json')
    assert.equal(await run.ends(), 0, run.heard)
    const started = run.events.filter((event) => event.type === 'attempt.started')
    assert.ok(started.length > 5 && started.every(({ worker }) => worker !== 'local'))
    const manifest = await manifestIn('--store', database.url)
    assert.ok(manifest.evals.length > 5 && manifest.nodes.length > 2)
    assert.deepEqual(manifest, await manifestIn(...apart))
    await leaves(...workers)
  })
})
