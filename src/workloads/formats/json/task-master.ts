// Task Master's `tasks.json`. A task with subtasks becomes an epic. There is no word for a failed task: it is open again.
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import { readJson } from '../../document/json.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { SourceFile } from '../format.ts'
import { type PromptSection, prose } from '../prompt-from-fields.ts'
import { jsonFormat } from './format-from-table.ts'
import type { Choice, Group, JsonNode } from './format-table.ts'
import { type Item, type JsonReader, numberIn } from './reader.ts'
import { StatusField } from './status-field.ts'

const SECTIONS = [
  ['Details', 'details'],
  ['Acceptance criteria', 'acceptanceCriteria'],
  ['Test strategy', 'testStrategy'],
  ['Relevant files', 'relevantFiles', filesInWords],
] as const

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
  head: (reader, root) => {
    const [metadata, meta] = [reader.inner(root, 'metadata'), reader.inner(root, 'meta')]
    const project = prose(metadata.value.projectName ?? meta.value.projectName)
    const tag = String(root.path[0] ?? USUAL_TAG)
    const name = [project, tag === USUAL_TAG ? '' : tag].filter(Boolean).join(' ')
    return { name: name === '' ? undefined : slug(name) }
  },
  tasks: {
    list: 'tasks',
    what: 'task',
    parts: 'subtasks',
    title: ['title'],
    words: ['description'],
    sections: [...SECTIONS, ['Notes', 'notes']],
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
    // Subtasks of a subtask are not run separately: they are part of its text.
    content: ({ parent, item }) => (parent ? [prose(item.value.subtasks)].filter(Boolean) : []),
  },
  status: {
    field: new StatusField(['status'], STATES),
    words: { open: 'pending', begun: 'in-progress', done: 'done', failed: 'pending', blocked: 'blocked' },
  },
})

/** A task has at least one of these besides `id` and `title`; tasks of Espalier's own format have none. */
const FIELDS = ['status', 'dependencies', 'details', 'testStrategy', 'subtasks', 'description']

function isSuch(task: unknown): boolean {
  if (!isMapping(task) || 'prompt' in task || 'run' in task || !('id' in task) || !('title' in task)) return false
  return FIELDS.some((name) => name in task)
}

/** True if the id is a number, which no id of Espalier's own format is. */
function hasNumber(task: unknown): boolean {
  return isMapping(task) && !('prompt' in task) && !('run' in task) && typeof numberIn(task.id) === 'number'
}

/** Most names at the top of a file that are looked at; a file with more is no list of tags. */
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

/** The current tag of Task Master, as noted in its `state.json`. Null: the file has no such tag. */
function currentTag(tags: readonly Tag[], state: string | undefined): string | null {
  const read = state === undefined ? undefined : readJson(state, 'state.json')
  const named = read?.ok && isMapping(read.value.value) ? read.value.value.currentTag : undefined
  return tags.find(({ name }) => name !== null && name === named)?.name ?? null
}

function choose({ value }: Document, { file, state }: SourceFile, named: string | null): Result<Choice> {
  const tags = tagsOf(value)
  const current = named === null ? currentTag(tags, state) : null
  const part = named ?? current
  const place = { file, line: 1, column: 1 }
  const names = tags.map(({ name }) => name ?? 'none').join(', ')
  const usual = tags.find(({ name }) => name === USUAL_TAG) ?? (tags.length === 1 ? tags[0] : undefined)
  const tag = part === null ? usual : tags.find(({ name }) => name === part)
  if (!tag && part !== null)
    return refuse(problem(`there is no tag ${shown(part)} in it; the tags are: ${names}`, place))
  if (!tag && tags.length === 0) return refuse(problem('there is no list of `tasks` in it', place))
  if (!tag) return refuse(problem(`it has the tags ${names}: name one with \`--part\``, place))
  return ok({
    path: tag.path.map(String),
    part: current ?? undefined,
    // Explains to a person who works under another tag why its tasks are missing.
    remark: (reader) => {
      for (const { name } of named === null ? tags.filter((other) => other !== tag) : [])
        reader.assume(
          tag.path,
          `the tag ${shown(tag.name)} is meant${current === null ? '' : ', which is the current one'}; \`--part TAG\` takes one of the others`,
          name ?? '',
        )
    },
  })
}

/** The text about a task for its subtasks. Names the files of the whole task: claimed by each subtask they would serialize them. */
function about(reader: JsonReader, { item }: Group | JsonNode, _: Item, fields: ReadonlySet<string>): string[] {
  const sections: PromptSection[] = [
    ...SECTIONS.map(([label, name, text]): PromptSection => [label, text ? text(item) : reader.prose(item, name)]),
    ...reader.otherSections(item, fields),
  ]
  const labelled = sections.map(([label, text]) => (text === '' ? '' : `${label}:\n${text}`))
  return [reader.prose(item, 'title'), reader.prose(item, 'description'), ...labelled]
}

/** Its own program logs work in `details`, and the day of that behind the description: `[Updated: 1/2/2026]`. */
function withoutLog(field: string, text: string): string {
  if (field === 'description') return text.replace(/(?: \[Updated: [^\]]{1,40}\]){1,1000}$/, '')
  if (field !== 'details') return text
  const [first = '', ...rest] = text.split('<info added on ')
  return rest.reduce((kept, piece) => {
    const end = /<\/info added on [^>]{0,100}>/.exec(piece)
    return end ? kept.trimEnd() + piece.slice(end.index + end[0].length) : `${kept}<info added on ${piece}`
  }, first)
}

/** Files as texts or as `{path, action}`. With the action `reference` a file is only read. */
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
