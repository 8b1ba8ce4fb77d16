// Writes the statuses of a run's tasks into the text of its plan file. Pure. The rule is in `editsOf`.
import { createHash } from 'node:crypto'
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import type { SourceFile, StatusEntry, StatusFacts, StatusFormat, StatusPhase, TextEdit } from '../format.ts'
import { plainStatus } from './status-words.ts'
import { NO_FACTS, withEdits } from './text-edits.ts'

/**
 * `source`: its name in the file. `textHash`: of the task's text when the run began, or was replanned. `own`: statuses that the run
 * may replace: the initial one, those that the run wrote, the word for begun, and for groups also that for open.
 */
type Known = { source: string; textHash: string; own: readonly string[] }

/** `spelling`: the exact text to write for the status, if it differs from the format's own. */
export type StatusChange = Known & StatusFacts & { spelling?: string | undefined }

export type StatusChanges = {
  tasks: readonly StatusChange[]
  /** Tasks that are not run themselves, because they are done when all their parts are. */
  groups: readonly Known[]
}

/** `status`: the status in the file, which the run would have replaced. */
export type NotWritten = { source: string; why: 'gone' | 'another-task' | 'another-status'; status: string }

/** `changed`: the tasks and groups that were edited. */
type Applied = { text: string; conflicts: NotWritten[]; changed: readonly StatusChange[] }

export function applyStatus(
  format: StatusFormat,
  file: SourceFile,
  { tasks, groups }: StatusChanges,
  part: string | null,
): Result<Applied> {
  const read = format.read(file, part)
  if (!read.ok) return read
  const entries = new Map(read.value.map((entry) => [entry.source, entry]))
  const conflicts: NotWritten[] = []
  const edits: TextEdit[] = []
  const changed: StatusChange[] = []
  /** Returns false on a conflict. */
  const take = (change: StatusChange): boolean => {
    const found = editsOf(entries.get(change.source), change, format, file.text)
    if (!Array.isArray(found)) {
      conflicts.push(found)
      return false
    }
    edits.push(...found)
    if (found.length > 0) changed.push(change)
    return true
  }
  // A part in conflict counts with the status in the file, not with that of the run.
  const taken = new Map(tasks.filter(take).map((task) => [task.source, task]))
  for (const group of groupChanges(read.value, taken, groups)) take(group)
  if (edits.length === 0) return ok({ text: file.text, conflicts, changed })
  const text = withEdits(file.text, edits)
  return readsBack(format, { ...file, text, json: undefined }, changed, part)
    ? ok({ text, conflicts, changed })
    : refuse(problem('its status could not be written into this file without changing more', { file: file.file }))
}

export function hashOf(text: string): string {
  return `${COMPARABLE}${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}

/** `kept`: a stored hash. Builds before the first release hashed other parts of a task: their hashes cannot be compared. */
export function isSameText(kept: string, now: string): boolean {
  return kept === now || !isComparable(kept)
}

export function isComparable(hash: string): boolean {
  return hash.startsWith(COMPARABLE)
}

const COMPARABLE = '1:'

/**
 * The edits that set a status; none if nothing would change, or if the file says done in other words. A status that is
 * already set may still get times and output. It is written if the task's text is the one of the run and the current
 * status is one of `own`. Otherwise the person's status stays: a conflict.
 */
function editsOf(
  entry: StatusEntry | undefined,
  change: StatusChange,
  { words }: StatusFormat,
  text: string,
): TextEdit[] | NotWritten {
  const { source, phase } = change
  if (!entry) return { source, why: 'gone', status: '' }
  const { status } = entry
  const current = plainStatus(status)
  const word = change.spelling ?? words[phase]
  const isSame = current === plainStatus(word)
  if (!isSame && phase === 'done' && entry.state === 'done') return []
  if (current === '' && word === words.open) return []
  const edits = entry.edits(isSame ? status : word, change)
  const changes = edits.filter((edit) => text.slice(edit.offset, edit.offset + edit.length) !== edit.text)
  if (changes.length === 0) return []
  if (!isSameText(change.textHash, hashOf(entry.content()))) return { source, why: 'another-task', status }
  const isOwn = isSame || change.own.some((own) => plainStatus(own) === current)
  return isOwn ? changes : { source, why: 'another-status', status }
}

/** Changes of groups. A group is done when all its parts are, including parts that a person added meanwhile. */
function groupChanges(
  entries: readonly StatusEntry[],
  wanted: ReadonlyMap<string, StatusChange>,
  groups: readonly Known[],
): StatusChange[] {
  if (groups.length === 0) return []
  const parts = Map.groupBy(entries, ({ parent }) => parent)
  type Sum = { phase: StatusPhase; changes: StatusChange[] }
  const sums = new Map<string, Sum>()
  /** Phase and changes of a task with all its parts. */
  const sumOf = (source: string, state: StatusEntry['state']): Sum => {
    const known = sums.get(source)
    if (known) return known
    sums.set(source, { phase: 'open', changes: [] }) // for one that is a part of itself
    const itself = wanted.get(source)
    const inside = (parts.get(source) ?? []).map((part) => sumOf(part.source, part.state))
    const phases = inside.map(({ phase }) => phase)
    const isDone = inside.length > 0 ? phases.every((phase) => phase === 'done') : state !== 'open'
    const phase = itself?.phase ?? (isDone ? 'done' : phases.some((one) => one !== 'open') ? 'begun' : 'open')
    const sum = { phase, changes: [itself ?? [], ...inside.map(({ changes }) => changes)].flat() }
    sums.set(source, sum)
    return sum
  }
  return groups.flatMap((group) => {
    const { phase, changes } = sumOf(group.source, 'open')
    if (changes.length === 0) return []
    const times = (name: 'startedAt' | 'finishedAt') => changes.flatMap((one) => one[name] ?? []).sort((a, b) => a - b)
    const [startedAt, finishedAt] = [times('startedAt')[0] ?? null, times('finishedAt').at(-1) ?? null]
    return [{ ...NO_FACTS, ...group, phase, startedAt, finishedAt }]
  })
}

/** True if the new text, read again, has all statuses that were written. */
function readsBack(
  format: StatusFormat,
  file: SourceFile,
  changed: readonly StatusChange[],
  part: string | null,
): boolean {
  const read = format.read(file, part)
  const now = new Map((read.ok ? read.value : []).map((entry) => [entry.source, entry]))
  return changed.every((change) => {
    const left = editsOf(now.get(change.source), change, format, file.text)
    return Array.isArray(left) && left.length === 0
  })
}
