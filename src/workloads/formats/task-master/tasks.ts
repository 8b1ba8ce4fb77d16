// The tasks and subtasks of a Task Master file: which of them are to be done, and what each depends on.
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Item, Named } from '../json/values.ts'
import { WAIT_FIELDS, waitsOf } from '../order/dependency-fields.ts'
import { StateReader } from '../read-status/state-reader.ts'
import { isPutOff, stateOf } from '../read-status/status-words.ts'
import { prose } from '../task-prompt/compose-prompt.ts'

export type TaskNode = {
  item: Item
  source: string
  task: string
  state: Entry['state']
  parent: TaskNode | null
  children: TaskNode[]
  needs: { node: TaskNode; path: Path }[]
}

export function readNodes(reader: JsonReader, root: Item): TaskNode[] {
  const nodes = listNodes(reader, root)
  if (nodes.length > 0 && nodes.every(({ item }) => !('status' in item.value)))
    reader.assume([...root.path, 'tasks'], 'no task has a `status`: all of them are to be done')
  const bySource = new Map(nodes.map((node) => [node.source, node]))
  for (const node of nodes) resolveNeeds(reader, node, bySource)
  leaveOut(reader, nodes)
  for (const node of nodes) remarkOnSubtasks(reader, node)
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
    const node = read(item, null, (source) => states.of(item, source, isSum))
    // Whoever sets a task to done or cancels it means all of it.
    for (const inner of node ? reader.items(item, 'subtasks') : []) {
      const child = read(inner, node, (source) =>
        node?.state === 'open' ? states.of(inner, source) : (node?.state ?? 'open'),
      )
      if (child) node?.children.push(child)
    }
  }
  states.tell()
  return nodes

  function read(item: Item, parent: TaskNode | null, stateOf: (source: string) => Entry['state']): TaskNode | null {
    const what = parent ? 'subtask' : 'task'
    reader.noteUntold(item, KNOWN, what)
    const id = reader.id(item, what)
    if (id === null) return null
    // `5.2` is how the program writes it; some files have it so already.
    const source = parent && !id.startsWith(`${parent.source}.`) ? `${parent.source}.${id}` : id
    reader.noteName(first, what, source, [...item.path, 'id'])
    const node: TaskNode = {
      item,
      source,
      task: ids.of(source),
      state: stateOf(source),
      parent,
      children: [],
      needs: [],
    }
    nodes.push(node)
    return node
  }
}

function resolveNeeds(reader: JsonReader, node: TaskNode, bySource: ReadonlyMap<string, TaskNode>): void {
  const isKnown = (name: Named): boolean => nodeNamed(name, node, bySource) !== undefined
  for (const need of waitsOf(reader, node.item, { own: ['dependencies'], isKnown })) {
    const other = nodeNamed(need, node, bySource)
    const missing = `there is no task ${shown(need.text)} to depend on`
    if (other && (other === node.parent || other.parent === node))
      reader.assume(
        need.path,
        `${shown(node.source)} and ${shown(other.source)} are a task and its subtask: neither waits for the other`,
      )
    else if (other) node.needs.push({ node: other, path: need.path })
    else if (node.state === 'open') reader.error(need.path, missing)
    else reader.warn(need.path, `${missing}; nothing waits for it here`)
  }
}

/** In a subtask a plain number is another subtask of the same task, if there is one, and else a task. */
function nodeNamed({ text }: Named, node: TaskNode, bySource: ReadonlyMap<string, TaskNode>): TaskNode | undefined {
  const sibling = node.parent ? bySource.get(`${node.parent.source}.${text}`) : undefined
  return sibling && sibling !== node ? sibling : bySource.get(text)
}

/** What depends on something that was cancelled or deferred never becomes ready in Task Master: it is left out, too. */
function leaveOut(reader: JsonReader, nodes: readonly TaskNode[]): void {
  const waits = nodes.flatMap((node) => node.needs.map((need) => ({ ...need, by: node })))
  const behind = Map.groupBy(waits, ({ node }) => node)
  const lost = nodes.filter(({ state }) => state === 'skipped')
  // The subtasks of one that was cancelled say nothing of it themselves.
  const named = new Set(lost.filter(({ parent }) => parent?.state !== 'skipped'))
  for (const gone of lost) {
    const { parent } = gone
    if (parent?.state === 'open' && isUnfinished(parent)) {
      parent.state = 'skipped'
      lost.push(parent)
      const message = `task ${shown(parent.source)} is left out: what is left of it is subtask ${shown(gone.source)}, which is left out`
      reader.warn(parent.item.path, message)
    }
    for (const { by, path } of behind.get(gone) ?? []) {
      const open = [by, ...by.children].filter(({ state }) => state === 'open')
      if (open.length === 0) continue
      for (const each of open) each.state = 'skipped'
      lost.push(...open)
      const why = named.has(gone) ? shown(reader.prose(gone.item, 'status')) : 'left out'
      reader.warn(path, `task ${shown(by.source)} is left out: it depends on ${shown(gone.source)}, which is ${why}`)
    }
  }
}

/** Nothing of it can be done, but it is not done either: its last subtasks are put off. */
function isUnfinished(node: TaskNode): boolean {
  const isGivenUp = (status: string): boolean => stateOf(status, STATES) === 'skipped' && !isPutOff(status)
  return (
    !isGroup(node) &&
    node.children.some(({ state, item }) => state === 'skipped' && !isGivenUp(prose(item.value.status)))
  )
}

function remarkOnSubtasks(reader: JsonReader, { item, source, state, parent, children }: TaskNode): void {
  const { subtasks } = item.value
  const task = `task ${shown(source)}`
  // Task Master itself has two levels; some files have a third.
  if (parent && state === 'open' && Array.isArray(subtasks) && subtasks.length > 0)
    reader.assume(
      [...item.path, 'subtasks'],
      `the subtasks of sub${task} are told to its agent, and not run one by one`,
    )
  const isOpen = ({ item: { value } }: TaskNode): boolean =>
    prose(value.status) !== '' && stateOf(prose(value.status), STATES) === 'open'
  if (state === 'done' && children.some(isOpen))
    reader.assume(item.path, `${task} is done, but not all of its subtasks are: all of it counts as done`)
  if (state === 'open' && children.length > 0 && children.every((child) => child.state !== 'open'))
    reader.assume(item.path, `all subtasks of ${task} are done or cancelled, but not the task: it is run itself`)
}
