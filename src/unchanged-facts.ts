// Who was to change something, by what they claim, and succeeded without changing anything. That may be right, where it was
// done before; it may also be an agent that did nothing.
import type { PathList, RunView } from './status.ts'
import type { Plan } from './task.ts'

/** The paths are those it claims to write. */
export type UnchangedFacts = { task: string } & PathList

/** Only of prompts: a command that changes nothing does what its author wrote. */
export function unchangedFacts({ tasks }: Pick<RunView, 'tasks'>, plan: Pick<Plan, 'tasks'> | null): UnchangedFacts[] {
  const unchanged = new Set(tasks.filter(isUnchanged).map(({ id }) => id))
  const written = plan?.tasks.filter(({ id }) => unchanged.has(id)) ?? []
  return written.flatMap(({ id, work, land, claims: { write } }) =>
    work.kind === 'prompt' && land && write.length > 0 ? [{ task: id, paths: write, count: write.length }] : [],
  )
}

/** Whether the plan has to be asked at all. */
export function isUnchanged({ status, outcome }: Pick<RunView['tasks'][number], 'status' | 'outcome'>): boolean {
  return status === 'passed' && outcome === 'no-change'
}
