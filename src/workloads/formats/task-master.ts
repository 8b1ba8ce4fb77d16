// Task Master's `tasks.json`. A task with subtasks is done when they are, so it becomes an epic of them: what it
// depends on, those of them wait for that wait for no other one; what depends on it waits for the last of them.
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { shown } from '../field.ts'
import type { Document, Path } from '../place.ts'
import { isMapping } from '../schema-check.ts'
import { slug } from '../slug.ts'
import { priorityOf } from './foreign-priority.ts'
import { StateReader } from './foreign-state.ts'
import type { Entry, Format, SourceFile, Translation } from './format.ts'
import { type Item, JsonReader, jsonOf, type Named } from './json-reader.ts'
import { OwnIds } from './own-ids.ts'
import { PlanBuilder } from './plan-builder.ts'
import { contextText } from './prompt-context.ts'
import { promptText, prose } from './prompt-text.ts'

export const taskMaster: Format = {
  name: 'task-master',
  title: 'Task Master tasks.json',
  sign: '`tasks` with `title`, `status` and `dependencies`, at the top or under a tag',
  parts: 'a tag',
  recognises: ({ json }) => json !== undefined && tagsOf(json.value).some(({ tasks }) => tasks.some(isSuch)),
  translate: ([source], { part }) => {
    const { file } = source as SourceFile
    const json = jsonOf(source as SourceFile)
    if (!json.ok) return json
    const tag = chosenTag(json.value, part, file)
    return tag.ok ? translate(new JsonReader(json.value, file), tag.value) : tag
  },
}

/** One of these besides `id` and `title`: a plan of the own format has none of them. */
const FIELDS = ['status', 'dependencies', 'details', 'testStrategy', 'subtasks', 'description']

function isSuch(task: unknown): boolean {
  if (!isMapping(task) || 'prompt' in task || 'run' in task || !('id' in task) || !('title' in task)) return false
  return FIELDS.some((name) => name in task)
}

/** Names at the top of a file that are looked at: a file with more is something else. */
const MAX_TAGS = 1_000

type Tag = { name: string | null; path: Path; tasks: unknown[] }

/** The lists of tasks in the file: one at the top, or one for every tag. */
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

/** What the program itself begins with. */
const USUAL_TAG = 'master'

export function chosenTag({ value }: Document, part: string | null, file: string): Result<Tag> {
  const tags = tagsOf(value)
  const at = { file, line: 1, column: 1 }
  const names = tags.map(({ name }) => name ?? 'none').join(', ')
  const named = part === null ? undefined : tags.find(({ name }) => name === part)
  if (part !== null)
    return named ? ok(named) : refuse(problem(`there is no tag ${shown(part)} in it; the tags are: ${names}`, at))
  const [first] = tags
  const usual = tags.find(({ name }) => name === USUAL_TAG) ?? (tags.length === 1 ? first : undefined)
  if (usual) return ok(usual)
  if (!first) return refuse(problem('there is no list of `tasks` in it', at))
  return refuse(problem(`it has the tags ${names}: name one with \`--part\``, at))
}

const KNOWN = {
  tag: new Set(['tasks', 'metadata', 'meta', 'projectName', 'version']),
  task: new Set([
    ...['id', 'title', 'description', 'status', 'priority', 'dependencies', 'details', 'testStrategy', 'subtasks'],
    ...['relevantFiles', 'acceptanceCriteria', 'complexity', 'effort', 'tags', 'metadata', 'previousStatus'],
    ...['createdAt', 'updatedAt', 'completedAt', 'parentId', 'parentTaskId', 'complexityScore', 'notes'],
  ]),
}

export const STATES = {
  done: ['done', 'completed', 'complete'],
  skipped: ['cancelled', 'canceled', 'deferred'],
  open: ['pending', 'in_progress', 'blocked', 'review'],
}

/** A task or subtask. */
type Node = {
  item: Item
  source: string
  task: string
  state: Entry['state']
  parent: Node | null
  children: Node[]
  needs: Node[]
  /** Where each of the needs stands. */
  from: Path[]
}

