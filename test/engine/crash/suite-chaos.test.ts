// A suite whose engine is killed again and again: each entry has one verdict, none runs again after it finished, and nothing is left.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSuiteReport } from '../../../src/engine/suite/report-of-suite-run.ts'
import { readEvents, readRun } from '../../../src/index.ts'
import { findTree } from '../../../src/process/tree/tree.ts'
import { attemptToken } from '../../../src/workspace/state-folder.ts'
import { espalier, startEspalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { WHOLE } from '../../rig/sampled.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { random } from '../../simulation/random.ts'

/** `ROUNDS=50` has them all. */
const ROUNDS = Number(process.env.ROUNDS ?? (WHOLE ? 20 : 2))
const ENTRIES = WHOLE ? 40 : 6

test(`${ENTRIES} entries, ${ROUNDS} times kill -9 and resume`, async () => {
  await using repository = await makeRepository()
  const marks = repository.at('marks')
  await mkdir(marks)
  // An entry that ends says so once, with its attempt: twice would be an entry that ran again after it had finished.
  const pause = WHOLE ? 0.8 : 0.3
  const run = (n: number) =>
    `sleep ${pause}; echo "$ESPALIER_ATTEMPT" >> ${marks}/e${n}; ${n % 7 === 3 ? 'exit 1' : n % 5 === 2 ? 'test "$ESPALIER_ATTEMPT" -gt 1' : 'true'}`
  const entries = Array.from({ length: ENTRIES }, (_, n) => `  - {id: e${n}, run: '${run(n)}'}`)
  await writeFile(join(repository.top, 'suite.yaml'), `workers: 3\nretries: 1\nentries:\n${entries.join('\n')}\n`)
  const rnd = random(7)
  const workspace = await workspaceAt(repository.top)
  let args = ['suite', 'run']
  let kills = 0
  while (kills < ROUNDS) {
    const engine = startEspalier(repository.top, args)
    const ended = once(engine, 'exit')
    engine.stdout?.resume()
    engine.stderr?.resume()
    const seen = async () => {
      const events = await readEvents(workspace, { run: 'repo-suite-1' })
      return events.ok ? events.value.length : 0
    }
    const before = await seen()
    const some = 1 + rnd.int(WHOLE ? 2 : 4)
    // Somewhere in the run: after a few more events than there were.
    await Promise.race([
      ended,
      until('the engine is at work', async () => ((await seen()) >= before + some ? true : null)),
    ])
    if (engine.exitCode !== null) break
    engine.kill('SIGKILL')
    await ended
    kills++
    args = ['resume']
  }
  assert.equal(kills, ROUNDS, 'the suite was over before it had been killed so often')
  const last = await espalier(repository.top, ['resume', '--json'])
  const over = /there is no run to resume/.test(last.err)
  assert.ok(over || last.status === 1, `${last.status} ${last.err}`)

  const report = await readSuiteReport(workspace)
  assert.ok(report.ok)
  const view = await readRun(workspace, { run: 'repo-suite-1' })
  assert.ok(view.ok && view.value)
  for (const [n, entry] of report.value.entries.entries()) {
    const expected = n % 7 === 3 ? 'failed' : n % 5 === 2 ? 'flaky' : 'passed'
    assert.equal(entry.verdict, expected, entry.id)
    const marked = readFileSync(join(marks, `e${n}`), 'utf8')
      .trim()
      .split('\n')
    assert.equal(new Set(marked).size, marked.length, `${entry.id}: an attempt ran to its end twice`)
    assert.equal(marked.length, entry.tries.length, `${entry.id} ran ${marked.length} times to its end`)
  }
  const events = await readEvents(workspace, { run: 'repo-suite-1' })
  assert.ok(events.ok)
  const first = events.value[0]
  assert.ok(first?.type === 'run.started')
  for (const event of events.value)
    if (event.type === 'attempt.started') {
      const token = attemptToken('repo-suite-1', first.seed, event.task, event.attempt)
      assert.deepEqual(findTree({ token, dir: '/nowhere', supervisor: null }), [], `${event.task} left a process`)
    }
  assert.deepEqual(
    readdirSync(`${repository.top}.espalier/slots`).filter((name) => /^\d+$/.test(name)).length <= 3,
    true,
    'no more worktrees than workers',
  )
  assert.equal(repository.git('worktree', 'list').split('\n').length, 1)
})
