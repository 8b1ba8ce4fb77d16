// Which tasks of plan files in different runs are the same one: by file and name there, and by their words where a name
// is used in several parts, or files are renamed (ccpm). Pure.
import { dirname } from 'node:path'
import type { FileTask, PlanTask } from '../../store/ledger.ts'

/** By row of the ledger: the one of `mine` that it is about. `isThere`: whether there is a file of that name now. */
export function sameTasks<T extends FileTask>(
  mine: readonly T[],
  rows: readonly PlanTask[],
  isThere: (file: string) => boolean,
): Map<PlanTask, T> {
  const byName = new Map(mine.map((one) => [nameOf(one), one]))
  const found = new Map<PlanTask, T>()
  for (const ofRun of Map.groupBy(rows, ({ run }) => run).values()) {
    const renamed = findRenamed(mine, byName, ofRun, isThere)
    for (const row of ofRun) {
      const one = byName.get(nameOf(row)) ?? renamed.get(row)
      if (one && (one.part === row.part || hasSameWords(one, row))) found.set(row, one)
    }
  }
  return found
}

/** One that was renamed was found by its words. */
export function hasSameWords(one: FileTask, other: FileTask): boolean {
  return one.says === other.says || nameOf(one) !== nameOf(other)
}

function nameOf({ format, file, source }: FileTask): string {
  return JSON.stringify([format, file, source])
}

/** Rows of a run whose task has another name in `mine`, because one of the files is not there any more. */
function findRenamed<T extends FileTask>(
  mine: readonly T[],
  byName: ReadonlyMap<string, T>,
  rows: readonly PlanTask[],
  isThere: (file: string) => boolean,
): Map<PlanTask, T> {
  const found = new Map<PlanTask, T>()
  let old = rows.filter((row) => row.numberless !== null && !byName.has(nameOf(row)))
  if (old.length === 0) return found
  const known = new Set(rows.map(nameOf))
  let now = mine.filter((one) => one.numberless !== null && !known.has(nameOf(one)))
  for (const words of ['says', 'numberless'] as const) {
    const keyOf = (task: FileTask) => JSON.stringify([task.format, dirname(task.file), task[words]])
    const byKey = Map.groupBy(now, keyOf)
    for (const [key, [row, ...alike]] of Map.groupBy(old, keyOf)) {
      const [one, ...more] = byKey.get(key) ?? []
      // Where several could be meant none is.
      if (!row || !one || alike.length + more.length > 0) continue
      if (!isThere(row.file) || !isThere(one.file)) found.set(row, one)
    }
    const taken = new Set(found.values())
    old = old.filter((row) => !found.has(row))
    now = now.filter((one) => !taken.has(one))
  }
  return found
}