function translate(reader: JsonReader, tag: Tag): Result<Translation> {
  const plan = new PlanBuilder()
  const root = tag.path.reduce<Item>((item, name) => reader.inner(item, String(name)), reader.root())
  reader.noteUnknown(root, KNOWN.tag, 'list of tasks')
  const project = prose(
    reader.inner(root, 'metadata').value.projectName ?? reader.inner(root, 'meta').value.projectName,
  )
  const name = [project, tag.name !== null && tag.name !== USUAL_TAG ? tag.name : ''].filter(Boolean).join(' ')
  plan.head('name', name === '' ? undefined : slug(name), root.path)

  const nodes = readNodes(reader, root)
  resolveNeeds(reader, nodes)
  leaveOut(reader, nodes)
  const last = lastOfEach(nodes)
  for (const node of nodes) {
    if (node.state !== 'open') continue
    if (isGroup(node)) plan.epic({ id: node.task, title: reader.prose(node.item, 'title') || undefined }, node.item)
    else addTask(reader, plan, node, last)
  }
  // A task that is only the sum of its subtasks is no task here, but its status is still one of the file's.
  return reader.finish(
    plan,
    nodes.map(({ task, source, state }): Entry => ({ task, source, state })),
  )
}

/** It has subtasks that are still to be done: they are what is done for it. */
function isGroup({ children }: Node): boolean {
  return children.some(({ state }) => state === 'open')
}

function readNodes(reader: JsonReader, root: Item): Node[] {
  const ids = new OwnIds('task')
  const states = new StateReader(reader, STATES, 'task')
  const first = new Map<string, Path>()
  const nodes: Node[] = []
  for (const item of reader.items(root, 'tasks')) {
    const node = read(item, null, states.of(item))
    if (!node) continue
    for (const inner of reader.items(item, 'subtasks')) {
      // Whoever sets a task to done or cancels it means all of it.
      const child = read(inner, node, node.state === 'open' ? states.of(inner) : node.state)
      if (child) node.children.push(child)
    }
    if (node.state === 'open' && node.children.length > 0 && !isGroup(node))
      reader.assume(
        item.path,
        `all subtasks of task ${shown(node.source)} are done, but not the task: it is run itself`,
      )
  }
  states.tell()
  return nodes

  function read(item: Item, parent: Node | null, state: Entry['state']): Node | null {
    reader.noteUnknown(item, KNOWN.task, parent ? 'subtask' : 'task')
    const id = reader.id(item, parent ? 'subtask' : 'task')
    if (id === null) return null
    // `5.2` is how the program writes it; some files have it so already.
    const source = parent && !id.startsWith(`${parent.source}.`) ? `${parent.source}.${id}` : id
    const path = [...item.path, 'id']
    const same = first.get(source)
    if (same) reader.twice(parent ? 'subtask' : 'task', source, path, same)
    else first.set(source, path)
    const node: Node = { item, source, task: ids.of(source), state, parent, children: [], needs: [], from: [] }
    nodes.push(node)
    return node
  }
}

function resolveNeeds(reader: JsonReader, nodes: Node[]): void {
  const bySource = new Map(nodes.map((node) => [node.source, node]))
  for (const node of nodes) {
    for (const need of reader.names(node.item, 'dependencies')) {
      const other = nodeNamed(need, node, bySource)
      if (!other) reader.error(need.path, `there is no task ${shown(need.text)} to depend on`)
      else if (other === node.parent || other.parent === node)
        reader.assume(
          need.path,
          `${node.source} and ${other.source} are a task and its subtask: neither waits for the other`,
        )
      else {
        node.needs.push(other)
        node.from.push(need.path)
      }
    }
  }
}

/** In a subtask a plain number is another subtask of the same task, if there is one, and else a task. */
function nodeNamed({ text }: Named, node: Node, bySource: Map<string, Node>): Node | undefined {
  const sibling = node.parent ? bySource.get(`${node.parent.source}.${text}`) : undefined
  return sibling && sibling !== node ? sibling : bySource.get(text)
}

