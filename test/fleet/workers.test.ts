import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { DoctorCheck } from '../../src/engine/doctor/agent-checks.ts'
import type { EventOf } from '../../src/event.ts'
import { espalier } from '../rig/espalier.ts'
import { testDatabase } from '../rig/postgres.ts'
import type { Program } from '../rig/program.ts'
import { makeRepository, runGit } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { FleetRig } from './worker-rig.ts'

function started(run: Program, task: string): EventOf<'attempt.started'>[] {
  return run.events.filter((event) => event.type === 'attempt.started').filter((event) => event.task === task)
}

function landings(run: Program): string[] {
  return run.events.flatMap((event) => (event.type === 'landing.landed' ? event.tasks : []))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('workers', { concurrency: false }, () => {
  test('a worker that is killed: its task starts elsewhere in under 15 s, everything lands once, its agent is ended when it is back', async () => {
    await using database = await testDatabase()
    const quick = Array.from({ length: 19 }, (_, n) => `  - {id: t${n}, run: 'echo ${n} > out-${n}.txt'}`).join('\n')
    const long = `  - {id: long, priority: 10, run: '[ -e "$HOME/gate" ] || { echo $$ > "$HOME/pid"; exec sleep 600; }; echo x > long.txt'}`
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n${long}\n${quick}\n`)
    const workers = new Map([
      ['one', await rig.worker('one', '--slots', '2')],
      ['two', await rig.worker('two', '--slots', '2')],
    ])
    for (const worker of workers.values()) await worker.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    await until('long is at work', () => existsSync(rig.home.at('pid')))
    const pid = Number(readFileSync(rig.home.at('pid'), 'utf8'))
    const [first] = await until('it is told', () => (started(run, 'long').length > 0 ? started(run, 'long') : null))
    const victim = workers.get(first?.worker ?? '') as Program
    writeFileSync(rig.home.at('gate'), '')
    await victim.kill()
    const since = performance.now()
    const again = await until('it starts elsewhere', () => started(run, 'long')[1] ?? null, 30_000)
    assert.ok(performance.now() - since < 15_000, `${performance.now() - since} ms`)
    assert.notEqual(again.worker, first?.worker)
    assert.equal(await run.ends(), 0, run.heard)
    assert.deepEqual(landings(run).sort(), ['long', ...Array.from({ length: 19 }, (_, n) => `t${n}`)].sort())
    const lost = run.events.filter((event) => event.type === 'attempt.finished').find((event) => event.failure)
    assert.equal(lost?.failure?.reason, 'worker-lost')
    assert.ok(isAlive(pid), 'nobody was there to end it')
    const back = rig.start(first?.worker ?? '', victim.token, [])
    await until('its agent is ended', () => !isAlive(pid))
    back.signal('SIGTERM')
    assert.equal(await back.ends(), 0, back.heard)
    const log = await espalier(rig.repository.top, ['logs', 't3', '--store', database.url])
    assert.equal(log.status, 0, log.err)
    const names = runGit(rig.repository.top, ['ls-tree', '--name-only', 'espalier/demo-1']).split('\n')
    assert.ok(names.includes('long.txt') && names.includes('out-18.txt'))
  })

  test('a worker that is killed and back at once takes up its own agent, which is not started twice', async () => {
    await using database = await testDatabase()
    const slow = `  - {id: slow, run: 'echo begun >> "$HOME/begun"; while [ ! -e "$HOME/gate" ]; do sleep 0.1; done; echo x > s.txt'}`
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n${slow}\n`)
    const worker = await rig.worker('one')
    await worker.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    await until('it has begun', () => existsSync(rig.home.at('begun')))
    await worker.kill()
    const back = rig.start('one', worker.token, [])
    await back.says(/slow \(attempt 1\) begins/)
    const doing = await until('its next sign of life', async () => {
      const busy = await espalier(rig.repository.top, ['workers', '--json', '--store', database.url])
      const [{ doing }] = JSON.parse(busy.out).workers
      return doing.length > 0 ? doing : null
    })
    assert.deepEqual(doing, ['demo-1/slow'])
    writeFileSync(rig.home.at('gate'), '')
    assert.equal(await run.ends(), 0, `${run.heard}\n${back.heard}`)
    assert.deepEqual([started(run, 'slow').length, landings(run)], [1, ['slow']])
    assert.equal(readFileSync(rig.home.at('begun'), 'utf8'), 'begun\n')
    const listed = await espalier(rig.repository.top, ['workers', '--json', '--store', database.url])
    const [shown] = JSON.parse(listed.out).workers
    assert.deepEqual([shown.name, shown.isThere, shown.slots], ['one', true, 2])
    const checked = await espalier(rig.repository.top, ['doctor', '--json', '--store', database.url])
    const checks = (JSON.parse(checked.out).checks as DoctorCheck[]).filter(({ name }) =>
      /^(store|workers)$/.test(name),
    )
    assert.deepEqual(
      checks.map(({ name, message }) => [name, / answers$|^one: .*agents: /.test(message)]),
      [
        ['store', true],
        ['workers', true],
      ],
    )
    assert.ok(!checks.some(({ message }) => /clock|version/.test(message)), JSON.stringify(checks))
    back.signal('SIGTERM')
    assert.equal(await back.ends(), 0, back.heard)
  })

  test('work inside a submodule fails on a worker also where it is allowed, and its files are in the work that is kept', async () => {
    await using database = await testDatabase()
    const inside =
      'cd lib && git init -q && echo hi > new && git add -A && git -c user.name=x -c user.email=x@y commit -qm x'
    const files = { 'plan.yaml': `name: demo\ntasks:\n  - {id: a, retries: 0, run: '${inside}'}\n` }
    const repository = await makeRepository({ files: { ...files, '.espalier/config.yaml': 'submodules: allow\n' } })
    repository.git('update-index', '--add', '--cacheinfo', `160000,${repository.git('rev-parse', 'HEAD')},lib`)
    repository.git('commit', '-qm', 'with a submodule')
    await using rig = await FleetRig.on(database.url, repository)
    await (await rig.worker('one')).says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    assert.equal(await run.ends(), 1, run.heard)
    const finished = run.events.find((event) => event.type === 'attempt.finished')
    assert.equal(finished?.failure?.reason, 'submodule-changed')
    assert.equal(repository.git('show', 'refs/espalier/demo-1/failed/a/1:lib/new'), 'hi')
  })

  test('a worker that was cut off and comes back: what it did came too late, and lands once', async () => {
    await using database = await testDatabase()
    const task = `  - {id: late, run: 'echo $$ >> "$HOME/pids"; while [ ! -e "$HOME/gate" ]; do sleep 0.1; done; echo x > l.txt'}`
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n${task}\n`)
    const one = await rig.worker('one')
    await one.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    await until('it has begun', () => existsSync(rig.home.at('pids')))
    one.signal('SIGSTOP')
    const two = await rig.worker('two')
    await two.says(/late \(attempt 2\) begins/)
    writeFileSync(rig.home.at('gate'), '')
    await two.says(/late \(attempt 2\): changed/)
    assert.equal(await run.ends(), 0, run.heard)
    one.signal('SIGCONT')
    await one.says(/late \(attempt 1\): /)
    assert.deepEqual(landings(run), ['late'])
    assert.equal(started(run, 'late').length, 2)
    for (const worker of [one, two]) worker.signal('SIGTERM')
    assert.deepEqual([await one.ends(), await two.ends()], [0, 0], `${one.heard}\n${two.heard}`)
  })

  test('a token that is revoked: the worker ends its agent and goes, and the task waits for another', async () => {
    await using database = await testDatabase()
    const task = `  - {id: a, run: '[ -e "$HOME/gate" ] || { echo $$ > "$HOME/pid"; exec sleep 600; }; echo x > a.txt'}`
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n${task}\n`)
    const one = await rig.worker('one')
    await one.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    await until('it has begun', () => existsSync(rig.home.at('pid')))
    const pid = Number(readFileSync(rig.home.at('pid'), 'utf8'))
    await rig.serving.context.tokens.revoke('one')
    await until('its agent is ended', () => !isAlive(pid), 60_000)
    assert.match(one.heard, /the server refuses this worker: ending 1/, 'at once, not when its lease is over')
    writeFileSync(rig.home.at('gate'), '')
    const two = await rig.worker('two')
    assert.equal(await run.ends(), 0, run.heard)
    await one.kill()
    two.signal('SIGTERM')
    assert.equal(await two.ends(), 0, two.heard)
  })
})
