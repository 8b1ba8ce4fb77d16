// What goes wrong between machines, and on one of them: nothing is lost, nothing lands twice, nobody else's try is used up.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { EventOf } from '../../src/event.ts'
import { espalier, startEspalier } from '../rig/espalier.ts'
import { noSmallDisk, SmallDisk } from '../rig/full-disk.ts'
import { testDatabase } from '../rig/postgres.ts'
import { Program } from '../rig/program.ts'
import { runGit } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { BadLine } from './bad-line.ts'
import { FleetRig } from './worker-rig.ts'

function ends(run: Program): EventOf<'attempt.finished'>[] {
  return run.events.filter((event) => event.type === 'attempt.finished')
}

function landings(run: Program): string[] {
  return run.events.flatMap((event) => (event.type === 'landing.landed' ? event.tasks : [])).sort()
}

describe('faults of a fleet', { concurrency: false }, () => {
  test('a slow line and a clock that is two hours ahead: everything lands at the first attempt', async () => {
    await using database = await testDatabase()
    const tasks = ['a', 'b', 'c'].map((id) => `  - {id: ${id}, timeout: 60s, run: 'sleep 0.5; echo 1 > ${id}.txt'}`)
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n${tasks.join('\n')}\n`)
    await using line = await BadLine.before([rig.serving.url], { delayMs: 300 })
    const ahead = 'data:text/javascript,globalThis.now=Date.now;Date.now=()=>now()+7200000'
    await using worker = await workerAt(rig, line.url, 'one', { env: { NODE_OPTIONS: `--import=${ahead}` } })
    await worker.says(/joined repo as one.*its clock is off by -7200 s/)
    const run = rig.run('--workers-only', '--json')
    assert.equal(await run.ends(), 0, `${run.heard}\n${worker.heard}`)
    assert.deepEqual(landings(run), ['a', 'b', 'c'])
    assert.deepEqual(
      ends(run).map(({ attempt }) => attempt),
      [1, 1, 1],
    )
    const shown = await espalier(rig.repository.top, ['workers', '--store', database.url])
    assert.match(shown.out, /\+?2h/, shown.out)
  })

  test('every request arrives twice: nothing is done twice', async () => {
    await using database = await testDatabase()
    const tasks = ['a', 'b', 'c'].map((id) => `  - {id: ${id}, run: 'echo 1 >> "$HOME/${id}"; echo 1 > ${id}.txt'}`)
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n${tasks.join('\n')}\n`)
    await using line = await BadLine.before([rig.serving.url], { doubled: () => true })
    await using worker = await workerAt(rig, line.url, 'one')
    await worker.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    assert.equal(await run.ends(), 0, `${run.heard}\n${worker.heard}`)
    assert.deepEqual(landings(run), ['a', 'b', 'c'])
    assert.equal(ends(run).length, 3)
    for (const id of ['a', 'b', 'c']) assert.equal(readFileSync(rig.home.at(id), 'utf8'), '1\n', id)
  })

  test('a pack whose result never comes: the task is done elsewhere, and lands once', async () => {
    await using database = await testDatabase()
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n  - {id: a, run: 'echo 1 > a.txt'}\n`)
    let packs = 0
    let isCut = true
    const dropped = (path: string) => {
      if (path === 'pack') packs++
      return path === 'result' && isCut
    }
    await using line = await BadLine.before([rig.serving.url], { dropped })
    await using one = await workerAt(rig, line.url, 'one')
    await one.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    await until('its pack is there', () => packs > 0)
    await one.kill()
    const two = await rig.worker('two')
    assert.equal(await run.ends(), 0, `${run.heard}\n${two.heard}`)
    isCut = false
    assert.deepEqual(landings(run), ['a'])
    assert.deepEqual(
      ends(run).map(({ failure }) => failure?.reason ?? null),
      ['worker-lost', null],
    )
    await using back = await workerAt(rig, line.url, 'one', { token: one.token })
    await back.says(/joined repo/)
    const landed = runGit(rig.repository.top, ['rev-list', '--count', '--first-parent', 'main..espalier/demo-1'])
    assert.equal(landed, '1')
    two.signal('SIGTERM')
    assert.equal(await two.ends(), 0, two.heard)
  })

  test('a worker whose disk is full: its tasks land, on another one', { skip: noSmallDisk }, async () => {
    await using database = await testDatabase()
    const tasks = ['a', 'b', 'c'].map((id) => `  - {id: ${id}, run: 'head -c 3000000 /dev/urandom > ${id}.bin'}`)
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n${tasks.join('\n')}\n`)
    using disk = new SmallDisk(rig.home.at('one'), 'size=8m')
    const one = await rig.worker('one')
    await one.says(/joined repo/)
    disk.fill(2_000)
    const run = rig.run('--workers-only', '--json')
    await one.says(/takes nothing more for 30 s: .*[Nn]o space left/)
    const two = await rig.worker('two')
    await two.says(/joined repo/)
    assert.equal(await run.ends(), 0, `${run.heard}\n${one.heard}\n${two.heard}`)
    assert.deepEqual(landings(run), ['a', 'b', 'c'])
    const failures = ends(run).flatMap(({ failure }) => (failure ? [failure.reason] : []))
    assert.deepEqual(new Set(failures), new Set(['worker-lost']), 'which uses up no try')
    assert.ok(failures.length <= 3, 'it does not draw the queue')
  })

  test('a disk that is full when the work is done, and has room soon after: it is not done again', {
    skip: noSmallDisk,
  }, async () => {
    await using database = await testDatabase()
    const work = `echo 1 >> "$HOME/begun"; until [ -e "$HOME/gate" ]; do sleep 0.05; done; head -c 300000 /dev/urandom > a.bin`
    await using rig = await FleetRig.open(database.url, `name: demo\ntasks:\n  - {id: a, run: '${work}'}\n`)
    using disk = new SmallDisk(rig.home.at('one'), 'size=8m')
    const one = await rig.worker('one')
    await one.says(/joined repo/)
    const run = rig.run('--workers-only', '--json')
    await until('it works', () => existsSync(rig.home.at('begun')))
    // Its work fits, git's copy of it does not.
    disk.fill(400)
    writeFileSync(rig.home.at('gate'), '')
    await one.says(/takes nothing more for 30 s: .*[Nn]o space left/)
    disk.free()
    assert.equal(await run.ends(), 0, `${run.heard}\n${one.heard}`)
    assert.deepEqual(landings(run), ['a'])
    assert.equal(readFileSync(rig.home.at('begun'), 'utf8'), '1\n')
  })
})

type Options = { env?: Record<string, string>; token?: string }

/** `token`: of a worker that was there before, which takes its name and its folder. */
async function workerAt(
  rig: FleetRig,
  server: string,
  name: string,
  { env = {}, token }: Options = {},
): Promise<Program> {
  const secret = token ?? (await rig.serving.context.tokens.add({ name, scope: 'worker' })).secret
  const place = ['--server', server, '--token', secret, '--name', name, '--state-dir', rig.home.at(name)]
  return new Program(startEspalier(rig.home.path, ['worker', ...place], { env }), secret)
}
