// Tasks that a discarded run had landed and that are done nowhere else: the plan file calls them done, so no run would do them
// again. Their statuses are put back to open by the rule by which the run wrote them: what people have changed stays.

import type { EngineRepository } from '../../git/engine/engine-repository.ts'
import { GitFailure } from '../../git/run/git.ts'
import { resolveCommit } from '../../git/user/repository.ts'
import type { Store } from '../../store/store.ts'
import { planFileTexts } from '../../unwritten-statuses.ts'
import type { RunSummary, TaskView } from '../../view.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { loadWritten, PlanFileStatus } from '../plan-file/plan-file-status.ts'
import { loadOrigin } from '../plan-file/saved-tasks.ts'
import { doneSince } from './landed-tasks.ts'
import { lacking } from './unlanded-work.ts'

type Stores = { store: Store; engine: EngineRepository }

/** `tasks`: as the file calls them. */
export type ReopenedTasks = { file: string; tasks: string[] }

type Reopening = {
  tasks: ReopenedTasks[]
  /** `left`: a line for each status that could not be put back, or that a person has changed. */
  write(): Promise<{ reopened: ReopenedTasks[]; left: string[] }>
}

/** Reads what is needed while the run is still known; `write` is for after its removal. */
export async function findTasksToReopen({ store, engine }: Stores, summary: RunSummary): Promise<Reopening> {
  const { run } = summary
  const origin = await loadOrigin(store, run)
  const views = await store.tasks(run)
  const lost = origin ? await lostTasks({ store, engine }, summary, origin, views) : []
  const status = await PlanFileStatus.open({ store, run, isTask: (id) => views.has(id) }, origin)
  return {
    tasks: byFile(lost),
    async write() {
      await using _status = status
      status?.follow(lost.flatMap(({ task }) => untried(views.get(task))))
      await status?.settled()
      const left = status?.unwritten ?? { files: [], conflicts: [] }
      const files = new Set(left.files.map(({ file }) => file))
      const stays = new Set(left.conflicts.map(({ file, task }) => `${task} ${file}`))
      const reopened = lost.filter(({ path, source }) => !files.has(path) && !stays.has(`${source} ${path}`))
      return { reopened: byFile(reopened), left: planFileTexts({ unwritten: left }) }
    },
  }
}

/** Landed tasks of which the run wrote a status, whose work neither HEAD nor another run has. */
async function lostTasks(
  { store, engine }: Stores,
  summary: RunSummary,
  origin: PlanFileTasks,
  views: ReadonlyMap<string, TaskView>,
): Promise<PlanFileTasks['open']> {
  const { run, head, startedAt } = summary
  const landed = [...views.values()].flatMap(({ id, landedCommit }) =>
    landedCommit === null ? [] : [{ run, task: id, commit: landedCommit }],
  )
  const base = await resolveCommit(engine.user, 'HEAD')
  if (!base.ok || landed.length === 0) return []
  const written = await loadWritten(store, run)
  const others = await doneSince(store, { run, startedAt, top: engine.user.top })
  try {
    const lost = new Set((await lacking(engine, landed, head, base.value)).map(({ task }) => task))
    return origin.open.filter(({ task }) => lost.has(task) && written[task] && !others.has(task))
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return []
  }
}

function untried(task: TaskView | undefined): TaskView[] {
  if (!task) return []
  return [{ ...task, status: 'pending', history: [], startedAt: null, finishedAt: null, failure: null }]
}

function byFile(tasks: PlanFileTasks['open']): ReopenedTasks[] {
  const files = Map.groupBy(tasks, ({ path }) => path)
  return [...files].map(([file, mine]) => ({ file, tasks: mine.map(({ source }) => source) }))
}
