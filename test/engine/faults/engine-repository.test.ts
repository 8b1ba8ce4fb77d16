// The engine's repository takes no objects or no refs: no task is charged, the run stops and says what to type, and the next engine
// continues it.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { resumeRun } from '../../../src/engine/open/resume-run.ts'
import type { RunResult } from '../../../src/index.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const FOLDERS = Array.from({ length: 256 }, (_, n) => join('objects', n.toString(16).padStart(2, '0')))

/** Files in the place of folders keep everybody out, root too. */
const FAULTS = [
  {
    what: 'no objects',
    name: 'objects',
    spoil: (dir: string) => setFiles(dir, FOLDERS),
    repair: (dir: string) => unset(dir, FOLDERS),
  },
  {
    what: 'no refs',
    name: 'refs/espalier',
    spoil: (dir: string) => setFiles(dir, ['refs/espalier']),
    repair: (dir: string) => unset(dir, ['refs/espalier']),
  },
  {
    what: 'no objects of its user',
    name: 'objects',
    skip: process.getuid?.() === 0 && 'root may write everywhere',
    spoil: (dir: string) => chmodSync(join(dir, 'objects'), 0o555),
    repair: (dir: string) => chmodSync(join(dir, 'objects'), 0o755),
  },
]

for (const { what, name, skip = false, spoil, repair } of FAULTS)
  test(`engine.git takes ${what}: the run stops, no task is charged, and all of them land later`, {
    skip,
  }, async () => {
    await using rig = await Rig.open()
    const gitDir = join(rig.state, 'engine.git')
    const tasks = ['a', 'b', 'c', 'd'].map((id) => ({ id, retries: 0 }))
    const first = await rig.start(tasks, { maxConcurrency: 2 })
    const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
    spoil(gitDir)
    await a.sh('echo a > a.txt; git add a.txt; git commit -qm a')
    await Promise.all([a.exit(), b.deliver('b.txt')])
    const said = stoppedFor((await first.finish()).outcome)
    assert.match(said, new RegExp(`could not continue: .*engine\\.git/${name}\\S* cannot be written`))
    assert.equal(first.all('attempt.started').length, 2)
    const doctor = await espalierHere(rig.top, ['doctor'])
    assert.match(doctor.out, new RegExp(`engine\\.git/${name}\\S* cannot be written`))
    assert.equal(doctor.status, 1)
    const refused = await resumeRun(await workspaceAt(rig.top), { changes: [] })
    assert.match(refused.ok ? '' : (refused.problems[0]?.message ?? ''), /cannot be written \(\w+\): /)
    repair(gitDir)
    const run = await rig.resume()
    for (const task of ['c', 'd']) await (await rig.stage.next(task)).deliver(`${task}.txt`)
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome).sort(), ['a/1', 'b/1', 'c/1', 'd/1'])
    assert.equal(rig.stage.all.length, 4)
  })

function stoppedFor(outcome: RunResult): string {
  assert.deepEqual([outcome.status, outcome.interrupted], ['running', true], JSON.stringify(outcome))
  assert.deepEqual(outcome.failures, [])
  return outcome.stuck ?? ''
}

function setFiles(gitDir: string, names: readonly string[]): void {
  for (const name of names) if (!existsSync(join(gitDir, name))) writeFileSync(join(gitDir, name), '')
}

function unset(gitDir: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(gitDir, name))
}
