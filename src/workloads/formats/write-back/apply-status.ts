// Writes how the tasks of a run stand into the text of its plan file. Pure. What a person says stays, and is reported.
import { createHash } from 'node:crypto'
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import type { SourceFile } from '../format.ts'
import { plainStatus } from '../read-status/status-words.ts'
import {
  type StatusFacts,
  type StatusFile,
  type StatusPhase,
  type StatusRecord,
  type TextEdit,
  withEdits,
} from './status-writer.ts'

/** What the file said when the run began. `left`: words the run may have left there. `numberless`: see renamed-files.ts. */
export type Origin = {
  source: string
  status: string
  says: string
  left?: string[] | undefined
  numberless?: string | undefined
}

/** `word`: how to say it, where the format would say it in other letters. */
export type StatusChange = Origin & StatusFacts & { word?: string }

export type StatusChanges = {
  tasks: readonly StatusChange[]
  /** Tasks that are not run themselves: they are done when all their parts are. */
  groups: readonly Origin[]
}

/** `status`: what stands there instead of what the run would write. */
export type Conflict = {
  source: string
  phase: StatusPhase
  why: 'gone' | 'another-task' | 'another-status'
  status: string
}

export type Applied = { text: string; conflicts: Conflict[] }

export function applyStatus(
  format: StatusFile,
  file: SourceFile,
  { tasks, groups }: StatusChanges,
  part: string | null,
): Result<Applied> {
  const read = format.read(file, part)
  if (!read.ok) return read
  const records = new Map(read.value.map((record) => [record.source, record]))
  const conflicts: Conflict[] = []
  const edits: TextEdit[] = []
  const written: StatusChange[] = []
  const isTaken = (change: StatusChange): boolean => {
    const record = records.get(change.source)
    const found = record ? editsOf(record, change, format, file.text) : conflict(change, 'gone')
    if (!Array.isArray(found)) {
      conflicts.push(found)
      return false
    }
    edits.push(...found)
    if (found.length > 0) written.push(change)
    return true
  }
  // What a person says of a part goes for the whole it belongs to.
  const taken = new Map(tasks.filter(isTaken).map((task) => [task.source, task]))
  for (const group of groupChanges(read.value, taken, groups)) isTaken(group)
  if (edits.length === 0) return ok({ text: file.text, conflicts })
  const text = withEdits(file.text, edits)
  return says(format, { ...file, text, json: undefined }, written, part)
    ? ok({ text, conflicts })
    : refuse(problem('its status could not be written into this file without changing more', { file: file.file }))
}

/** How a file says that tasks are done, by their ids: `x` or `X`. */
export function doneWords({ read, words }: StatusFile, file: SourceFile, part: string | null): Map<string, string> {
  const found = read(file, part)
  const done = found.ok ? found.value.filter(({ status }) => plainStatus(status) === plainStatus(words.done)) : []
  return new Map(done.map(({ source, status }) => [source, status]))
}

export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

export function numberless(text: string): string {
  return fingerprint(text.replace(/\d+/g, '#'))
}

function editsOf(
  record: StatusRecord,
  change: StatusChange,
  { words }: StatusFile,
  text: string,
): TextEdit[] | Conflict {
  const { phase } = change
  const word = change.word ?? words[phase]
  const current = plainStatus(record.status)
  const isSame = current === plainStatus(word)
  // It says so already in other words, or has never said anything else.
  if (!isSame && phase === 'done' && record.state === 'done') return []
  if (current === '' && word === words.open) return []
  const edits = record.edits(isSame ? record.status : word, change)
  const changes = edits.filter((edit) => text.slice(edit.offset, edit.offset + edit.length) !== edit.text)
  if (changes.length === 0) return []
  if (fingerprint(record.says()) !== change.says) return conflict(change, 'another-task', record.status)
  // Before the end of a task, a run writes nothing but these; anything else is somebody's word.
  const own = [change.status, words.open, words.begun, word, ...(change.left ?? [])].map(plainStatus)
  return own.includes(current) ? changes : conflict(change, 'another-status', record.status)
}

function conflict({ source, phase }: StatusChange, why: Conflict['why'], status = ''): Conflict {
  return { source, phase, why, status }
}

/** A task is done when its parts are, those that a person has added meanwhile as well. */
function groupChanges(
  records: readonly StatusRecord[],
  wanted: ReadonlyMap<string, StatusChange>,
  groups: readonly Origin[],
): StatusChange[] {
  if (groups.length === 0) return []
  const parts = new Map<string, StatusRecord[]>()
  for (const record of records) {
    if (record.parent === null) continue
    const list = parts.get(record.parent)
    if (list) list.push(record)
    else parts.set(record.parent, [record])
  }
  const known = new Map<string, StatusPhase>()
  const phaseOf = (source: string, state: StatusRecord['state']): StatusPhase => {
    const change = wanted.get(source)
    if (change) return change.phase
    const before = known.get(source)
    if (before) return before
    known.set(source, 'open') // for one that is a part of itself
    const inside = (parts.get(source) ?? []).map((part) => phaseOf(part.source, part.state))
    const isDone = inside.length > 0 ? inside.every((phase) => phase === 'done') : state !== 'open'
    const phase = isDone ? 'done' : inside.some((one) => one !== 'open') ? 'begun' : 'open'
    known.set(source, phase)
    return phase
  }
  return groups.flatMap((group) => {
    const inside = [...below(group.source, parts)].flatMap(({ source }) => wanted.get(source) ?? [])
    return inside.length > 0 ? [{ ...group, ...sumOf(inside), phase: phaseOf(group.source, 'open') }] : []
  })
}

function sumOf(parts: readonly StatusChange[]): Omit<StatusFacts, 'phase'> {
  const time = (name: 'startedAt' | 'finishedAt') => parts.flatMap((part) => part[name] ?? [])
  const [started, finished] = [time('startedAt'), time('finishedAt')]
  return {
    startedAt: started.length > 0 ? started.reduce((a, b) => Math.min(a, b)) : null,
    finishedAt: finished.length > 0 ? finished.reduce((a, b) => Math.max(a, b)) : null,
    session: null,
    output: null,
  }
}

function below(source: string, parts: Map<string, StatusRecord[]>): Set<StatusRecord> {
  const found = new Set<StatusRecord>()
  const open = [source]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const part of parts.get(next) ?? []) {
      if (found.has(part)) continue
      found.add(part)
      open.push(part.source)
    }
  }
  return found
}

/** Whether the text can be read and says what was to be written: nothing of it is left to write. */
function says(format: StatusFile, file: SourceFile, written: readonly StatusChange[], part: string | null): boolean {
  const read = format.read(file, part)
  if (!read.ok) return false
  const now = new Map(read.value.map((record) => [record.source, record]))
  return written.every((change) => {
    const record = now.get(change.source)
    const left = record && editsOf(record, change, format, file.text)
    return Array.isArray(left) && left.length === 0
  })
}
