// Task Master's `tasks.json`. A task with subtasks becomes an epic. There is no word for what failed: that is to be done still.
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import { readJson } from '../../document/json.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { SourceFile } from '../format.ts'
import { type PromptSection, prose } from '../prompt.ts'
import { stateOf } from '../status/status-words.ts'
import { jsonFormat } from './format.ts'
import { type Item, type JsonReader, numberIn } from './reader.ts'
import { StatusField } from './status-field.ts'
import type { Choice, Group, JsonNode, Nodes } from './table.ts'

const STATES = { done: ['done', 'completed', 'complete'], open: ['pending', 'in_progress', 'blocked', 'review'] }

export const taskMaster = jsonFormat({
  name: 'task-master',
  title: 'Task Master tasks.json',
  sign: '`tasks` with `title`, `status` and `dependencies`, at the top or under a tag',
  words: { task: 'task', epic: 'task' },
  parts: 'a tag',
  recognises: (root) => tagsOf(root).some(({ tasks }) => tasks.some(isSuch)),
  resembles: (root) => tagsOf(root).some(({ name, tasks }) => name !== null || tasks.some(hasNumber)),
  nothing: 'Task Master has a list of `tasks`, each with an `id`, a `title` and a `status`',
  choose,
  top: {
    what: 'list of tasks',
    known: ['tasks', 'metadata', 'meta', 'projectName', 'version'],
    head: (reader, root) => {
      const [metadata, meta] = [reader.inner(root, 'metadata'), reader.inner(root, 'meta')]
      const project = prose(metadata.value.projectName ?? meta.value.projectName)
      const tag = String(root.path[0] ?? USUAL_TAG)
      const name = [project, tag === USUAL_TAG ? '' : tag].filter(Boolean).join(' ')
      return { name: name === '' ? undefined : slug(name) }
    },
  },
  tasks: {
    list: 'tasks',
    what: 'task',
    parts: 'subtasks',
    title: ['title'],
    words: ['description'],
    sections: [
      ['Details', 'details'],
      ['Acceptance criteria', 'acceptanceCriteria'],
      ['Test strategy', 'testStrategy'],
      ['Relevant files', 'relevantFiles', filesInWords],
      ['Notes', 'notes'],
    ],
    files,
    kept: [
      ...['complexity', 'effort', 'tags', 'metadata', 'previousStatus', 'createdAt', 'updatedAt', 'completedAt'],
      ...['parentId', 'parentTaskId', 'complexityScore'],
    ],
    waits: { own: ['dependencies'] },
    about,
    more: (reader, { item, parent }) => ({
      fields: { tags: reader.texts(item, 'tags') },
      sections: [['Subtasks', parent ? reader.prose(item, 'subtasks') : '']],
    }),
    plain: (field, value) => (typeof value === 'string' ? withoutLog(field, value) : value),
    // Subtasks of a subtask are not run one by one: they are part of its text.
    content: ({ parent, item }) => (parent ? [prose(item.value.subtasks)].filter(Boolean) : []),
  },
  status: {
    field: new StatusField(['status'], STATES),
    words: { open: 'pending', begun: 'in-progress', done: 'done', failed: 'pending', blocked: 'blocked' },
  },
  remark,
})

/** One of these besides `id` and `title`: a plan of the own format has none of them. */
const FIELDS = ['status', 'dependencies', 'details', 'testStrategy', 'subtasks', 'description']

function isSuch(task: unknown): boolean {
  if (!isMapping(task) || 'prompt' in task || 'run' in task || !('id' in task) || !('title' in task)) return false
  return FIELDS.some((name) => name in task)
}

/** Ids of the own format are no numbers. */
function hasNumber(task: unknown): boolean {
  return isMapping(task) && !('prompt' in task) && !('run' in task) && typeof numberIn(task.id) === 'number'
}

/** Names at the top of a file that are looked at: a file with more is something else. */
const MAX_TAGS = 1_000

type Tag = { name: string | null; path: Path; tasks: unknown[] }

function tagsOf(value: unknown): Tag[] {
  if (!isMapping(value)) return []
  if (Array.isArray(value.tasks)) return [{ name: null, path: [], tasks: value.tasks }]
  const tags: Tag[] = []
  let seen = 0
  for (const name in value) {
    if (++seen > MAX_TAGS) break
    const inside = value[name]
    if (isMapping(inside) && Array.isArray(inside.tasks)) tags.push({ name, path: [name], tasks: inside.tasks })
  }
  return tags
}

const USUAL_TAG = 'master'

/** The tag that its own program works with, as it notes in `state.json`. Null where that is none of the file. */
function currentTag({ value }: Document, state: string | undefined): string | null {
  const read = state === undefined ? undefined : readJson(state, 'state.json')
  const named = read?.ok && isMapping(read.value.value) ? read.value.value.currentTag : undefined
  return tagsOf(value).find(({ name }) => name !== null && name === named)?.name ?? null
}

