// Task Master's `tasks.json`. A task with subtasks becomes an epic: the first of them wait for what it depends on, and what
// depends on it waits for the last.
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import { readJson } from '../../document/json.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Format, SourceFile, Translation } from '../format.ts'
import { JsonReader, jsonOf } from '../json/json-reader.ts'
import { priorityOf } from '../json/priority.ts'
import { type Item, numberIn } from '../json/values.ts'
import type { Need } from '../plan-draft.ts'
import { stateOf } from '../read-status/status-words.ts'
import { contextOfEach, type PromptSection, promptText, prose } from '../task-prompt/compose-prompt.ts'
import { isGroup, KNOWN, readNodes, STATES, type TaskNode } from './tasks.ts'

export const taskMaster: Format = {
  name: 'task-master',
  title: 'Task Master tasks.json',
  sign: '`tasks` with `title`, `status` and `dependencies`, at the top or under a tag',
  kind: 'json',
  words: { task: 'task', epic: 'task' },
  parts: 'a tag',
  recognises: ({ json }) => json !== undefined && tagsOf(json.value).some(({ tasks }) => tasks.some(isSuch)),
  resembles: ({ json }) => tagsOf(json?.value).some(({ name, tasks }) => name !== null || tasks.some(hasNumber)),
  translate: ([source], { part }) => {
    const { file, state } = source as SourceFile
    const json = jsonOf(source as SourceFile)
    if (!json.ok) return json
    const current = part === null ? currentTag(json.value, state) : null
    const tag = chosenTag(json.value, part ?? current, file)
    if (!tag.ok) return tag
    const reader = new JsonReader(json.value, file)
    if (part === null) remarkOnTags(reader, tag.value, current !== null)
    const read = translate(reader, tag.value)
    return read.ok && current !== null ? ok({ ...read.value, part: current }) : read
  },
}

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

export function chosenTag({ value }: Document, part: string | null, file: string): Result<Tag> {
  const tags = tagsOf(value)
  const place = { file, line: 1, column: 1 }
  const names = tags.map(({ name }) => name ?? 'none').join(', ')
  const named = part === null ? undefined : tags.find(({ name }) => name === part)
  if (part !== null)
    return named ? ok(named) : refuse(problem(`there is no tag ${shown(part)} in it; the tags are: ${names}`, place))
  const [first] = tags
  const usual = tags.find(({ name }) => name === USUAL_TAG) ?? (tags.length === 1 ? first : undefined)
  if (usual) return ok(usual)
  if (!first) return refuse(problem('there is no list of `tasks` in it', place))
  return refuse(problem(`it has the tags ${names}: name one with \`--part\``, place))
}

const KNOWN_OF_TAG = new Set(['tasks', 'metadata', 'meta', 'projectName', 'version'])

function translate(reader: JsonReader, tag: Tag): Result<Translation> {
  const root = tag.path.reduce<Item>((item, name) => reader.inner(item, String(name)), reader.root())
  reader.noteUnknown(root, KNOWN_OF_TAG, 'list of tasks')
  const project = prose(
    reader.inner(root, 'metadata').value.projectName ?? reader.inner(root, 'meta').value.projectName,
  )
  const name = [project, tag.name !== null && tag.name !== USUAL_TAG ? tag.name : ''].filter(Boolean).join(' ')
  reader.head({ name: name === '' ? undefined : slug(name) })

  const nodes = readNodes(reader, root)
  const last = lastOfEach(nodes)
  const about = contextOfEach(nodes.length, (node: TaskNode) => wordsOf(reader, node))
  for (const node of nodes) {
    if (node.state !== 'open') continue
    if (isGroup(node)) reader.epic({ id: node.task, title: reader.prose(node.item, 'title') }, node.item.path)
    else addTask(reader, node, { last, about })
  }
  // A task that is only the sum of its subtasks is no task here, but its status is still one of the file's.
  for (const { task, source, state } of nodes) reader.entries.push({ task, source, state })
  return reader.finishJson(nothingIn(tag))
}

const TAGS_SHOWN = 5

/** Whoever works under another tag would wonder where its tasks are. */
function remarkOnTags(reader: JsonReader, { name, path, tasks }: Tag, isCurrent: boolean): void {
  const others = tagsOf(reader.root().value).filter((tag) => tag.name !== name)
  if (name === null || others.length === 0) return
  const toDo = others.map((tag) => ({ tag, count: openIn(tag.tasks) })).sort((a, b) => b.count - a.count)
  const shownOnes = toDo
    .slice(0, TAGS_SHOWN)
    .map(({ tag, count }) => `${shown(tag.name ?? '')}${count > 0 ? ` (${count} to do)` : ''}`)
  const more = others.length > TAGS_SHOWN ? `, and ${others.length - TAGS_SHOWN} more` : ''
  const rest = `${others.length === 1 ? 'the tag' : 'the tags'} ${shownOnes.join(', ')}${more}`
  const why = isCurrent ? ', which is the current one' : ''
  const message = `the tag ${shown(name)} is meant${why}, not ${rest}: \`--part TAG\` takes another`
  if (openIn(tasks) === 0 && toDo.some(({ count }) => count > 0)) reader.warn(path, message)
  else reader.assume(path, message)
}

