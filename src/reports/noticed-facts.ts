// What agents noticed and could not, or should not, do something about.
import type { Note, RunView } from '../status.ts'

export type NoticedFacts = Note & { task: string; attempt: number }

/** In the order of the plan. How the work went on (`progress`, `done`) is told elsewhere. */
export function noticedFacts({ tasks }: RunView): NoticedFacts[] {
  return tasks.flatMap(({ id, history }) =>
    history.flatMap(({ attempt, notes = [] }) =>
      notes.filter(({ kind }) => LASTING.has(kind)).map((note) => ({ ...note, task: id, attempt })),
    ),
  )
}

const LASTING: ReadonlySet<Note['kind']> = new Set(['issue', 'follow-up', 'blocked'])
