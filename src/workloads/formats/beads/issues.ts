// The issues of a beads file, and which of them are to be done.
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/json-reader.ts'
import { type Item, truthOf } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { StateReader } from '../read-status/state-reader.ts'
import { stateOf } from '../read-status/status-words.ts'

export type Issue = {
  item: Item
  source: string
  task: string
  state: Entry['state']
  /** Null where nothing that it says itself keeps it from being run. */
  leftOut: { is: string; field: string } | null
  isEpic: boolean
  parent: Issue | null
  children: Issue[]
  needs: { issue: Issue; path: Path }[]
}

export function readIssues(reader: JsonReader): Issue[] {
  const ids = new OwnIds('issue')
  const states = new StateReader(reader, STATES, 'issue')
  const first = new Map<string, Path>()
  const issues = reader.items(reader.root(), 'issues').flatMap((item): Issue[] => {
    if (isOtherKind(item.value)) {
      reader.ignore([...item.path, '_type'], `lines of the type ${shown(item.value._type)}, which are no issues`)
      return []
    }
    reader.noteUntold(item, KNOWN, 'issue')
    const source = reader.id(item, 'issue')
    if (source === null) return []
    reader.noteName(first, 'issue', source, [...item.path, 'id'])
    const reason = stateOf(reader.prose(item, 'status'), STATES) === 'done' ? null : noWorkIn(reader, item)
    if (reason) states.leaveOut(source, reason.is, [...item.path, reason.field])
    const state = reason ? 'skipped' : states.of(item, source)
    const isOut = state === 'skipped'
    const leftOut = reason ?? (isOut ? { is: shown(reader.prose(item, 'status')), field: 'status' } : null)
    const isEpic = item.value.issue_type === 'epic'
    return [{ item, source, task: ids.of(source), state, leftOut, isEpic, parent: null, children: [], needs: [] }]
  })
  states.tell()
  return issues
}

/** Newer files have lines of other kinds between the issues: `{"_type":"memory","key":"k","value":"v"}`. */
export function isOtherKind({ _type: kind }: Record<string, unknown>): boolean {
  return typeof kind === 'string' && kind.toLowerCase() !== 'issue'
}

function noWorkIn(reader: JsonReader, item: Item): Issue['leftOut'] {
  const type = reader.prose(item, 'issue_type').toLowerCase()
  if (NO_WORK.has(type)) return { is: `of the type ${shown(type)}, which is no work`, field: 'issue_type' }
  if (truthOf(item.value.is_template)) return { is: 'marked as a template', field: 'is_template' }
  return truthOf(item.value.pinned) ? { is: shown(PINNED), field: PINNED } : null
}

export const KNOWN = new Set([
  ...[
    '_type',
    'id',
    'title',
    'description',
    'design',
    'acceptance_criteria',
    'notes',
    'status',
    'priority',
    'issue_type',
  ],
  ...['estimated_minutes', 'labels', 'dependencies', 'assignee', 'owner', 'external_ref', 'content_hash', 'comments'],
  ...['created_at', 'created_by', 'updated_at', 'closed_at', 'close_reason', 'closed_by_session', 'source_repo'],
  ...['compaction_level', 'compacted_at', 'original_size', 'deleted_at', 'deleted_by', 'delete_reason'],
  ...['original_type', 'pinned', 'is_template', ...WAIT_FIELDS],
])

/** It stands there for everybody to see, and is never done. Its own program lets nothing wait for it. */
const PINNED = 'pinned'

/** `tombstone` is what a deleted issue leaves behind. */
export const STATES = {
  done: ['closed', 'tombstone', 'done', 'completed'],
  skipped: [PINNED],
  open: ['open', 'in_progress', 'blocked', 'hooked'],
}

/** What its own program keeps as issues without ever giving them out as work. */
const NO_WORK = new Set([
  ...['message', 'gate', 'molecule', 'merge-request', 'agent', 'role', 'rig', 'convoy', 'slot', 'event'],
])

/** What waits for something that is left out waits without end, and so does what is part of it: left out, and named. */
export function leaveOut(reader: JsonReader, issues: Issue[]): void {
  const held = issues.flatMap((issue) => {
    const { needs, parent, item } = issue
    const waits = needs.map(({ issue: by, path }) => ({ by, issue, path, why: 'waits for' }))
    // What only holds its parts together, such as a molecule, is no work itself; its parts are.
    if (!parent || parent.leftOut?.field === 'issue_type') return waits
    return [...waits, { by: parent, issue, path: item.path, why: 'is part of' }]
  })
  const behind = Map.groupBy(held, ({ by }) => by)
  const named = issues.filter(({ leftOut }) => leftOut !== null)
  const lost = named.filter(({ leftOut }) => leftOut?.is !== shown(PINNED))
  for (const gone of lost)
    for (const { issue, path, why } of behind.get(gone) ?? []) {
      if (issue.state !== 'open') continue
      issue.state = 'skipped'
      lost.push(issue)
      const state = gone.leftOut?.is ?? 'left out'
      reader.warn(path, `issue ${shown(issue.source)} is left out: it ${why} ${shown(gone.source)}, which is ${state}`)
    }
}
