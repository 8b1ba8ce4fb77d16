// Who changed files that other programs run or obey: hooks, CI files, settings of editors and agents.
import type { PathList, RunView } from './status.ts'

export type FlaggedFacts = { task: string } & PathList

/** By the last attempt of each task. Work that failed is not used by anybody. */
export function flaggedFacts({ tasks }: Pick<RunView, 'tasks'>): FlaggedFacts[] {
  return tasks.flatMap(({ id, history }) => {
    const last = history.at(-1)
    return last?.flagged && !last.failure ? [{ task: id, ...last.flagged }] : []
  })
}
