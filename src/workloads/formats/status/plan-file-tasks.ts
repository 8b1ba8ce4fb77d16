// The tasks of a plan file when a run read it: their names in the file, their statuses, and hashes of their text.
import { resolve } from 'node:path'
import { withoutMark } from '../../document/yaml-or-json.ts'
import type { PlanFile, PlanSource } from '../../plan/translate-format.ts'
import type { SourceFile, StatusEntry, StatusFormat } from '../format.ts'
import { KNOWN_FORMATS } from '../known-formats.ts'
import { NO_FACTS, withEdits } from './text-edits.ts'
import { hashOf } from './write-status.ts'

export type PlanFileTasks = {
  format: string
  part: string | null
  open: PlanFileTask[]
  done?: PlanFileTask[] | undefined
}

/** `task`: its id in the run. `source`: its name in the file. `says`: the hash of its text. */
export type PlanFileTask = { path: string; task: string; source: string; status: string; says: string }

/** Null for formats without statuses. `folder`: file names are relative to it. */
export function planFileTasks(
  { format, entries, part: read }: Pick<PlanSource, 'format' | 'entries' | 'part'>,
  files: readonly PlanFile[],
  named: string | null,
  folder = '.',
): PlanFileTasks | null {
  const part = named ?? read ?? null
  const known = statusFileOf(format)
  if (!known) return null
  const bySource = new Map(entries.map((entry) => [entry.source, entry]))
  const tasks = { open: [] as PlanFileTask[], done: [] as PlanFileTask[] }
  for (const { file, text } of files) {
    const path = resolve(folder, file)
    const found = known.read(sourceFile(path, text), part)
    for (const { source, status, content } of found.ok ? found.value : []) {
      const entry = bySource.get(source)
      if (entry && entry.state !== 'skipped')
        tasks[entry.state].push({ path, task: entry.task, source, status, says: hashOf(content()) })
    }
  }
  return { format, part, open: tasks.open, done: tasks.done }
}

export function statusFileOf(format: string): StatusFormat | null {
  return KNOWN_FORMATS.find(({ name }) => name === format)?.status ?? null
}

/** The texts with these finished tasks set to open; default: all finished tasks. */
export function withTasksOpen(
  files: readonly PlanFile[],
  { format, part }: Pick<PlanFileTasks, 'format' | 'part'>,
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
