// The statuses of beads, with the times beside them. What failed is open still.
import { ok } from '../../../problem.ts'
import { filledLines, readJsonLines } from '../../document/jsonl.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Item } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { plainStatus, stateOf } from '../read-status/status-words.ts'
import { idOf, itemsOf, type JsonTask, jsonEntry, statusOf, textOf, timeOf } from '../status/json-entries.ts'
import { type Fields, JsonText, REMOVED } from '../status/set-json-fields.ts'
import type { StatusEntry, StatusFacts, StatusFile } from '../status/status-file.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import { isOtherKind, KNOWN, STATES } from './issues.ts'
import { linkType, WAITS } from './links.ts'

export const beadsStatus: StatusFile = {
  format: 'beads',
  words: { open: 'open', begun: 'in_progress', done: 'closed', failed: 'open', blocked: 'blocked' },
  read: ({ text, file }) => {
    const lines = readJsonLines(text, file)
    if (!lines.ok) return lines
    const values = lines.value.value as unknown[]
    const epicOf = epicOfEach(values.filter(isMapping))
    return ok([...filledLines(text)].flatMap((line, i) => recordOf(values[i], line, epicOf) ?? []))
  },
}

function recordOf(
  value: unknown,
  { line, offset }: { line: string; offset: number },
  epicOf: (id: string) => string | undefined,
): StatusEntry | null {
  if (!isMapping(value) || isOtherKind(value)) return null
  const item: Item = { value, path: [] }
  const [status, source] = [statusOf(item), idOf(item)]
  const task = { item, source, parent: epicOf(source), status, state: stateOf(status, STATES) }
  const fields: JsonTask['fields'] = (word, facts) => fieldsOf(word, facts, item)
  return jsonEntry({ ...task, says: () => wordsOf(item), fields }, new JsonText(line, offset))
}

/** Its own program refuses an issue that is closed without `closed_at`, and one that has it without being closed. */
function fieldsOf(status: string, { phase, startedAt, finishedAt }: StatusFacts, { value }: Item): Fields {
  const isNews = plainStatus(status) !== plainStatus(prose(value.status))
  const isDone = phase === 'done'
  // One that somebody has closed keeps the time of that.
  if (!isNews && (!isDone || value.closed_at)) return { status }
  const updated_at = value.updated_at ? laterOf(prose(value.updated_at), finishedAt ?? startedAt) : undefined
  const closed_at = isDone ? timeOf(finishedAt) : value.closed_at ? REMOVED : undefined
  return { status, updated_at, closed_at }
}

/** Somebody may have changed something else of it since. */
function laterOf(before: string, ms: number | null): string | undefined {
  return ms === null || Date.parse(before) >= ms ? undefined : timeOf(ms)
}

/** Not `notes` and `comments`: its program and agents write there what they do. */
const FIELDS = [
  'title',
  'description',
  'design',
  'acceptance_criteria',
  ...WAIT_FIELDS.filter((name) => name !== 'dependencies'),
]

function wordsOf(item: Item): unknown[] {
  return [...textOf(item, FIELDS, KNOWN), ...[...WAITS, 'parent-child'].map((type) => linksOf(item, type))]
}

/** What it depends on in this way. Others say nothing about when it is done. */
function linksOf(item: Item, type: string): string[] {
  const links = itemsOf(item, 'dependencies').filter(({ value }) => linkType(value) === type)
  return links.map(({ value }) => prose(value.depends_on_id))
}

/** The nearest epic that an issue is part of, also by way of other issues, as its reader has it. */
function epicOfEach(values: readonly Record<string, unknown>[]): (id: string) => string | undefined {
  const items = new Map(values.map((value) => ({ value, path: [] })).map((item) => [idOf(item), item]))
  const isEpic = (id: string): boolean => items.get(id)?.value.issue_type === 'epic'
  const parentOf = new Map(
    [...items].map(([id, item]) => {
      const parents = linksOf(item, 'parent-child').filter((one) => one !== id && items.has(one))
      return [id, parents.find(isEpic) ?? parents[0]]
    }),
  )
  return (id) => {
    const seen = new Set<string>()
    for (let next = parentOf.get(id); next !== undefined && !seen.has(next); next = parentOf.get(next)) {
      if (isEpic(next)) return next
      seen.add(next)
    }
    return undefined
  }
}
