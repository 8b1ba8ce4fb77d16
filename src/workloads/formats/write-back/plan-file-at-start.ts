// What a plan file said when its run began: so its own words can be told from those of people later.
import { ok, type Problem, type Result } from '../../../problem.ts'
import { withoutMark } from '../../document/document.ts'
import type { PlanFile, PlanSource } from '../../plan/source.ts'
import type { SourceFile } from '../format.ts'
import { STATUS_FILES } from '../known-formats.ts'
import { applyStatus, fingerprint, numberless, type Origin } from './apply-status.ts'
import type { StatusFile, StatusPhase } from './status-writer.ts'

export type PlanOrigin = {
  format: string
  part: string | null
  files: OriginFile[]
  /** Those that were done already. For the start of a run: not kept with it. */
  done?: DoneTask[] | undefined
  /** Of those, what they are called here: kept with the run. */
  doneBefore?: string[] | undefined
  /** Of files that tasks of the run may be in and that nothing can be written into: why. Not kept either. */
  unreadable?: Problem[] | undefined
}

/** `task`: what it would be called here. `says`: the fingerprint of what was to be done for it. */
export type DoneTask = { path: string; task: string; source: string; says: string; numberless?: string | undefined }

export type OriginFile = {
  path: string
  /** Those that were open: `task` is what they are called here. */
  entries: (Origin & { task: string })[]
}

/** Null for formats that carry no status. `files`: by their whole path. */
export function planOrigin(
  { format, entries, part: read }: Pick<PlanSource, 'format' | 'entries' | 'part'>,
  files: readonly PlanFile[],
  named: string | null,
): PlanOrigin | null {
  const part = named ?? read ?? null
  const known = statusFileOf(format)
  if (!known) return null
  const open = new Map(entries.filter(({ state }) => state === 'open').map(({ source, task }) => [source, task]))
  const over = new Map(entries.filter(({ state }) => state === 'done').map(({ source, task }) => [source, task]))
  const done: DoneTask[] = []
  const unreadable: Problem[] = []
  const found = files.map(({ file, text }): OriginFile => {
    const read = known.read(sourceFile(file, text), part)
    const mine: OriginFile['entries'] = []
    if (!read.ok) unreadable.push(...read.problems.slice(0, 1).map(unwritable))
    for (const { source, status, says } of read.ok ? read.value : []) {
      const [task, doneTask] = [open.get(source), over.get(source)]
      if (task !== undefined) mine.push({ task, source, status, ...fingerprints(known, says()) })
      else if (doneTask !== undefined) done.push({ path: file, task: doneTask, source, ...fingerprints(known, says()) })
    }
    return { path: file, entries: mine }
  })
  const isWhole = found.flatMap((file) => file.entries).length >= open.size
  const withTasks = found.filter((file) => file.entries.length > 0)
  return { format, part, files: withTasks, done, unreadable: isWhole ? [] : unreadable }
}

function fingerprints({ renamesFiles }: StatusFile, says: string): Pick<Origin, 'says' | 'numberless'> {
  return { says: fingerprint(says), ...(renamesFiles ? { numberless: numberless(says) } : {}) }
}

function unwritable({ message, ...place }: Problem): Problem {
  const what = 'how its tasks stand cannot be written into this file, so a later run does them again'
  return { ...place, message: `${what}: ${message}`, severity: 'warning' }
}

export function statusFileOf(format: string): StatusFile | null {
  return STATUS_FILES.find((known) => known.format === format) ?? null
}

/** What was known before stays; what is to be done is taken over with the plan, unless that came too late. */
export function mergedOrigin(
  before: PlanOrigin | null,
  now: PlanOrigin,
  tooLate: ReadonlySet<string> = new Set(),
): PlanOrigin {
  if (before?.format !== now.format || before.part !== now.part) return now
  const known = new Set(before.files.flatMap(({ entries }) => entries.map(({ task }) => task)))
  const added = now.files.map(({ path, entries }) => ({
    path,
    entries: entries.filter(({ task }) => !known.has(task)),
  }))
  const taken = now.files.flatMap(({ entries }) => entries).filter(({ task }) => !tooLate.has(task))
  const saysNow = new Map(
    taken.map(({ task, says, numberless }) => [task, numberless ? { says, numberless } : { says }]),
  )
  const kept = before.files.map(({ path, entries }) => ({
    path,
    entries: entries.map((entry) => ({ ...entry, ...saysNow.get(entry.task) })),
  }))
  const files = new Map(kept.map((file) => [file.path, file]))
  for (const { path, entries } of added) {
    const old = files.get(path)?.entries ?? []
    if (entries.length > 0) files.set(path, { path, entries: [...old, ...entries] })
  }
  return { ...before, files: [...files.values()] }
}

/**
 * With how these tasks ended: that word in the file is Espalier's, to be changed again; any other is somebody's. `byOthers`:
 * in other runs of the file. `unwritten`: files that could not be written then, and may say what was there before.
 */
export function withWordsLeft(
  { files, ...origin }: PlanOrigin,
  { words }: StatusFile,
  { ended, byOthers, unwritten }: WordsLeft,
): PlanOrigin {
  const changed = files.map(({ path, entries }) => {
    const withLeft = (entry: OriginFile['entries'][number]) => {
      const [own, others] = [ended.get(entry.task), byOthers.get(entry.task) ?? []]
      if (own === undefined && others.length === 0) return entry
      const before = own === undefined || unwritten.has(path) ? (entry.left ?? []) : []
      const phases = own === undefined ? others : [own, ...others]
      return { ...entry, left: [...new Set([...before, ...phases.map((phase) => words[phase])])] }
    }
    return { path, entries: entries.map(withLeft) }
  })
  return { ...origin, files: changed }
}

export type WordsLeft = {
  ended: ReadonlyMap<string, StatusPhase>
  byOthers: ReadonlyMap<string, readonly StatusPhase[]>
  unwritten: ReadonlySet<string>
}

export type Written = { source: string; isDone: boolean }

/** The text without what the run has written, to compare it with the run's plan. What others wrote stays. */
export function withoutStatus(
  format: StatusFile,
  file: PlanFile,
  { written, part }: { written: readonly Written[]; part: string | null },
): Result<string> {
  const source = sourceFile(file.file, file.text)
  const read = format.read(source, part)
  if (!read.ok) return read
  const facts = { phase: 'open', startedAt: null, finishedAt: null, session: null, output: null } as const
  const now = new Map(read.value.map((record) => [record.source, record]))
  // Whatever is to be done for it by now: the run's word about it is taken out.
  const tasks = written.flatMap(({ source: id, isDone }) => {
    const record = now.get(id)
    const isOwn = record?.state === 'open' || (record?.state === 'done' && isDone)
    return record && isOwn ? [{ source: id, says: fingerprint(record.says()), status: record.status, ...facts }] : []
  })
  const applied = applyStatus(format, source, { tasks, groups: [] }, part)
  return applied.ok ? ok(applied.value.text) : applied
}

export function sourceFile(file: string, text: string): SourceFile {
  return { file, text: withoutMark(text) }
}
