// Needs of an epic become needs of its first tasks on the last tasks of the other: the rest follows from their own needs. Only
// `needs` count, because `after` does not stop anything when the other task fails.
import { LIMITS } from '../../config.ts'
import { shown } from '../document/field.ts'
import { addError, type Findings } from '../document/findings.ts'
import { type Draft, epicPath, membersOf } from './draft.ts'

/** Changes the tasks of the draft, which must be free of cycles. */
export function expandEpicNeeds(draft: Draft, findings: Findings): void {
  if (draft.epics.every(({ needs }) => needs.length === 0)) return
  const members = membersOf(draft)
  const ends = new Map<number, string[]>()
  let edges = 0
  // First tasks are found before any need is added: an added need must not count as their own.
  const beginnings = members.map((tasks, epic) => tasks.filter((task) => !needsInside(draft, task, epic)))
  draft.epics.forEach(({ id, needs }, epic) => {
    const needed = [...new Set(needs.flatMap((name) => draft.epicIndex.get(name) ?? []))]
    const names = [...new Set(needed.flatMap((other) => endsOf(other)))]
    const heads = beginnings[epic] ?? []
    if (names.length === 0 || heads.length === 0) return
    edges += names.length * heads.length
    if (edges > LIMITS.epicEdges) {
      const { epic: word, epicName } = draft.wording
      const message =
        `the needs of ${word} ${shown(epicName(id))} come to ${heads.length} × ${names.length} needs between tasks, too many in all: ` +
        `give the ${word} before it a last task that needs its others`
      addError(findings, epicPath(draft, epic, 'needs'), message)
      return
    }
    for (const index of heads) {
      const task = draft.tasks[index]
      // Tasks without needs share one list: a plan is never changed once it is read.
      if (task) task.needs = task.needs.length === 0 ? names : [...new Set([...task.needs, ...names])]
    }
  })

  function endsOf(epic: number): string[] {
    const known = ends.get(epic)
    if (known) return known
    const inner = members[epic] ?? []
    const needed = new Set(inner.flatMap((task) => draft.tasks[task]?.needs ?? []))
    const found = inner.map((task) => draft.tasks[task]?.id ?? '').filter((id) => !needed.has(id))
    ends.set(epic, found)
    return found
  }
}

function needsInside(draft: Draft, task: number, epic: number): boolean {
  const id = draft.epics[epic]?.id
  return (draft.tasks[task]?.needs ?? []).some((name) => draft.tasks[draft.taskIndex.get(name) ?? -1]?.epic === id)
}