function choose(document: Document, { file, state }: SourceFile, part: string | null): Result<Choice> {
  const tags = tagsOf(document.value)
  const place = { file, line: 1, column: 1 }
  const names = tags.map(({ name }) => name ?? 'none').join(', ')
  const current = part === null ? currentTag(document, state) : null
  const wanted = part ?? current
  const usual = tags.find(({ name }) => name === USUAL_TAG) ?? (tags.length === 1 ? tags[0] : undefined)
  const tag = wanted === null ? usual : tags.find(({ name }) => name === wanted)
  if (!tag && wanted !== null)
    return refuse(problem(`there is no tag ${shown(wanted)} in it; the tags are: ${names}`, place))
  if (!tag && tags.length === 0) return refuse(problem('there is no list of `tasks` in it', place))
  if (!tag) return refuse(problem(`it has the tags ${names}: name one with \`--part\``, place))
  return ok({
    path: tag.path.map(String),
    part: current ?? undefined,
    remark: (reader) => {
      if (part === null) remarkOnTags(reader, tag, tags, current !== null)
    },
  })
}

/** Whoever works under another tag would wonder where its tasks are. */
function remarkOnTags(reader: JsonReader, { name, path, tasks }: Tag, all: readonly Tag[], isCurrent: boolean): void {
  if (name === null) return
  const others = all.filter((tag) => tag.name !== name)
  const isElsewhere = openIn(tasks) === 0 && others.some((tag) => openIn(tag.tasks) > 0)
  const why = isCurrent ? ', which is the current one' : ''
  const message = `the tag ${shown(name)} is meant${why}; \`--part TAG\` takes one of the others`
  for (const other of others.sort((a, b) => openIn(b.tasks) - openIn(a.tasks)))
    if (isElsewhere) reader.warn(path, message, other.name ?? '')
    else reader.assume(path, message, other.name ?? '')
}

function openIn(tasks: readonly unknown[]): number {
  return tasks.filter((task) => isMapping(task) && stateOf(prose(task.status), STATES) === 'open').length
}

function remark(reader: JsonReader, _: Item, { nodes }: Nodes): void {
  for (const { item, source, state, parent, parts } of nodes) {
    if (parent || parts.length === 0) continue
    const isOpen = ({ status }: JsonNode): boolean => status.word !== '' && stateOf(status.word, STATES) === 'open'
    if (state === 'done' && parts.some(isOpen))
      reader.assume(item.path, 'tasks that are done count as done with all of their subtasks', source)
    if (state === 'open' && parts.every((part) => part.state !== 'open'))
      reader.assume(item.path, 'tasks whose subtasks are all done or cancelled are run themselves', source)
  }
}

/** Its files are those of all its subtasks together, so they are told: claimed by each they would keep them apart. */
function about(reader: JsonReader, { item }: Group | JsonNode, _: Item, fields: ReadonlySet<string>): string[] {
  const sections: PromptSection[] = [
    ['Details', reader.prose(item, 'details')],
    ['Acceptance criteria', reader.prose(item, 'acceptanceCriteria')],
    ['Test strategy', reader.prose(item, 'testStrategy')],
    ['Relevant files', filesInWords(item)],
    ...reader.otherSections(item, fields),
  ]
  const labelled = sections.map(([label, text]) => (text === '' ? '' : `${label}:\n${text}`))
  return [reader.prose(item, 'title'), reader.prose(item, 'description'), ...labelled]
}

/** Its own program logs what was done in `details`, and notes the day of that behind the description: `[Updated: 1/2/2026]`. */
function withoutLog(field: string, text: string): string {
  if (field === 'description') return text.replace(/(?: \[Updated: [^\]]{1,40}\]){1,1000}$/, '')
  if (field !== 'details') return text
  const [first = '', ...rest] = text.split('<info added on ')
  return rest.reduce((kept, piece) => {
    const end = /<\/info added on [^>]{0,100}>/.exec(piece)
    return end ? kept.trimEnd() + piece.slice(end.index + end[0].length) : `${kept}<info added on ${piece}`
  }, first)
}

/** Texts, or `{path, action}`: `reference` is only read. */
function files(reader: JsonReader, { value, path }: Item): { write: string[]; read: string[] } {
  const list = Array.isArray(value.relevantFiles) ? value.relevantFiles : []
  const [write, read]: [string[], string[]] = [[], []]
  list.forEach((one: unknown, i) => {
    const file = isMapping(one) ? prose(one.path) : typeof one === 'string' ? one : ''
    if (file === '') reader.error([...path, 'relevantFiles', i], 'this file has no `path`')
    else if (isMapping(one) && /^(?:create|modify)$/i.test(prose(one.action))) write.push(file)
    else read.push(file)
  })
  return { write, read }
}

function filesInWords({ value }: Item): string {
  const list = Array.isArray(value.relevantFiles) ? value.relevantFiles : []
  return list
    .map((one: unknown) => {
      if (!isMapping(one)) return `- ${prose(one)}`
      const { path, action, description, ...rest } = one
      const more = [prose(action), prose(description), prose(rest)].filter(Boolean).join('; ')
      return `- ${prose(path)}${more === '' ? '' : ` (${more})`}`
    })
    .join('\n')
}