function openIn(tasks: readonly unknown[]): number {
  return tasks.filter((task) => isMapping(task) && stateOf(prose(task.status), STATES) === 'open').length
}

function nothingIn({ name }: Tag): string {
  const where = name === null ? '' : ` under the tag ${shown(name)}`
  return `there are no tasks in it: Task Master has a list of \`tasks\`${where}, each with an \`id\`, a \`title\` and a \`status\``
}

type Context = { last: Map<TaskNode, TaskNode[]>; about: (parent: TaskNode) => string }

function addTask(reader: JsonReader, node: TaskNode, { last, about }: Context): void {
  const { item, parent } = node
  const title = reader.prose(item, 'title')
  const lead = [title, reader.prose(item, 'description')].filter(Boolean).join('\n\n')
  if (lead === '') reader.error(item.path, 'this task has neither `title` nor `description`: what is to be done?')
  const group = parent !== null
  reader.task(
    {
      id: node.task,
      title,
      prompt: promptText(lead, [
        ['Details', reader.prose(item, 'details')],
        ['Acceptance criteria', reader.prose(item, 'acceptanceCriteria')],
        ['Test strategy', reader.prose(item, 'testStrategy')],
        ['Relevant files', filesInWords(item)],
        ['Notes', reader.prose(item, 'notes')],
        ...reader.otherSections(item, KNOWN),
        ['Subtasks', group ? reader.prose(item, 'subtasks') : ''],
        ['What this is part of', group ? about(parent) : ''],
      ]),
      epic: group ? parent.task : undefined,
      needs: openNeeds(reader, node, last),
      ...reader.claims(item, `task ${shown(node.source)}`, filesOf(reader, item)),
      priority: priorityOf(reader, item) ?? (group ? priorityOf(reader, parent.item) : undefined),
      tags: reader.texts(item, 'tags'),
    },
    item.path,
  )
}

/** Its files are those of all its subtasks together, so they are told: claimed by each they would keep them apart. */
function wordsOf(reader: JsonReader, { item }: TaskNode): string[] {
  const sections: PromptSection[] = [
    ['Details', reader.prose(item, 'details')],
    ['Acceptance criteria', reader.prose(item, 'acceptanceCriteria')],
    ['Test strategy', reader.prose(item, 'testStrategy')],
    ['Relevant files', filesInWords(item)],
    ...reader.otherSections(item, KNOWN),
  ]
  const labelled = sections.map(([label, text]) => (text === '' ? '' : `${label}:\n${text}`))
  return [reader.prose(item, 'title'), reader.prose(item, 'description'), ...labelled]
}

/** Its own, and those of its parent where nothing else of that parent comes before it. */
function openNeeds(reader: JsonReader, node: TaskNode, last: Map<TaskNode, TaskNode[]>): Need<Path>[] {
  const { parent } = node
  const isFirst = !node.needs.some((need) => need.node.parent === parent && need.node.state === 'open')
  return (parent && isFirst ? [...node.needs, ...parent.needs] : node.needs).flatMap((need) => {
    const all = last.get(need.node) ?? []
    if (all.length > 1 && !reader.takeEdges(all.length, need.path)) return []
    return all.map(({ task }) => ({ id: task, place: need.path }))
  })
}

/** What has to land for an open task to be done: itself, or those of its subtasks that no other one waits for. */
function lastOfEach(nodes: TaskNode[]): Map<TaskNode, TaskNode[]> {
  return new Map(nodes.filter(({ state }) => state === 'open').map((node) => [node, lastOf(node)]))
}

function lastOf(node: TaskNode): TaskNode[] {
  if (!isGroup(node)) return [node]
  const open = node.children.filter(({ state }) => state === 'open')
  const needed = new Set(open.flatMap(({ needs }) => needs.map((need) => need.node)))
  const last = open.filter((child) => !needed.has(child))
  // In a circle everything is needed; the reader behind this one shows the circle.
  return last.length > 0 ? last : open
}

/** Texts, or `{path, action}`: `reference` is only read. */
function filesOf(reader: JsonReader, { value, path }: Item): { write: string[]; read: string[] } {
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
