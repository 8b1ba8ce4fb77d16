// beads, one issue a line. An epic with issues below it is done when they are; any other issue above others is run itself,
// and hands down what it waits for and its words.
import { LIMITS } from '../../../config.ts'
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shownNames } from '../../document/field.ts'
import { firstJsonLine, readJsonLines } from '../../document/jsonl.ts'
import type { Document } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Format, SourceFile, Translation } from '../format.ts'
import { JsonReader } from '../json/json-reader.ts'
import { priorityOfLevel } from '../json/priority.ts'
import type { Item } from '../json/values.ts'
import { contextOfEach, promptText, prose } from '../task-prompt/compose-prompt.ts'
import { type Issue, isOtherKind, KNOWN, leaveOut, readIssues } from './issues.ts'
import { connect, type Groups, groupsOf, needsOf, withParents } from './links.ts'

export const beads: Format = {
  name: 'beads',
  title: 'beads JSONL',
  sign: 'one issue a line, with `id`, `title` and `status` or `issue_type`',
  kind: 'json',
  words: { task: 'issue', epic: 'epic' },
  recognises: ({ text, json }) => isIssue(json ? json.value : firstJsonLine(text)),
  resembles: ({ text, json }) => {
    const first = json ? json.value : firstJsonLine(text)
    return isMapping(first) && !('tasks' in first) && (typeof first.id === 'string' || isOtherKind(first))
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
  }
}

function translate(reader: JsonReader): Result<Translation> {
  const issues = readIssues(reader)
  connect(reader, issues)
  const project = projectOf(issues)
  reader.head({ name: project === '' ? undefined : slug(project) })
  leaveOut(reader, issues)
  const groups = groupsOf(reader, issues)
  const epics = new Set<Issue>()
  const about = contextOfEach(issues.length, (whole: Issue) => wordsOf(reader, whole))
  for (const issue of issues) {
    reader.entries.push({ task: issue.task, source: issue.source, state: issue.state })
    if (issue.state !== 'open' || groups.has(issue)) continue
    const epic = withParents(reader, issue).find((one) => groups.has(one)) ?? null
    if (epic && !epics.has(epic))
      reader.epic({ id: epic.task, title: reader.prose(epic.item, 'title') }, epic.item.path)
    if (epic) epics.add(epic)
    addTask(reader, issue, { groups, about, epic })
  }
  const [first] = epics
  const names = shownNames([...epics].map(({ source }) => source))
  if (first) reader.assume(first.item.path, `epics are done when their issues are, and not run themselves: ${names}`)
  return reader.finishJson(
    'there are no issues in it: beads has one issue a line, with an `id`, a `title` and a `status`',
  )
}

/** The ids of a project all begin with its name: `tea-a1`, `tea-b2.1`. Empty where they do not. */
function projectOf(issues: readonly Issue[]): string {
  const prefixes = new Set(issues.map(({ source }) => /^(.+)-[^-]+$/.exec(source.slice(0, MAX_ID_CHARS))?.[1] ?? ''))
  const [only = ''] = prefixes
  return prefixes.size === 1 ? only : ''
}

/** Nobody calls an issue anything longer. */
const MAX_ID_CHARS = 200

type Context = { groups: Groups; about: (whole: Issue) => string; epic: Issue | null }

function addTask(reader: JsonReader, issue: Issue, { groups, about, epic }: Context): void {
  const { item, parent } = issue
  const title = reader.prose(item, 'title')
  const lead = [title, reader.prose(item, 'description')].filter(Boolean).join('\n\n')
  if (lead === '') reader.error(item.path, 'this issue has neither `title` nor `description`: what is to be done?')
  const minutes = reader.wholeNumber(item, 'estimated_minutes', { min: 0, max: Math.floor(LIMITS.durationMs / 60_000) })
  const level = reader.wholeNumber(item, 'priority', { min: 0, max: LOWEST_LEVEL })
  reader.task(
    {
      id: issue.task,
      title,
      prompt: promptText(lead, [
        ['Design', reader.prose(item, 'design')],
        ['Acceptance criteria', reader.prose(item, 'acceptance_criteria')],
        ['Notes', reader.prose(item, 'notes')],
        ['Comments', commentsOf(item)],
        ...reader.otherSections(item, KNOWN),
        ['What this is part of', parent ? about(parent) : ''],
      ]),
      epic: epic?.task,
      needs: needsOf(reader, issue, groups),
      priority: level === undefined ? undefined : priorityOfLevel(level),
      estimate: minutes ? `${minutes}m` : undefined,
      tags: reader.texts(item, 'labels'),
    },
    item.path,
  )
}

const LOWEST_LEVEL = 4

function commentsOf({ value }: Item): string {
  const comments = [value.comments ?? []].flat().map((one: unknown) => {
    if (!isMapping(one)) return prose(one)
    const who = prose(one.author)
    return [who && `${who}:`, prose(one.text)].filter(Boolean).join(' ')
  })
  return prose(comments)
}

/** Of the words of what surrounds an issue those of so many levels are told; they are cut to a page anyway. */
const LEVELS_TOLD = 10

function wordsOf(reader: JsonReader, whole: Issue): string[] {
  return withParents(reader, whole)
    .slice(0, LEVELS_TOLD)
    .flatMap(({ item }, level) => {
      const title = reader.prose(item, 'title')
      return [level === 0 || title === '' ? title : `Which is part of: ${title}`, reader.prose(item, 'description')]
    })
}
