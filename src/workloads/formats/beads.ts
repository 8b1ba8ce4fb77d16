// beads, as JSON lines: one issue a line. Only `blocks` makes an issue wait. An epic with issues below it is done when
// they are, so it becomes an epic here; what it waits for they wait for, and what waits for it waits for them. Any other
// issue with issues below it is run itself: only what it waits for, and its words, go down to them.
import { LIMITS } from '../../config.ts'
import type { Result } from '../../problem.ts'
import { shown } from '../field.ts'
import type { Document, Path } from '../place.ts'
import { isMapping } from '../schema-check.ts'
import { slug } from '../slug.ts'
import { priorityOfLevel } from './foreign-priority.ts'
import { type LeftOut, StateReader, tellOfSkipped } from './foreign-state.ts'
import type { Entry, Format, SourceFile, Translation } from './format.ts'
import { type Item, JsonReader, truthOf } from './json-reader.ts'
import { firstJsonLine, readJsonLines } from './jsonl-document.ts'
import { namesInWords } from './names-in-words.ts'
import { OwnIds } from './own-ids.ts'
import { PlanBuilder } from './plan-builder.ts'
import { contextOfEach } from './prompt-context.ts'
import { promptText, prose } from './prompt-text.ts'

export const beads: Format = {
  name: 'beads',
  title: 'beads JSONL',
  sign: 'one issue a line, with `id`, `title` and `status` or `issue_type`',
  kind: 'json',
  words: { task: 'issue', epic: 'epic' },
  recognises: ({ text, json }) => isIssue(json ? json.value : firstJsonLine(text)),
  resembles: ({ text, json }) => {
    const first = json ? json.value : firstJsonLine(text)
    return isMapping(first) && typeof first.id === 'string' && !('tasks' in first)
  },
  translate: ([source]) => {
    const { text, file } = source as SourceFile
    const read = readJsonLines(text, file)
    return read.ok ? translate(new JsonReader(listed(read.value), file)) : read
  },
}

function isIssue(value: unknown): boolean {
  if (!isMapping(value) || typeof value.id !== 'string' || !('title' in value)) return false
  return 'issue_type' in value || 'status' in value
}

/** Under a name, as the lists of the other formats are. */
function listed(lines: Document): Document {
  return {
    format: 'json',
    value: { issues: lines.value },
    locate: (spots) => lines.locate(spots.map(({ path, at }) => ({ path: path.slice(1), at }))),
    doubled: () => lines.doubled?.() ?? [],
  }
}

export const KNOWN = new Set([
  ...['id', 'title', 'description', 'design', 'acceptance_criteria', 'notes', 'status', 'priority', 'issue_type'],
  ...['estimated_minutes', 'labels', 'dependencies', 'assignee', 'owner', 'external_ref', 'content_hash', 'comments'],
  ...['created_at', 'created_by', 'updated_at', 'closed_at', 'close_reason', 'closed_by_session', 'source_repo'],
  ...[
    'compaction_level',
    'compacted_at',
    'original_size',
    'deleted_at',
    'deleted_by',
    'delete_reason',
    'original_type',
    'pinned',
    'is_template',
  ],
])

/** It stands there for everybody to see, and is never done. Its own program lets nothing wait for it. */
const PINNED = 'pinned'

/** `tombstone` is what a deleted issue leaves behind. */
export const STATES = {
  done: ['closed', 'tombstone', 'done', 'completed'],
  skipped: ['deferred', PINNED],
  open: ['open', 'in_progress', 'blocked', 'hooked'],
}

/** What its own program keeps as issues without ever giving them out as work. */
const NO_WORK = new Set([
  ...['message', 'gate', 'molecule', 'merge-request', 'agent'],
  ...['role', 'rig', 'convoy', 'slot', 'event'],
])

const TYPES = new Set(['blocks', 'related', 'parent-child', 'discovered-from'])

type Issue = {
  item: Item
  source: string
  task: string
  state: Entry['state']
  /** Null where nothing that it says itself keeps it from being run. */
  leftOut: LeftOut | null
  isEpic: boolean
  parent: Issue | null
  children: Issue[]
  needs: { issue: Issue; path: Path }[]
}

