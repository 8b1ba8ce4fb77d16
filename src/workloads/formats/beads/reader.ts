// beads, as JSON lines: one issue a line. An epic with issues below it is done when they are, so it becomes an epic here; what it
// waits for they wait for, and what waits for it waits for them. Any other issue with issues below it is run itself: only what it
// waits for, and its words, go down to them.
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import type { Document } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Format, SourceFile, Translation } from '../format.ts'
import { firstJsonLine, readJsonLines } from '../json/jsonl.ts'
import { JsonReader } from '../json/reader.ts'
import { namesInWords } from '../names-in-words.ts'
import { contextOfEach } from '../prompt/text.ts'
import { epicAbove, groupsOf } from './epics.ts'
import { type Issue, isOtherKind, leaveOut, readIssues } from './issues.ts'
import { connect } from './links.ts'
import { addTask, wordsOf } from './task.ts'

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
    doubled: () => lines.doubled?.() ?? [],
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
  const about = contextOfEach(issues.length, (epic: Issue) => wordsOf(reader, epic))
  for (const issue of issues) {
    if (issue.state !== 'open' || groups.has(issue)) continue
    const epic = epicAbove(reader, issue, groups)
    if (epic && !epics.has(epic)) {
      epics.add(epic)
      reader.epic({ id: epic.task, title: reader.prose(epic.item, 'title') }, epic.item.path)
    }
    addTask(reader, issue, { groups, about, epic })
  }
  tellOfEpics(reader, [...epics])
  for (const { task, source, state } of issues) reader.entries.push({ task, source, state })
  return reader.finishJson(
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
