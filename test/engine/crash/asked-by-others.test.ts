// An attempt that somebody other than its engine ended, while no engine lived, was interrupted: what it left is not
// taken for its work, whatever its status says, and it costs no try.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { diagnose } from '../../../src/engine/doctor/doctor.ts'
import { readRun, requestCancel } from '../../../src/index.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { readProcessTable } from '../../../src/process/tree/process-table.ts'
import { signal } from '../../../src/process/tree/tree.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** Many programs answer SIGTERM with what they have, and 0. The second time it does all of its work. */
const HALF = (ready: string) =>
  `if [ -e '${ready}' ]; then echo full > a.txt; exit 0; fi; trap 'echo half > a.txt; exit 0' TERM; : > '${ready}'; sleep 60 & wait`

const ENDINGS: Record<string, (rig: Rig) => Promise<void>> = {
  'doctor --fix': async (rig) => {
    const checks = await diagnose({ repo: rig.top, fix: true })
    assert.ok(checks.some(({ name, state }) => name === 'processes' && state === 'ok'))
  },
  'a machine that shuts down': async (rig) => {
    // Everybody is told at once, supervisors too. The names of run and task are also those of other tests.
    const mine = readProcessTable().filter(
      (row) => row.args().includes(rig.state) || row.variable('ESPALIER_LOG_DIR')?.startsWith(rig.state),
    )
    for (const row of mine) signal({ ...row, bootId: processIdentity(process.pid)?.bootId ?? '' }, 'SIGTERM')
    await until('its end', () => existsSync(join(rig.state, 'runs/plan-1/a/1/work/exit')))
  },
}

for (const [what, end] of Object.entries(ENDINGS))
  test(`${what} while no engine lives: the task is done again, without a try less`, async () => {
    await using rig = await Rig.open()
    const ready = join(rig.repository.path, 'ready')
    await using engine = new DoomedEngine(
      rig.top,
      rig.plan([{ id: 'a', run: HALF(ready), retries: 0 }]),
      makeSettings(),
    )
    await until('the agent', () => existsSync(ready))
    await engine.kill()
    await end(rig)
    const { outcome } = await (await rig.resume()).finish()
    assert.deepEqual(rig.landings(outcome), ['a/2'])
    assert.equal(rig.landedFile(outcome, 'a.txt'), 'full')
  })

for (const task of [undefined, 'a'])
  test(`ended by doctor --fix, then ${task === undefined ? 'its run' : 'it'} is cancelled: that is what is told of it`, async () => {
    await using rig = await Rig.open()
    const ready = join(rig.repository.path, 'ready')
    await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a', run: HALF(ready) }]), makeSettings())
    await until('the agent', () => existsSync(ready))
    await engine.kill()
    await diagnose({ repo: rig.top, fix: true })
    const asked = await requestCancel(await workspaceAt(rig.top), { task })
    assert.ok(asked.ok)
    if (task !== undefined) await (await rig.resume()).finish()
    const read = await readRun(await workspaceAt(rig.top))
    const [view] = (read.ok && read.value?.tasks) || []
    const told = [view?.status, view?.failure?.message, view?.history[0]?.failure?.message]
    assert.deepEqual(told, ['cancelled', 'cancelled on request', 'cancelled on request'])
  })
