import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { endTree } from '../../../src/process/tree/end-tree.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { markOf } from '../../../src/process/tree/mark.ts'
import { type ProcessRow, readProcessTable } from '../../../src/process/tree/process-table.ts'
import { until } from '../../rig/until.ts'
import { isRunning, pidIn, rig } from '../rig.ts'

const KINDS = ['grouped', 'ungrouped'] as const

test('stop ends a command that reacts to SIGTERM, with what it wrote last', async (t) => {
  const { sh, text, assertNothingLeft } = rig(t)
  const supervised = sh('trap "echo bye; exit 9" TERM; echo ready; while :; do sleep 0.02; done')
  await until('ready', () => text() === 'ready\n')
  await supervised.stop()
  const exit = await supervised.done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code, exit.leftovers], ['exited', 9, 0])
  assert.match(text(), /^ready\n(.|\n)*bye\n$/)
  await assertNothingLeft()
})

test('stop ends a command that ignores SIGTERM after the grace', async (t) => {
  const { sh, text, assertNothingLeft } = rig(t)
  const supervised = sh('trap "" TERM INT HUP; echo ready; while :; do sleep 0.02; done', { graceMs: 150 })
  await until('ready', () => text() === 'ready\n')
  await supervised.stop()
  const exit = await supervised.done
  assert.deepEqual([exit.kind, 'signal' in exit && exit.signal], ['signalled', 'SIGKILL'])
  await assertNothingLeft()
})

test('stop ends a stopped process within the grace', async (t) => {
  const { sh, assertNothingLeft } = rig(t)
  const supervised = sh('kill -STOP $$')
  await supervised.stop()
  const exit = await supervised.done
  assert.deepEqual([exit.kind, 'signal' in exit && exit.signal], ['signalled', 'SIGTERM'])
  await assertNothingLeft()
})

test('stop right after the start leaves nothing that starts later', async (t) => {
  for (let i = 0; i < 10; i++) {
    const { sh, assertNothingLeft } = rig(t)
    const supervised = sh('exec sleep 1000')
    await supervised.stop()
    assert.equal((await supervised.done).kind, 'signalled')
    await assertNothingLeft()
  }
})

for (const kind of KINDS)
  test(`stop finds children in other sessions, double-forked, ignoring signals, without the token or a parent (${kind})`, async (t) => {
    const { sh, path, assertNothingLeft } = rig(t, kind)
    const hold = 'while :; do sleep 0.05; done'
    writeFileSync(path('hold'), `trap '' TERM HUP INT; echo $$ > "$1"; ${hold}`)
    const supervised = sh(
      `setsid sh hold a &
     (setsid sh hold b </dev/null >/dev/null 2>&1 &)
     setsid sh -c 'setsid sh hold c & (setsid sh hold d &) ; wait' &
     env -i PATH="$PATH" sh hold e &
     setsid sh -c '(env -i PATH="$PATH" sh hold f &) ; ${hold}' &
     trap '' TERM; ${hold}`,
      { graceMs: 200 },
    )
    const pids = await until('all six', () => {
      const found = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => pidIn(path(name)))
      return found.every((pid) => pid !== null) && (found as number[])
    })
    assert.ok(pids.every(isRunning))
    await supervised.stop()
    assert.deepEqual(pids.filter(isRunning), [])
    await assertNothingLeft()
  })

for (const kind of KINDS)
  test(`stop keeps up with a command that starts new processes all the time (${kind})`, async (t) => {
    const { sh, text, assertNothingLeft } = rig(t, kind)
    const spawner = 'trap "" TERM; echo ready; while :; do setsid sleep 1000 & sleep 0.01; done'
    const supervised = sh(spawner, { graceMs: 100 })
    await until('ready', () => text() === 'ready\n')
    await supervised.stop()
    await assertNothingLeft()
  })

test('stop after the end, and stop twice, are harmless', async (t) => {
  const { sh } = rig(t)
  const supervised = sh('exit 2')
  const exit = await supervised.done
  await Promise.all([supervised.stop(), supervised.stop()])
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 2])
})

test('ending one attempt leaves the others alone', async (t) => {
  const [one, other] = [rig(t), rig(t)]
  const supervised = one.sh('echo ready; exec sleep 1000')
  const neighbour = other.sh('echo ready; exec sleep 1000')
  await until('both', () => one.text() && other.text())
  await supervised.stop()
  await one.assertNothingLeft()
  assert.equal(other.processes().length, 1)
  await neighbour.stop()
})