/** What depends on something that was cancelled or deferred never becomes ready in Task Master: it is left out, too. */
function leaveOut(reader: JsonReader, nodes: Node[]): void {
  const behind = new Map<Node, { node: Node; path: Path | undefined }[]>()
  for (const node of nodes) {
    node.needs.forEach((need, i) => {
      const list = behind.get(need) ?? []
      list.push({ node, path: node.from[i] })
      behind.set(need, list)
    })
  }
  const lost = nodes.filter(({ state }) => state === 'skipped')
  for (let at = 0; at < lost.length; at++) {
    const gone = lost[at] as Node
    for (const { node, path } of behind.get(gone) ?? []) {
      const open = [node, ...node.children].filter(({ state }) => state === 'open')
      if (open.length === 0) continue
      for (const each of open) each.state = 'skipped'
      lost.push(...open)
      const message = `task ${shown(node.source)} is left out: it depends on ${shown(gone.source)}, which is not going to be done`
      reader.warn(path ?? node.item.path, message)
    }
  }
}

function addTask(reader: JsonReader, plan: PlanBuilder, node: Node, last: Map<Node, Node[]>): void {
  const { item, parent } = node
  const title = reader.prose(item, 'title')
  const lead = [title, reader.prose(item, 'description')].filter(Boolean).join('\n\n')
  if (lead === '') reader.error(item.path, 'this task has neither `title` nor `description`: what is to be done?')
  const { needs, from } = openNeeds(reader, node, last)
  const group = parent !== null
  plan.task(
    {
      id: node.task,
      title: title || undefined,
      prompt: promptText(lead, [
        ['Details', reader.prose(item, 'details')],
        ['Acceptance criteria', reader.prose(item, 'acceptanceCriteria')],
        ['Test strategy', reader.prose(item, 'testStrategy')],
        ['Relevant files', filesInWords(item)],
        ['Notes', reader.prose(item, 'notes')],
        ['What this is part of', group ? contextText(partOf(reader, parent), parent.children.length) : ''],
      ]),
      epic: group ? parent.task : undefined,
      needs,
      ...reader.claims(item, `task ${shown(node.source)}`, filesOf(reader, item)),
      priority: priorityOf(reader, item) ?? (group ? priorityOf(reader, parent.item) : undefined),
      tags: reader.texts(item, 'tags'),
    },
    { path: item.path, fields: { id: [...item.path, 'id'] }, lists: { needs: from } },
  )
}

function partOf(reader: JsonReader, { item }: Node): string {
  const names = ['title', 'description', 'details', 'testStrategy', 'acceptanceCriteria']
  return names
    .map((name) => reader.prose(item, name))
    .filter(Boolean)
    .join('\n\n')
}

/** Its own, and those of its parent where nothing else of that parent comes before it. */
function openNeeds(reader: JsonReader, node: Node, last: Map<Node, Node[]>): { needs: string[]; from: Path[] } {
  const { parent } = node
  const isFirst = !node.needs.some((need) => need.parent === parent && need.state === 'open')
  const needs = new Map<string, Path>()
  for (const from of parent && isFirst ? [node, parent] : [node]) {
    for (const [i, need] of from.needs.entries()) {
      const path = from.from[i] ?? node.item.path
      const all = last.get(need) ?? []
      if (all.length > 1 && !reader.takeEdges(all.length, path)) break
      for (const one of all) if (!needs.has(one.task)) needs.set(one.task, path)
    }
  }
  return { needs: [...needs.keys()], from: [...needs.values()] }
}

/** What has to land for an open task to be done: itself, or those of its subtasks that no other one waits for. */
function lastOfEach(nodes: Node[]): Map<Node, Node[]> {
  return new Map(nodes.filter(({ state }) => state === 'open').map((node) => [node, lastOf(node)]))
}

function lastOf(node: Node): Node[] {
  if (!isGroup(node)) return [node]
  const open = node.children.filter(({ state }) => state === 'open')
  const needed = new Set(open.flatMap(({ needs }) => needs))
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
    else if (isMapping(one) && (one.action === 'create' || one.action === 'modify')) write.push(file)
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
