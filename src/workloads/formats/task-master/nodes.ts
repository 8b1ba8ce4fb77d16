// The tasks and subtasks of a Task Master file: which of them are to be done, and what each depends on.
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/reader.ts'
import type { Item, Named } from '../json/values.ts'
import { WAIT_FIELDS, waitsOf } from '../order/waits-for.ts'
import { OwnIds } from '../own-ids.ts'
import { prose } from '../prompt/text.ts'
import { StateReader, tellOfSkipped } from '../state/read-state.ts'
import { isPutOff, stateOf } from '../state/status-words.ts'

/** A task or subtask. */
export type TaskNode = {
  item: Item
  source: string
  task: string
  state: Entry['state']
  parent: TaskNode | null
  children: TaskNode[]
  needs: TaskNode[]
  /** Where each of the needs stands. */
  from: Path[]
}

export function readNodes(reader: JsonReader, root: Item): TaskNode[] {
  const nodes = listNodes(reader, root)
  if (nodes.length > 0 && nodes.every(({ item }) => !('status' in item.value)))
    reader.assume([...root.path, 'tasks'], 'no task has a `status`: all of them are to be done')
  resolveNeeds(reader, nodes)
  leaveOut(reader, nodes)
  tellOfOverruled(reader, nodes)
  tellOfTheFinished(reader, nodes)
  return nodes
}

/** It has subtasks that are still to be done: they are what is done for it. */
export function isGroup({ children }: TaskNode): boolean {
  return children.some(({ state }) => state === 'open')
}

export const STATES = {
  done: ['done', 'completed', 'complete'],
  open: ['pending', 'in_progress', 'blocked', 'review'],
}

export const KNOWN = new Set([
  ...['id', 'title', 'description', 'status', 'priority', 'dependencies', 'details', 'testStrategy', 'subtasks'],
  ...['relevantFiles', 'acceptanceCriteria', 'complexity', 'effort', 'tags', 'metadata', 'previousStatus'],
  ...['createdAt', 'updatedAt', 'completedAt', 'parentId', 'parentTaskId', 'complexityScore', 'notes'],
  ...WAIT_FIELDS,
])

function listNodes(reader: JsonReader, root: Item): TaskNode[] {
  const ids = new OwnIds('task')
  const states = new StateReader(reader, STATES, 'task')
  const first = new Map<string, Path>()
  const nodes: TaskNode[] = []
  for (const item of reader.items(root, 'tasks')) {
    // Of one with subtasks they say how far it is.
    const isSum = Array.isArray(item.value.subtasks) && item.value.subtasks.length > 0
    const node = read(item, null, states.of(item, isSum))
    if (!node) continue
    for (const inner of reader.items(item, 'subtasks')) {
      // Whoever sets a task to done or cancels it means all of it.
      const child = read(inner, node, node.state === 'open' ? states.of(inner) : node.state)
      if (!child) continue
      node.children.push(child)
      if (child.state === 'open') tellOfInner(reader, child)
    }
  }
  states.tell()
  return nodes

  function read(item: Item, parent: TaskNode | null, state: Entry['state']): TaskNode | null {
    reader.noteUntold(item, KNOWN, parent ? 'subtask' : 'task')
    const id = reader.id(item, parent ? 'subtask' : 'task')
    if (id === null) return null
    // `5.2` is how the program writes it; some files have it so already.
    const source = parent && !id.startsWith(`${parent.source}.`) ? `${parent.source}.${id}` : id
    reader.noteName(first, parent ? 'subtask' : 'task', source, [...item.path, 'id'])
    const node: TaskNode = { item, source, task: ids.of(source), state, parent, children: [], needs: [], from: [] }
    nodes.push(node)
    return node
  }
}

/** Task Master itself has two levels; some files have a third. */
function tellOfInner(reader: JsonReader, { item, source }: TaskNode): void {
  const { subtasks } = item.value
  if (!Array.isArray(subtasks) || subtasks.length === 0) return
  const [which, are, them] =
    subtasks.length === 1 ? ['subtask', 'is', 'it is'] : [`${subtasks.length} subtasks`, 'are', 'they are']
  const message = `the ${which} of subtask ${shown(source)} ${are} part of it: ${them} told to its agent, and not run one by one`
  reader.assume([...item.path, 'subtasks'], message)
}

