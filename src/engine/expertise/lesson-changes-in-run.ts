// What a run has taught and what became of earlier lessons in it, as the audit tells.
import type { Audited, Lesson } from '../../lesson.ts'
import { ok, type Result } from '../../problem.ts'
import type { RunSummary } from '../../status.ts'
import type { Store } from '../../store/store.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { BY_HAND } from './edit-lessons.ts'

export type LearnedLesson = {
  id: string
  /** As it is now; null: it was dropped since. */
  lesson: Lesson | null
  learned: boolean
  seen: number
  validated: number
  doubted: number
  pruned: string | null
}

export async function readLearnedIn(
  workspace: Workspace,
  run: Pick<RunSummary, 'run' | 'startedAt'>,
): Promise<Result<LearnedLesson[]>> {
  return workspace.read<LearnedLesson[]>([], async (store) => {
    const audit = await auditOf(store, run)
    const lessons = new Map((await store.lessons()).map((one) => [one.id, one]))
    return ok(collect(audit, lessons))
  })
}

/** Entries name their run and task. What was dropped belongs to the run at work, until the next one began. */
async function auditOf(store: Store, { run, startedAt }: Pick<RunSummary, 'run' | 'startedAt'>): Promise<Audited[]> {
  const starts = (await store.runs()).map((one) => one.startedAt).filter((at) => at > startedAt)
  const next = Math.min(...starts, Number.POSITIVE_INFINITY)
  const audit = await store.audit(null)
  return audit.filter(({ at, action, why }) => {
    if (at < startedAt) return false
    return action === 'pruned' ? at < next && !why.startsWith(BY_HAND) : why.startsWith(`${run}/`)
  })
}

function collect(audit: readonly Audited[], lessons: ReadonlyMap<string, Lesson>): LearnedLesson[] {
  return [...Map.groupBy(audit, (one) => one.lesson)].map(([id, entries]) => {
    const times = (action: Audited['action']) => entries.filter((one) => one.action === action).length
    return {
      ...{ id, lesson: lessons.get(id) ?? null, learned: times('learned') > 0 },
      ...{ seen: times('seen'), validated: times('validated'), doubted: times('doubted') },
      pruned: entries.findLast(({ action }) => action === 'pruned')?.why ?? null,
    }
  })
}