function translate(reader: JsonReader): Result<Translation> {
  const plan = new PlanBuilder()
  const issues = readIssues(reader)
  const project = projectOf(issues)
  plan.head('name', project === '' ? undefined : slug(project), [])
  connect(reader, issues)
  leaveOut(reader, issues)
  const groups = groupsOf(reader, issues)
  const epics = new Set<Issue>()
  const about = contextOfEach(issues.length, (epic: Issue) => wordsOf(reader, epic))
  for (const issue of issues) {
    if (issue.state !== 'open' || groups.has(issue)) continue
    const epic = epicAbove(reader, issue, groups)
    if (epic && !epics.has(epic)) {
      epics.add(epic)
      plan.epic({ id: epic.task, title: reader.prose(epic.item, 'title') || undefined }, epic.item)
    }
    addTask(reader, plan, issue, { groups, about, epic })
  }
  tellOfEpics(reader, [...epics])
  return reader.finish(
    plan,
    issues.map(({ task, source, state }): Entry => ({ task, source, state })),
    'there are no issues in it: beads has one issue a line, with an `id`, a `title` and a `status`',
  )
}

function tellOfEpics(reader: JsonReader, epics: readonly Issue[]): void {
  const [first] = epics
  if (!first) return
  const names = namesInWords(epics.map(({ source }) => source))
  const message =
    epics.length === 1
      ? `epic ${names} is done when its issues are, and not run itself`
      : `epics ${names} are done when their issues are, and not run themselves`
  reader.assume(first.item.path, message)
}

/** The ids of a project all begin with its name: `tea-a1`, `tea-b2.1`. Empty where they do not. */
function projectOf(issues: readonly Issue[]): string {
  const prefixes = new Set(issues.map(({ source }) => /^(.+)-[^-]+$/.exec(source.slice(0, MAX_ID_CHARS))?.[1] ?? ''))
  const [only = ''] = prefixes
  return prefixes.size === 1 ? only : ''
}

/** Nobody calls an issue anything longer. */
const MAX_ID_CHARS = 200

function readIssues(reader: JsonReader): Issue[] {
  const ids = new OwnIds('issue')
  const states = new StateReader(reader, STATES, 'issue')
  const first = new Map<string, Path>()
  const issues = reader.items(reader.root(), 'issues').flatMap((item): Issue[] => {
    reader.noteUntold(item, KNOWN, 'issue')
    const source = reader.id(item, 'issue')
    if (source === null) return []
    const path = [...item.path, 'id']
    const same = first.get(source)
    if (same) reader.twice('issue', source, path, same)
    else first.set(source, path)
    const isEpic = item.value.issue_type === 'epic'
    const said = states.of(item)
    const leftOut = said === 'done' ? null : leftOutOf(reader, item, said === 'skipped')
    const state = leftOut ? 'skipped' : said
    const base = { item, source, task: ids.of(source), state, leftOut, isEpic }
    return [{ ...base, parent: null, children: [], needs: [] }]
  })
  states.tell()
  return issues
}

function leftOutOf(reader: JsonReader, item: Item, byStatus: boolean): LeftOut | null {
  const type = reader.prose(item, 'issue_type').toLowerCase()
  if (NO_WORK.has(type)) return { is: `of the type ${shown(type)}, which is no work`, field: 'issue_type' }
  if (truthOf(item.value.is_template)) return { is: 'marked as a template', field: 'is_template' }
  if (byStatus) return { is: shown(reader.prose(item, 'status').toLowerCase()), field: 'status' }
  return truthOf(item.value.pinned) ? { is: shown(PINNED), field: PINNED } : null
}

