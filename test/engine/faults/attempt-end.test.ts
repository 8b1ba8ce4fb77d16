// Every file operation at the end of an attempt fails once, with whatever the system may say: the work is in a ref or its
// folder is set aside before anybody gets the worktree (I10), and no try is charged for what the engine could not do.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FailingFiles } from '../../rig/failing-files.ts'
import { Rig } from '../../rig/rig.ts'
import { sampled, WHOLE } from '../../rig/sampled.ts'

/** That a file does not exist, or is something else, is no trouble but a fact. */
const FACTS = new Set(['ENOENT', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EXDEV', 'ENOTEMPTY'])
const CODES = Object.keys(constants.errno).filter((code) => !FACTS.has(code))

test('an operation that fails once costs nothing: neither work nor a try', { timeout: 600_000 }, async () => {
  await using rig = await Rig.open()
  const codes = sampled('errors of the system', CODES, 8)
  const step = WHOLE ? 1 : 18
  for (let number = 1; ; number += step) {
    const code = codes[number % codes.length] ?? 'EACCES'
    if ((await endWith(rig, { number, code })) === null) break
  }
})

test('rights that are gone until the run has stopped: it is resumed, and the work lands', {
  skip: !WHOLE,
}, async () => {
  await using rig = await Rig.open()
  for (const number of [1, 20, 45]) await endWith(rig, { number, code: 'EACCES', stays: true })
})

/** What failed; null: the run had fewer operations. */
async function endWith(rig: Rig, fault: { number: number; code: string; stays?: boolean }): Promise<string | null> {
  const mark = join(rig.repository.path, `mark-${fault.number}-${fault.code}`)
  const work = `echo $ESPALIER_ATTEMPT > precious.txt; touch '${mark}'`
  const next = { id: 'b', run: 'ls > b.txt', needs: ['a'] }
  const run = await rig.start([{ id: 'a', run: work, retries: 0 }, next], { maxConcurrency: 1 })
  const files = new FailingFiles({ below: rig.state, since: mark, ...fault })
  let { outcome } = await run.finish().finally(() => files[Symbol.dispose]())
  const { failed } = files
  if (outcome.stuck) outcome = (await (await rig.resume({}, run.id)).finish()).outcome
  const said = `${fault.code} at operation ${fault.number} (${failed}): ${JSON.stringify(outcome)}`
  const { attempts } = run.task('a')
  for (let attempt = 1; attempt <= attempts; attempt++) assert.ok(isSafe(rig, run.id, attempt), said)
  // What an agent may not be let do in its own worktree is its doing.
  if (failed?.includes(' /slots/1/') && OF_AGENT.has(fault.code)) return failed
  assert.equal(outcome.status, 'completed', said)
  assert.equal(rig.landings(outcome).length, 2, said)
  return failed
}

const OF_AGENT = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG', 'ENXIO'])

function isSafe(rig: Rig, run: string, attempt: number): boolean {
  if (existsSync(join(rig.state, 'slots', `work-of-${run}-a-${attempt}`, 'precious.txt'))) return true
  try {
    const ref = `refs/espalier/runs/${run}/a/${attempt}`
    return rig.git(`--git-dir=${rig.state}/engine.git`, 'show', `${ref}:precious.txt`) === String(attempt)
  } catch {
    return false
  }
}
