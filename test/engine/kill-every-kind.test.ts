// For every kind of event there is, the engine dies right before and right after it is first written. Resumed, the run
// ends as it would have: nothing lost, nothing run or landed twice, no process left. The kinds come from the code, so a
// new one that this run does not write fails here.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findLeftovers } from '../../src/engine/leftovers.ts'
import { stateFolder } from '../../src/engine/state-folder.ts'
import { EVENT_TYPES } from '../../src/event.ts'
import { readRun } from '../../src/index.ts'
import { begin, EXPECTED, goOn } from '../rig/every-kind.ts'
import type { Death } from '../rig/every-kind-process.ts'
import { Rig } from '../rig/rig.ts'

const SCRIPT = fileURLToPath(new URL('../rig/every-kind-process.ts', import.meta.url))

suite('the engine dies at the first write of every kind', { concurrency: 2 }, () => {
  for (const kind of EVENT_TYPES)
    for (const when of ['before', 'after'] as const)
      test(`${when} ${kind}`, async () => {
        await using rig = await Rig.open()
        const death = { repo: rig.top, ran: rig.repository.at('ran'), kind, when }
        assert.equal(await die(death), 'SIGKILL', `the run of every-kind.ts never writes ${kind}`)
        if (kind === 'run.started' && when === 'before') await begin(death.repo, death.ran, kind)
        else await goOn(death.repo, death.ran, kind)
        await check(rig, death)
      })
})

async function die(death: Death): Promise<string | null> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, JSON.stringify(death)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  return child.signalCode
}

async function check(rig: Rig, { kind, ran }: Death): Promise<void> {
  const found = await readRun({ repo: rig.top })
  assert.ok(found.ok && found.value, JSON.stringify(found))
  const view = found.value
  assert.deepEqual(await findLeftovers(stateFolder(rig.top, null)), [], 'no process is left')
  if (kind === 'run.cancelled') {
    assert.equal(view.status, 'cancelled')
    return
  }
  const seen = view.tasks.map(({ id, status }) => `${id} ${status}`)
  assert.deepEqual(seen, EXPECTED)
  const landed = rig.landings(view).flatMap((line) => line.split('/')[0]?.split(' ') ?? [])
  assert.deepEqual(landed.sort(), ['gate', 'late', 'left', 'plain', 'quiet', 'right'], 'each exactly once')
  const times = (await readFile(ran, 'utf8')).trimEnd().split('\n').sort()
  assert.deepEqual(times, ['plain', 'quiet'], 'finished work is not done again')
}
