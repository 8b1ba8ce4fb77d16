// What a plan file said when its run began: each task's name in the file, its status, and a hash of its text.
import { resolve } from 'node:path'
import { withoutMark } from '../../document/document.ts'
import type { PlanFile, PlanSource } from '../../plan/source.ts'
import type { SourceFile } from '../format.ts'
import { STATUS_FILES } from '../known-formats.ts'
import { hashOf } from './apply-status.ts'
import { NO_FACTS, type StatusEntry, type StatusFile, withEdits } from './status-file.ts'

export type PlanOrigin = {
  format: string
  part: string | null
  /** Those with open tasks. */
  files: OriginFile[]
  /** Tasks that were done already. */
  done?: DoneTask[] | undefined
}

export type OriginFile = { path: string; entries: OriginEntry[] }

/** `task`: its id in the run. `source`: its name in the file. `says`: the hash of its text. */
export type OriginEntry = { task: string; source: string; status: string; says: string }

type DoneTask = Omit<OriginEntry, 'status'> & { path: string }

/** Null for formats that carry no status. `folder`: from which the names of files are counted. */
export function planOrigin(
  { format, entries, part: read }: Pick<PlanSource, 'format' | 'entries' | 'part'>,
  files: readonly PlanFile[],
  named: string | null,
  folder = '.',
): PlanOrigin | null {
  const part = named ?? read ?? null
  const known = statusFileOf(format)
  if (!known) return null
  const bySource = new Map(entries.map((entry) => [entry.source, entry]))
  const origin = { format, part, files: [] as OriginFile[], done: [] as DoneTask[] }
  for (const { file, text } of files) {
    const path = resolve(folder, file)
    const read = known.read(sourceFile(path, text), part)
    const open: OriginEntry[] = []
    for (const { source, status, says } of read.ok ? read.value : []) {
      const { task = '', state } = bySource.get(source) ?? {}
      if (state === 'open') open.push({ task, source, status, says: hashOf(says()) })
      else if (state === 'done') origin.done.push({ path, task, source, says: hashOf(says()) })
    }
    if (open.length > 0) origin.files.push({ path, entries: open })
  }
  return origin
}

export function statusFileOf(format: string): StatusFile | null {
  return STATUS_FILES.find((known) => known.format === format) ?? null
}

/** The texts as if these of the tasks that are done were still to be done; by default all of them. */
export function withTasksOpen(
  files: readonly PlanFile[],
  { format, part }: Pick<PlanOrigin, 'format' | 'part'>,
  isMeant: (entry: StatusEntry, path: string) => boolean = () => true,
): PlanFile[] {
  const known = statusFileOf(format)
  return files.map((file) => {
    const source = sourceFile(file.file, file.text)
    const read = known?.read(source, part)
    const meant = read?.ok ? read.value.filter((one) => one.state === 'done' && isMeant(one, file.file)) : []
    const edits = meant.flatMap((one) => one.edits(known?.words.open ?? '', { ...NO_FACTS, phase: 'open' }))
    return edits.length === 0 ? file : { ...file, text: withEdits(source.text, edits) }
  })
}

export function sourceFile(file: string, text: string): SourceFile {
  return { file, text: withoutMark(text) }
}