function connect(reader: JsonReader, issues: Issue[]): void {
  const bySource = new Map(issues.map((issue) => [issue.source, issue]))
  for (const issue of issues) {
    for (const dependency of reader.items(issue.item, 'dependencies')) {
      const target = reader.id(dependency, 'dependency', 'depends_on_id')
      if (target === null) continue
      const kind = reader.prose(dependency, 'type') || 'blocks'
      const path = [...dependency.path, 'depends_on_id']
      if (!TYPES.has(kind)) {
        reader.ignore(
          [...dependency.path, 'type'],
          `dependencies of the type ${shown(kind)}: only \`blocks\` makes an issue wait`,
        )
        continue
      }
      const other = bySource.get(target)
      const missing = `there is no issue ${shown(target)} to wait for`
      if (kind === 'blocks' && !other && issue.state === 'open') reader.error(path, missing)
      else if (kind === 'blocks' && !other) reader.warn(path, `${missing}; nothing waits for it here`)
      else if (kind === 'blocks' && other) issue.needs.push({ issue: other, path })
      else if (kind === 'parent-child' && other && other !== issue) issue.parent = betterParent(issue.parent, other)
    }
  }
  cutCircles(issues)
  for (const issue of issues) issue.parent?.children.push(issue)
}

/** The first epic; else the first of the others. */
function betterParent(known: Issue | null, other: Issue): Issue {
  return known && (known.isEpic || !other.isEpic) ? known : other
}

/** What is part of itself, by way of others, is part of nothing: nobody could say which of them is the whole. */
function cutCircles(issues: readonly Issue[]): void {
  const seen = new Set<Issue>()
  for (const issue of issues) {
    const way: Issue[] = []
    let at: Issue | null = issue
    for (; at && !seen.has(at); at = at.parent) {
      seen.add(at)
      way.push(at)
    }
    const start = at ? way.indexOf(at) : -1
    if (start !== -1) for (const one of way.slice(start)) one.parent = null
  }
}

type Groups = Map<Issue, Issue[]>

/** The open epics with open issues below them, at any depth, and those of these issues that are run. */
function groupsOf(reader: JsonReader, issues: Issue[]): Groups {
  const groups: Groups = new Map()
  for (const issue of issues) {
    if (issue.state !== 'open' || !issue.isEpic) continue
    const below = openBelow(reader, issue)
    if (below.length > 0) groups.set(issue, below)
  }
  for (const [epic, below] of groups)
    groups.set(
      epic,
      below.filter((one) => !groups.has(one)),
    )
  return groups
}

function openBelow(reader: JsonReader, epic: Issue): Issue[] {
  const found: Issue[] = []
  const open = [...epic.children]
  for (let next = open.pop(); next; next = open.pop()) {
    // Thousands of epics inside each other would be gone through thousands of times.
    if (!reader.takeEdges(1, epic.item.path)) break
    for (const child of next.children) open.push(child)
    if (next.state === 'open') found.push(next)
  }
  return found.reverse()
}

/** The nearest epic that it is part of, also by way of other issues. */
function epicAbove(reader: JsonReader, { item, parent }: Issue, groups: Groups): Issue | null {
  let at = parent
  while (at && !groups.has(at) && reader.takeEdges(1, item.path)) at = at.parent
  return at && groups.has(at) ? at : null
}

/** What waits for something that is left out waits without end, and so does what is part of it: left out, and named. */
function leaveOut(reader: JsonReader, issues: Issue[]): void {
  const behind = new Map<Issue, { issue: Issue; path: Path; why: string }[]>()
  const note = (gone: Issue, issue: Issue, path: Path, why: string): void => {
    const list = behind.get(gone)
    if (list) list.push({ issue, path, why })
    else behind.set(gone, [{ issue, path, why }])
  }
  for (const issue of issues) {
    for (const need of issue.needs) note(need.issue, issue, need.path, 'waits for')
    // What only holds its parts together, such as a molecule, is no work itself; its parts are.
    if (issue.parent && issue.parent.leftOut?.field !== 'issue_type')
      note(issue.parent, issue, issue.item.path, 'is part of')
  }
  const said = issues.filter(({ leftOut }) => leftOut !== null)
  tellOfSkipped(reader, 'issue', said)
  const lost = said.filter(({ leftOut }) => leftOut?.is !== shown(PINNED))
  for (let at = 0; at < lost.length; at++) {
    const gone = lost[at] as Issue
    for (const { issue, path, why } of behind.get(gone) ?? []) {
      if (issue.state !== 'open') continue
      issue.state = 'skipped'
      lost.push(issue)
      const state = gone.leftOut?.is ?? 'left out'
      reader.warn(path, `issue ${shown(issue.source)} is left out: it ${why} ${shown(gone.source)}, which is ${state}`)
    }
  }
}

