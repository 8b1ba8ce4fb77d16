// What a run leaves behind bears out what it promised: the reflog of its branch (I7), and its journal (I14). The engine
// is killed on the way, two tasks collide, one fails.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Event, RunEvent, RunResult } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig, type Started } from '../../rig/rig.ts'
import { checkSameDispatch } from '../../simulation/history.ts'

const TASKS = [
  { id: 'a', run: 'echo changed > src/a.txt' },
  { id: 'b', run: 'echo b > b.txt', needs: ['a'] },
  { id: 'one', retries: 1 },
  { id: 'other', retries: 1 },
  { id: 'bad', run: 'echo bad > bad.txt; exit 1' },
]

/** Both change the same file from the same base, and the engine is killed before either has ended. */
async function wholeRun(rig: Rig): Promise<Started> {
  await using engine = new DoomedEngine(rig.top, rig.plan(TASKS), makeSettings({ maxConcurrency: 3 }))
  const [one, other] = [await rig.stage.next('one'), await rig.stage.next('other')]
  await one.write('shared.txt', 'one\n')
  await engine.kill()
  const run = await rig.resume()
  await one.exit()
  await run.saw('landing.landed', ({ tasks }) => tasks.includes('one'))
  await other.deliver('shared.txt', 'other\n')
  await (await rig.stage.next('other')).deliver('shared.txt', 'one, other\n')
  return run
}

test('a run with a killed engine, a collision and a failure: its reflog and its journal are in order', async () => {
  await using rig = await Rig.open()
  const run = await (await wholeRun(rig)).finish()
  assert.deepEqual(rig.landings(run.outcome).toSorted(), ['a/1', 'b/1', 'one/1', 'other/2'])
  await checkReflog(rig, run.outcome)
  checkJournal(rig, run.events)
})

/** I7: every move of the branch goes from where it stood to a landing of kept work that changes no other path. */
async function checkReflog(rig: Rig, outcome: RunResult): Promise<void> {
  const git = (...args: string[]) => rig.git(`--git-dir=${rig.state}/engine.git`, ...args)
  const paths = (from: string, to: string) => git('diff-tree', '-r', '--name-only', from, to).split('\n')
  const log = await readFile(join(rig.state, 'engine.git', 'logs', 'refs', 'heads', outcome.branch), 'utf8')
  const moves = log
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ', 2) as [from: string, to: string])
  assert.equal(moves.length, 5) // the first makes the branch
  let head = '0'.repeat(40)
  for (const [from, to] of moves) {
    assert.equal(from, head, 'G4: the branch moves from where it stands')
    head = to
    if (to === outcome.base) continue
    const [first, work = '', ...more] = git('show', '-s', '--format=%P', to).split(' ')
    assert.deepEqual([first, more], [from, []])
    const [task, attempt] = git(
      'show',
      '-s',
      '--format=%(trailers:key=Espalier-Task,valueonly)%(trailers:key=Espalier-Attempt,valueonly)',
      to,
    ).split('\n')
    assert.equal(
      work,
      git('rev-parse', `refs/espalier/runs/${outcome.run}/${task}/${attempt}`),
      'G1: what was verified',
    )
    const worked = new Set(paths(git('merge-base', from, work), work))
    for (const path of paths(from, to)) assert.ok(worked.has(path), `G3: ${task} lands ${path}`)
  }
  assert.equal(head, outcome.head)
}

/** I14: the journal, decided again event by event, gives the same decisions. */
function checkJournal(rig: Rig, events: RunEvent[]): void {
  const journal = events.filter((event): event is Event => 'seq' in event)
  const [first] = journal
  assert.ok(first?.type === 'run.started')
  assert.ok(
    journal.some(({ type }) => type === 'run.resumed') && journal.some(({ type }) => type === 'landing.refused'),
  )
  checkSameDispatch({ original: rig.plan(TASKS), limits: first.limits, journal })
}
