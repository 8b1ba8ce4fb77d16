// What a new run of a plan file would do a second time, as a table over what runs have left.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readDoneAgain } from '../../../src/engine/history/already-done.ts'
import type { RunSummary, TaskStatus } from '../../../src/status.ts'
import { openStore } from '../../../src/store/open.ts'
import type { PlanOrigin } from '../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import { keepUnwritten } from '../../../src/workspace/unwritten-statuses.ts'
import { makePlan } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { BASE, event, newRun, summary, view } from '../../store/contract.ts'
import { fileTask } from '../../store/ledger-sample.ts'

type Left = {
  /** By source: how the run left the task. */
  tasks: Record<string, TaskStatus>
  status: RunSummary['status']
  resumable?: true
  unwritten?: true
  removed?: true
}

const CASES: [what: string, runs: Left[], found: string[]][] = [
  ['nothing has run yet', [], []],
  ['what landed in a failed run', [{ tasks: { A: 'landed', B: 'failed' }, status: 'failed' }], ['tea-1 A retry']],
  ['all of it, in a run that is over', [{ tasks: { A: 'landed' }, status: 'completed' }], ['tea-1 A -']],
  ['what did not land', [{ tasks: { A: 'passed', B: 'failed' }, status: 'failed' }], []],
  [
    'a run that is not over',
    [{ tasks: { A: 'landed', B: 'ready' }, status: 'running', resumable: true, unwritten: true }],
    ['tea-1 A resume'],
  ],
  // `resume` writes it, and that is said elsewhere.
  ['what a run could not write', [{ tasks: { A: 'landed' }, status: 'completed', unwritten: true }], []],
  [
    'a way to go on is only the last run’s',
    [
      { tasks: { A: 'landed', B: 'failed' }, status: 'failed' },
      { tasks: { B: 'landed', A: 'failed' }, status: 'failed' },
    ],
    // A landed in the first one since, so nothing of the last one is left to try again.
    ['tea-2 B -', 'tea-1 A -'],
  ],
  [
    'another of the last run’s is left',
    [
      { tasks: { A: 'landed', C: 'failed' }, status: 'failed' },
      { tasks: { B: 'landed', C: 'failed' }, status: 'failed' },
    ],
    ['tea-2 B retry', 'tea-1 A -'],
  ],
  [
    'each task once, of the newest run',
    [
      { tasks: { A: 'landed', B: 'landed' }, status: 'completed' },
      { tasks: { B: 'landed' }, status: 'completed' },
    ],
    ['tea-2 B -', 'tea-1 A -'],
  ],
  ['a run that is removed', [{ tasks: { A: 'landed' }, status: 'completed', removed: true }], ['tea-1 A -']],
]

for (const [what, runs, found] of CASES)
  test(`done again: ${what}`, async () => {
    await using repository = await makeRepository()
    const file = join(repository.top, 'plan.json')
    const workspace = await workspaceAt(repository.top)
    await mkdir(workspace.folder.root)
    const opened = await openStore(workspace.folder.database)
    assert.ok(opened.ok)
    await using store = opened.value
    for (const [n, { tasks, status, resumable = false, unwritten, removed }] of runs.entries()) {
      const run = `tea-${n + 1}`
      const sources = Object.entries(tasks)
      await store.createRun({ ...newRun(run, n), repo: repository.top, planFile: file })
      await store.putPlanTasks(
        run,
        `espalier/${run}`,
        sources.map(([source]) => fileTask({ source })),
      )
      const views = sources.map(([source, how]) => {
        const ended = { finishedAt: n + 10, landedCommit: how === 'landed' ? BASE : null }
        return { ...view(fileTask({ source }).task, how), ...ended }
      })
      const stands = { ...summary(run, n + 5), status, resumable, repo: repository.top, enginePid: 0 }
      await store.append(run, [event(1)], { run: stands, tasks: views })
      if (unwritten) await keepUnwritten(store, run, { files: [{ file, why: 'it was gone' }], conflicts: [] })
      if (removed) await store.deleteRun(run)
    }
    const entries = ['A', 'B'].map((source) => ({ source, task: source, status: 'pending', says: '5:words' }))
    const origin: PlanOrigin = { format: 'implementation-plan', part: null, files: [{ path: file, entries }] }
    const again = await readDoneAgain(workspace, { planFile: file, plan: makePlan([]), origin })
    assert.ok(again.ok, JSON.stringify(again))
    assert.deepEqual(
      again.value.map(({ run, tasks, next }) => [run, ...tasks, next?.kind ?? '-'].join(' ')),
      found,
    )
  })