/** Priorities are 0 to 4. */
const LOWEST_LEVEL = 4

type Around = { groups: Groups; about: (whole: Issue) => string; epic: Issue | null }

function addTask(reader: JsonReader, plan: PlanBuilder, issue: Issue, { groups, about, epic }: Around): void {
  const { item, parent } = issue
  const title = reader.prose(item, 'title')
  const lead = [title, reader.prose(item, 'description')].filter(Boolean).join('\n\n')
  if (lead === '') reader.error(item.path, 'this issue has neither `title` nor `description`: what is to be done?')
  const needs = needsOf(reader, issue, groups)
  const minutes = reader.wholeNumber(item, 'estimated_minutes', { min: 0, max: Math.floor(LIMITS.durationMs / 60_000) })
  const level = reader.wholeNumber(item, 'priority', { min: 0, max: LOWEST_LEVEL })
  plan.task(
    {
      id: issue.task,
      title: title || undefined,
      prompt: promptText(lead, [
        ['Design', reader.prose(item, 'design')],
        ['Acceptance criteria', reader.prose(item, 'acceptance_criteria')],
        ['Notes', reader.prose(item, 'notes')],
        ['Comments', commentsOf(item)],
        ...reader.told(item, KNOWN),
        ['What this is part of', parent ? about(parent) : ''],
      ]),
      epic: epic?.task,
      needs: [...needs.keys()],
      priority: level === undefined ? undefined : priorityOfLevel(level),
      estimate: minutes ? `${minutes}m` : undefined,
      tags: reader.texts(item, 'labels'),
    },
    { path: item.path, fields: { id: [...item.path, 'id'] }, lists: { needs: [...needs.values()] } },
  )
}

/** Texts, or `{author, text}`. */
function commentsOf({ value }: Item): string {
  if (!Array.isArray(value.comments)) return prose(value.comments)
  const comments = value.comments.map((one: unknown) => {
    if (!isMapping(one)) return prose(one)
    const who = prose(one.author)
    return [who && `${who}:`, prose(one.text)].filter(Boolean).join(' ')
  })
  return prose(comments)
}

/** Of the words of what surrounds an issue those of so many levels are told; they are cut to a page anyway. */
const LEVELS_TOLD = 10

/** Its own words, and those of what it is part of itself. */
function wordsOf(reader: JsonReader, whole: Issue): string[] {
  const words: string[] = []
  let at: Issue | null = whole
  for (let level = 0; at && level < LEVELS_TOLD; level++, at = at.parent) {
    const title = reader.prose(at.item, 'title')
    words.push(level === 0 || title === '' ? title : `Which is part of: ${title}`, reader.prose(at.item, 'description'))
  }
  return words
}

/** Its own and those of what it is part of; an epic stands for the open issues below it. */
function needsOf(reader: JsonReader, issue: Issue, groups: Groups): Map<string, Path> {
  const above = new Set<Issue>()
  for (let at: Issue | null = issue; at && reader.takeEdges(1, issue.item.path); at = at.parent) above.add(at)
  const needs = new Map<string, Path>()
  const waits = [...above].flatMap((one) => one.needs.map((need) => ({ ...need, whole: one === issue ? null : one })))
  for (const { issue: need, path, whole } of waits) {
    // An issue is not held up by the epic it is part of; and an epic that waits for its own issues says only that they are its.
    if (need.state !== 'open' || (above.has(need) && groups.has(need))) continue
    if (whole && isBelow(reader, need, whole)) continue
    const all = groups.get(need) ?? [need]
    if (all.length > 1 && !reader.takeEdges(all.length, path)) break
    for (const one of all) if (!needs.has(one.task)) needs.set(one.task, path)
  }
  return needs
}

function isBelow(reader: JsonReader, issue: Issue, whole: Issue): boolean {
  for (let at: Issue | null = issue; at; at = at.parent) {
    if (at === whole) return true
    if (!reader.takeEdges(1, issue.item.path)) return false
  }
  return false
}
