// The dependencies between tasks of a JSON file. A task with parts is done when its parts are: its first parts wait for what it
// depends on, and tasks that depend on it wait for its last parts.

import { stuckNodes } from '../../../scheduler/order-and-cycles.ts'
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import { memoized } from '../../memoized.ts'
import { type GroupNeed, inOrder, needsThrough } from '../group-needs.ts'
import type { DraftNeed } from '../plan-draft.ts'
import { isPutOff } from '../status/status-words.ts'
import type { Group, JsonNode, JsonTable, Nodes } from './format-table.ts'
import type { JsonReader } from './reader.ts'

export function resolveNeeds(
  reader: JsonReader,
  { groups: table, tasks }: JsonTable,
  { groups, nodes, groupNamed }: Nodes,
): void {
  const bySource = new Map(nodes.map((node) => [node.source, node]))
  /** Finds the task or group of that name. In a part, `2` is first another part of the same task, and else a task. */
  const find = (name: string, node: JsonNode): JsonNode | Group | undefined => {
    const sibling = node.parent ? bySource.get(`${node.parent.source}.${name}`) : undefined
    return sibling && sibling !== node
      ? sibling
      : (bySource.get(name) ?? (table?.namedBy ? undefined : groupNamed(name)))
  }
  for (const node of nodes) {
    if (node.state !== 'open') continue
    const { item } = node
    const named = reader.waits(item, { ...tasks.waits, isKnown: (name) => find(name, node) !== undefined })
    for (const { text, path } of [...(tasks.links?.(reader, item) ?? []), ...named]) {
      const on = find(text, node)
      if (!on && tasks.isStuck) {
        node.leftOut = { is: 'left out', field: '' }
        node.state = 'skipped'
        reader.warn(path, leftOutWords(node, text, 'not in the file'))
      } else if (!on) reader.error(path, `there is no ${tasks.what} ${shown(text)} to depend on`)
      else if (
        on === node.group ||
        (tasks.parts && isPartOf(node, on)) ||
        (on === node && tasks.isSoft?.(reader, item))
      )
        continue
      else if (tasks.lost === 'ignored' && 'state' in on && on.state === 'skipped')
        reader.assume(path, `nothing waits for ${tasks.what}s that are left out`, on.source)
      else node.needs.push({ on, path })
    }
  }
  for (const group of groups) if (table?.isChain?.(reader, group.item)) chain(group)
  if (tasks.lost !== 'ignored') leaveOut(reader, nodes, tasks)
  if (tasks.isStuck) leaveOutCircles(reader, nodes)
}

function isPartOf(node: JsonNode, on: JsonNode | Group): boolean {
  return 'parts' in on && (on === node.parent || on.parent === node)
}

/** Makes the open tasks of a group wait for each other, in the order of the file, or of their needs if these contradict it. */
function chain({ tasks }: Group): void {
  const inFile = tasks.filter(({ state }) => state === 'open')
  const position = new Map<JsonNode | Group, number>(inFile.map((node, i) => [node, i]))
  const inside = ({ needs }: JsonNode): JsonNode[] =>
    needs.flatMap(({ on }) => (position.has(on) ? [on as JsonNode] : []))
  const isKept = inFile.every((node, i) => inside(node).every((on) => (position.get(on) ?? 0) < i))
  // Tasks in a cycle have no order; the reader of the plan reports the cycle.
  const order = isKept ? inFile : (inOrder(inFile, inside) ?? [])
  for (const [i, node] of order.entries()) {
    const before = order[i - 1]
    if (before && !node.needs.some(({ on }) => on === before)) node.needs.push({ on: before, path: node.item.path })
  }
}

function leftOutWords({ what, source }: JsonNode, on: string, is: string, why = 'depends on'): string {
  return `${what} ${shown(source)} is left out: it ${why} ${shown(on)}, which is ${is}`
}

/** Leaves out tasks that depend on a cancelled or postponed task, and their parts: they would never become ready. */
function leaveOut(reader: JsonReader, nodes: readonly JsonNode[], { parts }: JsonTable['tasks']): void {
  const waits = nodes.flatMap((by) => by.needs.map(({ on, path }) => ({ by, on, path })))
  const behind = Map.groupBy(waits, ({ on }) => on)
  const lost = nodes.filter(({ state, leftOut }) => state === 'skipped' && leftOut?.frees !== 'all')
  for (const gone of lost) {
    const { parent, source } = gone
    const is = gone.leftOut?.is ?? 'left out'
    if (parts && parent?.state === 'open' && isUnfinished(parent)) {
      const message = `task ${shown(parent.source)} is left out: what is left of it is subtask ${shown(source)}, which is left out`
      drop(parent, parent.item.path, message)
    }
    for (const { by, path } of behind.get(gone) ?? []) drop(by, path, leftOutWords(by, source, is))
    if (gone.leftOut?.frees !== 'parts')
      for (const part of gone.parts) drop(part, part.item.path, leftOutWords(part, source, is, 'is part of'))
  }

  function drop(node: JsonNode, path: Path, message: string): void {
    if (node.state !== 'open') return
    node.state = 'skipped'
    lost.push(node)
    reader.warn(path, message)
  }
}

