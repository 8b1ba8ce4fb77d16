// The tasks of a JSON file and their groups, as the table of the format names them, with their states.
import { nodesInCircles } from '../../../scheduler/order-and-cycles.ts'
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import { OwnIds } from '../plan-draft.ts'
import { prose } from '../prompt-from-fields.ts'
import { stateOf } from '../status/status-words.ts'
import type { Group, GroupTable, JsonNode, JsonTable, Nodes, TaskTable } from './format-table.ts'
import type { Item, JsonReader } from './reader.ts'

export function readNodes(reader: JsonReader, table: JsonTable, root: Item): Nodes {
  const { tasks, status } = table
  const groups = table.groups ? readGroups(reader, table.groups, root, status) : []
  const nodes: JsonNode[] = []
  const ids = new OwnIds(tasks.what)
  const first = new Map<string, Path>()
  for (const { item, group } of listed(reader, table, groups, root)) {
    if (tasks.isOther?.(item.value)) continue
    const node = add(item, group, null)
    for (const part of node && tasks.parts ? reader.items(item, tasks.parts) : []) add(part, group, node)
  }
  if (tasks.partOf) linkParents(reader, tasks, nodes)
  return { groups, nodes, groupNamed: groupFinder(groups, table.groups?.what) }

  function add(item: Item, group: Group | null, parent: JsonNode | null): JsonNode | null {
    const what = parent ? `sub${tasks.what}` : tasks.what
    const id = reader.id(item, what)
    if (id === null) return null
    // Task Master writes ids as `5.2`; some files have that form already.
    const source = parent && !id.startsWith(`${parent.source}.`) ? `${parent.source}.${id}` : id
    reader.noteName(first, `${what}s`, source, [...item.path, 'id'])
    const written = status.field.written(item.value)
    const own = status.field.stateOf(item.value)
    const byStatus = own === 'skipped' ? { is: shown(written.word), field: written.field } : null
    const leftOut = own === 'done' ? null : (tasks.leftOut?.(reader, item) ?? byStatus)
    const state = leftOut || (group?.isLeftOut && own !== 'done') ? 'skipped' : own
    const node: JsonNode = {
      ...{ item, what, source, task: ids.of(source), status: written, leftOut, group, parent, parts: [], needs: [] },
      // Parts of a task that is done or cancelled have its state.
      state: parent && parent.state !== 'open' ? parent.state : state,
    }
    nodes.push(node)
    group?.tasks.push(node)
    parent?.parts.push(node)
    return node
  }
}

function listed(reader: JsonReader, { groups: table, tasks }: JsonTable, groups: readonly Group[], root: Item) {
  const { lists, namedBy } = table ?? {}
  if (lists)
    return groups.flatMap((group) => {
      const list = lists.find((name) => name in group.item.value) ?? tasks.list
      return reader.items(group.item, list).map((item) => ({ item, group }))
    })
  const bySource = new Map(groups.map((group) => [group.source, group]))
  return reader.items(root, tasks.list).map((item) => {
    const [named] = namedBy ? reader.names(item, namedBy) : []
    const group = named ? (bySource.get(named.text) ?? null) : null
    if (named && !group) reader.error(named.path, `there is no ${table?.what} ${shown(named.text)}`)
    return { item, group }
  })
}

function readGroups(reader: JsonReader, table: GroupTable, root: Item, { field }: JsonTable['status']): Group[] {
  const epics = new OwnIds(table.what)
  const first = new Map<string, Path>()
  return reader.items(root, table.list).flatMap((item, i): Group[] => {
    const number = table.number ? reader.prose(item, table.number) : ''
    const source = table.number
      ? reader.prose(item, 'id') || number || String(i + 1)
      : (reader.id(item, table.what) ?? '')
    if (source === '') return []
    reader.noteName(first, `${table.what}s`, source, [...item.path, 'id'])
    const isLeftOut = stateOf(prose(item.value.status), field.states) === 'skipped'
    return [{ item, source, number: number || source, epic: epics.of(source), isLeftOut, tasks: [] }]
  })
}

/** Finds a group by its id, then by its number, also written as `phase-1`. */
function groupFinder(groups: readonly Group[], what = 'group'): (name: string) => Group | undefined {
  const bySource = new Map(groups.map((group) => [group.source, group]))
  const byNumber = new Map(groups.map((group) => [group.number, group]))
  const numbered = new RegExp(`^${what}[-_ ]?(\\d+)$`, 'i')
  return (name) => bySource.get(name) ?? byNumber.get(numbered.exec(name)?.[1] ?? name)
}

/** Sets the parent of each task: the first epic that it says it is part of, else the first other task. */
function linkParents(reader: JsonReader, { partOf, isEpic }: TaskTable, nodes: readonly JsonNode[]): void {
  const bySource = new Map(nodes.map((node) => [node.source, node]))
  for (const node of nodes) {
    const wholes = partOf?.(reader, node.item).flatMap((name) => bySource.get(name) ?? []) ?? []
    const others = wholes.filter((one) => one !== node)
    node.parent = others.find(({ item }) => isEpic?.(item)) ?? others[0] ?? null
  }
  // A task that is part of itself, through other tasks, has no parent.
  const index = new Map(nodes.map((node, i) => [node, i]))
  const parents = nodes.map(({ parent }) => (parent ? [index.get(parent) ?? -1] : []))
  for (const i of nodesInCircles(parents)) (nodes[i] as JsonNode).parent = null
  for (const node of nodes) node.parent?.parts.push(node)
}
