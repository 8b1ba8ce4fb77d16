// beads, one issue a line. An epic with issues below it is done when they are. Any other issue with issues below it is run
// itself, and passes its dependencies and words on to them. A failed issue stays open.
import { LIMITS } from '../../../config.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { StatusFacts } from '../format.ts'
import { prose } from '../prompt-from-fields.ts'
import { plainStatus } from '../status/status-words.ts'
import { jsonFormat, timeOf } from './format-from-table.ts'
import type { JsonNode, LeftOut } from './format-table.ts'
import { type Item, isNothing, type JsonReader, type Named, truthOf } from './reader.ts'
import { type Fields, REMOVED } from './set-fields.ts'
import { StatusField } from './status-field.ts'

/** Status of an issue that is only displayed and never done. beads lets no issue wait for it. */
const PINNED = 'pinned'

export const beads = jsonFormat({
  name: 'beads',
  title: 'beads JSONL',
  sign: 'one issue a line, with `id`, `title` and `status` or `issue_type`',
  words: { task: 'issue', epic: 'epic' },
  isLines: true,
  recognises: (first) =>
    typeof first.id === 'string' && 'title' in first && ('issue_type' in first || 'status' in first),
  resembles: (first) => !('tasks' in first) && (typeof first.id === 'string' || isOtherKind(first)),
  nothing: 'beads has one issue a line, with an `id`, a `title` and a `status`',
  head: (_, __, issues) => {
    const project = projectOf(issues)
    return { name: project === '' ? undefined : slug(project) }
  },
  tasks: {
    list: 'issues',
    what: 'issue',
    title: ['title'],
    words: ['description'],
    sections: [
      ['Design', 'design'],
      ['Acceptance criteria', 'acceptance_criteria'],
      ['Notes', 'notes'],
      ['Comments', 'comments'],
    ],
    kept: [
      ...['_type', 'issue_type', 'estimated_minutes', 'labels', 'assignee', 'owner', 'external_ref', 'content_hash'],
      ...['created_at', 'created_by', 'updated_at', 'closed_at', 'close_reason', 'closed_by_session', 'source_repo'],
      ...['compaction_level', 'compacted_at', 'original_size', 'deleted_at', 'deleted_by', 'delete_reason'],
      ...['original_type', PINNED, 'is_template'],
    ],
    // `dependencies` holds objects here, not names: `links` reads them.
    waits: { own: [], not: ['dependencies'] },
    links: (reader, item) => linksIn(reader, item).filter(({ type }) => WAITS.includes(type)),
    partOf: (reader, item) => linksIn(reader, item).flatMap(({ type, text }) => (type === PART_OF ? [text] : [])),
    isEpic: ({ value }) => value.issue_type === 'epic',
    isOther: isOtherKind,
    leftOut,
    more: (reader, { item }) => {
      const most = Math.floor(LIMITS.durationMs / 60_000)
      const minutes = reader.wholeNumber(item, 'estimated_minutes', { min: 0, max: most })
      return { fields: { estimate: minutes ? `${minutes}m` : undefined, tags: reader.texts(item, 'labels') } }
    },
    content: ({ item: { value } }) => {
      const links = [value.dependencies ?? []].flat().filter(isMapping)
      const ofType = (type: string): string[] =>
        links.filter((link) => linkType(link) === type).map(({ depends_on_id }) => prose(depends_on_id))
      return [...WAITS, PART_OF].map(ofType)
    },
  },
  status: {
    field: new StatusField(['status'], {
      // `tombstone` is what a deleted issue leaves behind.
      done: ['closed', 'tombstone', 'done', 'completed'],
      skipped: [PINNED],
      open: ['open', 'in_progress', 'blocked', 'hooked'],
    }),
    words: { open: 'open', begun: 'in_progress', done: 'closed', failed: 'open', blocked: 'blocked' },
    more: fieldsBesideStatus,
  },
})

/** Newer files have lines of other kinds between the issues: `{"_type":"memory","key":"k","value":"v"}`. */
function isOtherKind({ _type: kind }: Record<string, unknown>): boolean {
  return typeof kind === 'string' && kind.toLowerCase() !== 'issue'
}

/** The name of the project, with which all ids begin: `tea-a1`, `tea-b2.1`. Empty if they differ. */
function projectOf(issues: readonly JsonNode[]): string {
  const prefixes = new Set(issues.map(({ source }) => /^(.+)-[^-]+$/.exec(source.slice(0, MAX_ID_CHARS))?.[1] ?? ''))
  const [only = ''] = prefixes
  return prefixes.size === 1 ? only : ''
}

/** Longer than any real id. */
const MAX_ID_CHARS = 200

/** Kinds of issues that beads keeps but never gives out as work; some of them only group others. */
const NO_WORK = new Set([
  ...['message', 'gate', 'molecule', 'merge-request', 'agent', 'role', 'rig', 'convoy', 'slot', 'event'],
])

function leftOut(reader: JsonReader, item: Item): LeftOut | null {
  const type = reader.prose(item, 'issue_type').toLowerCase()
  if (NO_WORK.has(type)) return { is: `of the type ${shown(type)} (no work)`, field: 'issue_type', frees: 'parts' }
  if (truthOf(item.value.is_template)) return { is: 'marked as a template', field: 'is_template' }
  if (plainStatus(reader.prose(item, 'status')) === PINNED) return { is: shown(PINNED), field: 'status', frees: 'all' }
  return truthOf(item.value.pinned) ? { is: shown(PINNED), field: PINNED, frees: 'all' } : null
}

const WAITS = ['blocks', 'waits-for', 'conditional-blocks']
const PART_OF = 'parent-child'

function linkType({ type }: Record<string, unknown>): string {
  const written = prose(type)
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  return written || 'blocks'
}

type Links = (Named & { type: string })[]

/** Read once, so that an error in them is reported once. */
const linksOf = new WeakMap<Item, Links>()

function linksIn(reader: JsonReader, item: Item): Links {
  const known = linksOf.get(item)
  if (known) return known
  const links = reader.items(item, 'dependencies').flatMap((link) => {
    const path = [...link.path, 'depends_on_id']
    if (isNothing(link.value.depends_on_id)) {
      reader.warn(link.path, 'a dependency without `depends_on_id`: nothing waits for it')
      return []
    }
    const text = reader.id(link, 'dependency', 'depends_on_id')
    return text === null ? [] : [{ type: linkType(link.value), text, path }]
  })
  linksOf.set(item, links)
  return links
}

/** beads refuses a closed issue without `closed_at`, and an open one with it. */
function fieldsBesideStatus({ value }: Item, status: string, { phase, startedAt, finishedAt }: StatusFacts): Fields {
  const isNews = plainStatus(status) !== plainStatus(prose(value.status))
  const isDone = phase === 'done'
  // An issue that a person has closed keeps its time of closing.
  if (!isNews && (!isDone || value.closed_at)) return {}
  const updated_at = value.updated_at ? laterOf(prose(value.updated_at), finishedAt ?? startedAt) : undefined
  return { updated_at, closed_at: isDone ? timeOf(finishedAt) : value.closed_at ? REMOVED : undefined }
}

/** The new `updated_at`; undefined if a later change of the issue is recorded already. */
function laterOf(before: string, ms: number | null): string | undefined {
  return ms === null || Date.parse(before) >= ms ? undefined : timeOf(ms)
}
