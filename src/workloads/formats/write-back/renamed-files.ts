// Task files that were renamed since a run began, as ccpm does once an issue has a number: found by words without numbers.
import type { PlanFile } from '../../plan/source.ts'
import { fingerprint, numberless } from './apply-status.ts'
import { type OriginFile, sourceFile } from './plan-file-at-start.ts'
import type { StatusFile } from './status-writer.ts'

/** By the path it had. `others`: files the run does not know. Where several could be meant none is. */
export function renamedFiles(
  format: StatusFile,
  gone: readonly OriginFile[],
  others: readonly PlanFile[],
): Map<string, OriginFile> {
  const renamed = new Map<string, OriginFile>()
  let old = gone.flatMap((file) => (file.entries.length === 1 ? file.entries.map((entry) => ({ file, entry })) : []))
  let now = others.flatMap((other) => taskIn(format, other))
  for (const name of ['says', 'numberless'] as const) {
    const found = pairs(
      old,
      ({ entry }) => entry[name],
      now,
      (task) => task[name],
    )
    for (const [{ file }, { path, ...task }] of found)
      renamed.set(file.path, { path, entries: file.entries.map((entry) => ({ ...entry, ...task })) })
    old = old.filter((one) => !found.has(one))
    const taken = new Set(found.values())
    now = now.filter((task) => !taken.has(task))
  }
  return renamed
}

type Task = { path: string; source: string; says: string; numberless: string }

function taskIn(format: StatusFile, { file, text }: PlanFile): Task[] {
  const read = format.read(sourceFile(file, text), null)
  const [record, ...more] = read.ok ? read.value : []
  if (!record || more.length > 0) return []
  const says = record.says()
  return [{ path: file, source: record.source, says: fingerprint(says), numberless: numberless(says) }]
}

/** Those that are the only ones of their key on both sides. */
function pairs<A, B>(
  ones: readonly A[],
  keyOfOne: (one: A) => string | undefined,
  others: readonly B[],
  keyOfOther: (other: B) => string,
): Map<A, B> {
  const byKey = Map.groupBy(others, keyOfOther)
  const found = new Map<A, B>()
  for (const [key, [one, ...alike]] of Map.groupBy(ones, keyOfOne)) {
    const [other, ...more] = (key === undefined ? undefined : byKey.get(key)) ?? []
    if (one && other && alike.length + more.length === 0) found.set(one, other)
  }
  return found
}
