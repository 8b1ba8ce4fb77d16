// What was learned in a repository, for whoever looks at it or changes it from outside a run. Also while an engine works
// there: a change is one transaction, and the engine looks again before it uses a lesson.
import { existsSync } from 'node:fs'
import type { Audited, Known, LessonChanges } from '../../lesson.ts'
import { ok, type Result } from '../../problem.ts'
import { unlessDamaged } from '../../store/sqlite/open.ts'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import type { Store } from '../../store/store.ts'
import { writingStore } from '../../workspace/open.ts'
import { folderOf, type Where } from '../../workspace/read.ts'

/** `nothing`: where there is no state folder yet. None is made. */
export async function readingLearning<T>(
  where: Where,
  nothing: T,
  use: (store: Store) => Promise<Result<T>>,
): Promise<Result<T>> {
  const folder = await folderOf(where)
  if (!folder.ok) return folder
  const { database } = folder.value
  if (!existsSync(database)) return ok(nothing)
  const opened = openSqliteStore(database, 'read')
  if (!opened.ok) return opened
  await using store = opened.value
  return await unlessDamaged(database, () => use(store))
}

/** Changes `known` in place, and says why; or refuses, and then nothing of it is kept. */
export type Change<T> = (known: Known) => Result<{ value: T; audit: Audited[] }>

/** A state folder is made where there is none: lessons can be brought along before the first run. */
export async function changingLessons<T>(where: Where & { dryRun?: boolean | undefined }, change: Change<T>) {
  return where.dryRun ? tryingOut(where, change) : carryingOut(where, change)
}

async function tryingOut<T>(where: Where, change: Change<T>): Promise<Result<T>> {
  const known = await readingLearning<Known>(where, new Map(), async (store) =>
    ok(new Map((await store.lessons()).map((one) => [one.id, one]))),
  )
  if (!known.ok) return known
  const changed = change(known.value)
  return changed.ok ? ok(changed.value.value) : changed
}

async function carryingOut<T>(where: Where, change: Change<T>): Promise<Result<T>> {
  return writingStore(where, (store) => inOneTransaction(store, change))
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