/** True if no part is left to run and one was put off, so the task cannot be done in this run. */
function isUnfinished({ parts }: JsonNode): boolean {
  const isLater = ({ state, leftOut, status }: JsonNode): boolean =>
    state === 'skipped' && (leftOut === null || isPutOff(status.word))
  return parts.every(({ state }) => state !== 'open') && parts.some(isLater)
}

function leaveOutCircles(reader: JsonReader, nodes: readonly JsonNode[]): void {
  const open = nodes.filter(({ state }) => state === 'open')
  const index = new Map<JsonNode | Group, number>(open.map((node, i) => [node, i]))
  const edges = open.map(({ needs }) => needs.flatMap(({ on }) => index.get(on) ?? []))
  const stuck = stuckNodes(edges)
  for (const i of stuck) {
    const node = open[i] as JsonNode
    const need = node.needs.find(({ on }) => stuck.has(index.get(on) ?? -1))
    node.state = 'skipped'
    const is = 'in a circle of dependencies, or behind one'
    reader.warn(need?.path ?? node.item.path, leftOutWords(node, need?.on.source ?? '', is))
  }
}

export function orderOf(reader: JsonReader, { groups: table, tasks }: JsonTable, { nodes, groupNamed }: Nodes) {
  const below = new Map<JsonNode | Group, JsonNode[]>()
  for (const node of nodes.filter(({ state }) => state === 'open')) {
    const epics = wholes(node)
      .slice(1)
      .filter(({ state, item }) => state === 'open' && (tasks.isEpic?.(item) ?? true))
    for (const whole of node.group ? [node.group, ...epics] : epics) {
      const parts = below.get(whole) ?? []
      parts.push(node)
      below.set(whole, parts)
    }
  }
  /** True for a task that is not run itself, because some of its parts are. */
  const isSum = (node: JsonNode): boolean => below.has(node)
  const isKnown = (name: string): boolean => groupNamed(name) !== undefined
  const groupNeeds = needsThrough<Group>(reader, {
    named: ({ item }) =>
      reader.waits(item, { own: ['depends_on'], isKnown }).flatMap(({ text, path }): GroupNeed<Group>[] => {
        const group = groupNamed(text)
        if (!group) reader.error(path, `there is no ${table?.what} ${shown(text)} to depend on`)
        return group ? [{ group, path }] : []
      }),
    isOpen: (group) => below.has(group),
    isEmpty: (group) => group.tasks.length === 0,
  })
  /** The tasks that have to land before `on` is done: the task itself, or those of its parts that no other part waits for. */
  const lastOf = memoized((on: JsonNode | Group): JsonNode[] => {
    const parts = below.get(on)
    if (!parts) return 'parts' in on ? [on] : []
    const run = parts.filter((part) => !isSum(part))
    const needed = new Set(run.flatMap(({ needs }) => needs.map((need) => need.on)))
    const found = run.filter((part) => !needed.has(part))
    // In a cycle all parts are needed; the reader of the plan reports the cycle.
    return found.length > 0 ? found : run
  })
  return {
    isSum,
    epicOf: (node: JsonNode): JsonNode | Group | null => node.group ?? wholes(node).find(isSum) ?? null,
    needsOf,
    needsOfGroup: (group: Group): DraftNeed<Path>[] =>
      groupNeeds(group).map(({ group: { epic }, path }) => ({ id: epic, place: path })),
  }

  function wholes(node: JsonNode): JsonNode[] {
    const way: JsonNode[] = [node]
    for (let one = node.parent; one && reader.mayAdd(1, node.item.path); one = one.parent) way.push(one)
    return way
  }

  /** The task's own needs, and those of each task above it, if no task before this one inside of that has them already. */
  function needsOf(node: JsonNode): DraftNeed<Path>[] {
    const way = wholes(node)
    const before: (JsonNode | Group)[] = []
    const needs: DraftNeed<Path>[] = []
    for (const whole of way) {
      const isInside = (on: JsonNode | Group): boolean => whole !== node && 'parts' in on && wholes(on).includes(whole)
      if (before.some(isInside)) continue
      for (const { on, path } of whole.needs) {
        // A part does not wait for the task above it; a task that waits for its own parts only names them as parts.
        const isOver = 'parts' in on ? on.state !== 'open' || (way.includes(on) && isSum(on)) : !below.has(on)
        if (isOver || isInside(on)) continue
        before.push(on)
        const all = lastOf(on)
        if (all.length > 1 && !reader.mayAdd(all.length, path)) return needs
        for (const one of all) needs.push({ id: one.task, place: path })
      }
    }
    return needs
  }
}