function resolveNeeds(reader: JsonReader, nodes: TaskNode[]): void {
  const bySource = new Map(nodes.map((node) => [node.source, node]))
  for (const node of nodes) {
    const isKnown = (name: Named): boolean => nodeNamed(name, node, bySource) !== undefined
    for (const need of waitsOf(reader, node.item, { own: ['dependencies'], isKnown })) {
      const other = nodeNamed(need, node, bySource)
      const missing = `there is no task ${shown(need.text)} to depend on`
      if (other) addNeed(reader, node, other, need.path)
      else if (node.state === 'open') reader.error(need.path, missing)
      else reader.warn(need.path, `${missing}; nothing waits for it here`)
    }
  }
}

function addNeed(reader: JsonReader, node: TaskNode, other: TaskNode, path: Path): void {
  if (other === node.parent || other.parent === node) {
    const who = `${shown(node.source)} and ${shown(other.source)}`
    reader.assume(path, `${who} are a task and its subtask: neither waits for the other`)
  } else {
    node.needs.push(other)
    node.from.push(path)
  }
}

/** In a subtask a plain number is another subtask of the same task, if there is one, and else a task. */
function nodeNamed({ text }: Named, node: TaskNode, bySource: Map<string, TaskNode>): TaskNode | undefined {
  const sibling = node.parent ? bySource.get(`${node.parent.source}.${text}`) : undefined
  return sibling && sibling !== node ? sibling : bySource.get(text)
}

/** What depends on something that was cancelled or deferred never becomes ready in Task Master: it is left out, too. */
function leaveOut(reader: JsonReader, nodes: TaskNode[]): void {
  const behind = new Map<TaskNode, { node: TaskNode; path: Path | undefined }[]>()
  for (const node of nodes) {
    node.needs.forEach((need, i) => {
      const list = behind.get(need) ?? []
      list.push({ node, path: node.from[i] })
      behind.set(need, list)
    })
  }
  const lost = nodes.filter(({ state }) => state === 'skipped')
  // The subtasks of one that was cancelled say nothing of it themselves.
  const said = new Set(lost.filter(({ parent }) => parent?.state !== 'skipped'))
  tellOfSkipped(reader, 'task', [...said])
  for (let at = 0; at < lost.length; at++) {
    const gone = lost[at] as TaskNode
    const { parent } = gone
    if (parent?.state === 'open' && isUnfinished(parent)) {
      parent.state = 'skipped'
      lost.push(parent)
      const message = `task ${shown(parent.source)} is left out: what is left of it is subtask ${shown(gone.source)}, which is left out`
      reader.warn(parent.item.path, message)
    }
    for (const { node, path } of behind.get(gone) ?? []) {
      const open = [node, ...node.children].filter(({ state }) => state === 'open')
      if (open.length === 0) continue
      for (const each of open) each.state = 'skipped'
      lost.push(...open)
      const why = said.has(gone) ? shown(reader.prose(gone.item, 'status')) : 'left out'
      const message = `task ${shown(node.source)} is left out: it depends on ${shown(gone.source)}, which is ${why}`
      reader.warn(path ?? node.item.path, message)
    }
  }
}

/** Nothing of it can be done, but it is not done either: its last subtasks are put off. */
function isUnfinished(node: TaskNode): boolean {
  return !isGroup(node) && node.children.some((child) => child.state === 'skipped' && !saysGivenUp(child))
}

/** What is left out because of others says nothing of that kind itself. */
function saysGivenUp({ item: { value } }: TaskNode): boolean {
  const status = prose(value.status)
  return stateOf(status, STATES) === 'skipped' && !isPutOff(status)
}

/** Whoever sets a task to done in Task Master sets its subtasks to done; but a file can be written by hand. */
function tellOfOverruled(reader: JsonReader, nodes: readonly TaskNode[]): void {
  for (const { item, source, state, children } of nodes) {
    const left = state === 'done' ? children.filter((child) => !saysFinished(child)) : []
    const [first] = left
    if (!first) continue
    const who = left.length === 1 ? `its subtask ${shown(first.source)} is` : `${left.length} of its subtasks are`
    const said = `task ${shown(source)} is ${shown(reader.prose(item, 'status'))}, but ${who} not`
    reader.assume(item.path, `${said}: all of it counts as done`)
  }
}

/** Or says nothing. */
function saysFinished({ item: { value } }: TaskNode): boolean {
  const status = prose(value.status)
  return status === '' || stateOf(status, STATES) !== 'open'
}

function tellOfTheFinished(reader: JsonReader, nodes: readonly TaskNode[]): void {
  for (const { item, source, state, children } of nodes) {
    if (state !== 'open' || children.length === 0 || children.some((child) => child.state === 'open')) continue
    const how = children.every((child) => child.state === 'done') ? 'done' : 'done or cancelled'
    reader.assume(item.path, `all subtasks of task ${shown(source)} are ${how}, but not the task: it is run itself`)
  }
}
