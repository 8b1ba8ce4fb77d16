// What was learned in a repository, for whoever looks at it or changes it from outside a run. Also while an engine works
// there: a change is one transaction, and the engine looks again before it uses a lesson.

import type { Audited, Known, LessonChanges } from '../../lesson.ts'
import { ok, type Result } from '../../problem.ts'
import type { Store } from '../../store/store.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Changes `known` in place, and says why; or refuses, and then nothing of it is kept. */
export type Change<T> = (known: Known) => Result<{ value: T; audit: Audited[] }>

/** A state folder is made where there is none: lessons can be brought along before the first run. */
export async function changingLessons<T>(
  workspace: Workspace,
  options: { dryRun?: boolean | undefined },
  change: Change<T>,
) {
  return options.dryRun ? tryingOut(workspace, change) : carryingOut(workspace, change)
}

async function tryingOut<T>(workspace: Workspace, change: Change<T>): Promise<Result<T>> {
  const known = await workspace.read<Known>(new Map(), async (store) =>
    ok(new Map((await store.lessons()).map((one) => [one.id, one]))),
  )
  if (!known.ok) return known
  const changed = change(known.value)
  return changed.ok ? ok(changed.value.value) : changed
}

async function carryingOut<T>(workspace: Workspace, change: Change<T>): Promise<Result<T>> {
  return workspace.write((store) => inOneTransaction(store, change))
}

async function inOneTransaction<T>(store: Store, change: Change<T>): Promise<Result<T>> {
  const answers: Result<T>[] = []
  await store.learn((known) => {
    const before: Known = new Map(known)
    const changed = change(known)
    answers.push(changed.ok ? ok(changed.value.value) : changed)
    return { lessons: changed.ok ? changesSince(before, known, changed.value.audit) : NOTHING }
  })
  return answers[0] as Result<T>
}

const NOTHING: LessonChanges = { saved: [], dropped: [], audit: [] }

function changesSince(before: Known, after: Known, audit: Audited[]): LessonChanges {
  return {
    saved: [...after.values()].filter((one) => before.get(one.id) !== one),
    dropped: [...before.keys()].filter((id) => !after.has(id)),
    audit,
  }
}