for (const kind of KINDS)
  test(`a killed supervisor is reported as lost, and what its command started is ended (${kind})`, async (t) => {
    const { sh, text, assertNothingLeft } = rig(t, kind)
    const supervised = sh('(setsid sleep 1000 &); echo ready; exec sleep 1000')
    await until('ready', () => text() === 'ready\n')
    process.kill(await supervised.pid, 'SIGKILL')
    const exit = await supervised.done
    assert.deepEqual([exit.kind, exit.leftovers], ['lost', 2])
    await assertNothingLeft()
  })

for (const kind of KINDS)
  test(`a command that its supervisor starts only after the grace is ended too (${kind})`, async (t) => {
    const { sh, dir, token, path, assertNothingLeft } = rig(t, kind)
    execFileSync('mkfifo', [path('stdin')])
    const started = sh(`echo $$ > pid; trap '' TERM; (setsid sleep 1000 &); exec sleep 1000`, { stdin: path('stdin') })
    await until('its supervisor', () => existsSync(join(dir, 'supervisor')))
    const supervisor = processIdentity(await started.pid)
    const ending = endTree({ dir, token, supervisor }, 0, { commandEnded: () => false })
    const stdin = await open(path('stdin'), 'w') // lets it start
    await until('the command', () => pidIn(path('pid')))
    await ending
    await stdin.close()
    await assertNothingLeft()
    assert.equal((await started.done).kind, 'lost')
  })

for (const kind of KINDS)
  test(`a process that is becoming another program all the time is found by its token or its mark (${kind})`, async (t) => {
    const { sh, path, token, processes } = rig(t, kind)
    writeFileSync(path('again'), 'exec sh again')
    const supervised = sh('(setsid sh again &); exec sleep 1000')
    await until('both', () => processes().length === 2)
    const missed = Array.from({ length: 200 }, () => {
      const carries = (row: ProcessRow) => row.limit === markOf(token) || row.variable('ESPALIER_TOKEN') === token
      return readProcessTable().filter(carries).length < 2
    })
    assert.equal(missed.filter(Boolean).length, 0)
    await supervised.stop()
  })

for (const kind of KINDS)
  test(`an agent cannot pass its processes off as the supervisor's (${kind})`, async (t) => {
    const { sh, dir, path, assertNothingLeft } = rig(t, kind)
    const disguised = `mkfifo pipe; setsid split pipe '${dir}/mine' >/dev/null 2>&1 & echo $! > pid`
    assert.equal((await sh(disguised).done).leftovers, 1)
    assert.equal(isRunning(pidIn(path('pid')) ?? 0), false)
    await assertNothingLeft()
  })

test('processes can be found and ended by the token alone', async (t) => {
  const { sh, dir, token, processes, text } = rig(t)
  const supervised = sh('echo ready; exec sleep 1000')
  await until('ready', () => text() === 'ready\n')
  const end = await endTree({ dir, token, supervisor: null }, 5_000)
  assert.deepEqual(end, { ended: 1, survivors: [] })
  assert.deepEqual(processes(), [])
  assert.equal((await supervised.done).kind, 'signalled')
})

test('ps tells the same as /proc', async (t) => {
  const { sh, token, processes, path } = rig(t)
  const supervised = sh('exec sleep 1000')
  const [pid] = await until('it', () => processes().length === 1 && processes())
  const expected = readProcessTable().find((row) => row.pid === pid)
  const real = execFileSync('sh', ['-c', 'command -v ps'], { encoding: 'utf8' }).trim()
  writeFileSync(path('ps'), `#!/bin/sh\nexec ${real} axeww -o "$3"\n`, { mode: 0o755 })
  const table = new URL('../../../src/process/tree/process-table.ts', import.meta.url)
  const program = `Object.defineProperty(process, 'platform', { value: 'darwin' })
    const { readProcessTable } = await import('${table}')
    const row = readProcessTable().find((row) => row.variable('ESPALIER_TOKEN') === '${token}')
    console.log(JSON.stringify([row.pid, row.ppid, row.args()]))`
  const env = { ...process.env, PATH: `${path('')}:${process.env.PATH}` }
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', env })
  const [found, parent, args] = JSON.parse(said)
  assert.deepEqual([found, parent], [pid, expected?.ppid])
  assert.match(args, /^sleep 1000/)
  await supervised.stop()
})
