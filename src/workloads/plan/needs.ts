// Needs of tasks, of epics and of a suite's entries: names that lead nowhere, and circles. These are looked for as written on tasks, on epics, and only
// then in what both say together, so that a mistake is reported once. An epic in one worktree starts and lands as one. Only needs
// count: an `after` in a circle is dropped with a warning.
import { LIMITS } from '../../config.ts'
import { findCycles, nodesInCircles } from '../../scheduler/order-and-cycles.ts'
import { cut } from '../../text/cut.ts'
import { suggestion } from '../../text/nearest.ts'
import { safeLine } from '../../text/safe.ts'
import { shown } from '../document/field.ts'
import { addError, addWarning, type Findings } from '../document/findings.ts'
import type { Path } from '../document/place.ts'
import { epicPath, membersOf, taskPath, type Waiting } from './tasks-before-needs.ts'

/** Names that lead nowhere, to themselves, or to two things at once. */
export function checkReferences(draft: Waiting, findings: Findings): void {
  const lists = [
    { what: draft.list, all: draft.tasks, index: draft.taskIndex, pathTo: taskPath },
    { what: 'epics', all: draft.epics, index: draft.epicIndex, pathTo: epicPath },
  ]
  for (const { what, all, index, pathTo } of lists)
    all.forEach(({ id }, position) => {
      const first = index.get(id) ?? position
      if (first === position) return
      const message = (line: number): string => `there are two ${what} \`${id}\`; the first is in line ${line}`
      addError(findings, pathTo(draft, position, 'id'), message, { other: pathTo(draft, first, 'id') })
    })
  for (let task = 0; task < draft.tasks.length; task++) {
    checkTask(draft, task, 'needs', findings)
    checkTask(draft, task, 'after', findings)
  }
  checkEpics(draft, findings)
}

function checkTask(draft: Waiting, task: number, field: 'needs' | 'after', findings: Findings): void {
  const { id, [field]: names } = draft.tasks[task] ?? { id: '', needs: [], after: [] }
  const { wording } = draft
  const who = (): string => `${wording.task} ${shown(wording.taskName(id))}`
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    if (name !== id && (draft.taskIndex.has(name) || draft.badIds.has(name))) continue
    const path = taskPath(draft, task, field, i)
    const verb = field === 'needs' ? 'needs' : 'comes after'
    if (name === id) addError(findings, path, `${who()} ${verb} itself`)
    else if (draft.epicIndex.has(name))
      addError(findings, path, `${shown(name)} is an epic, not a task: an epic can need it, in \`epics\``)
    else {
      // Worked out only for what is printed: it means a look at thousands of names.
      const near = (): string => suggestion(name, draft.taskIndex.keys())
      addError(findings, path, () => `${who()} ${verb} ${shown(name)}, which does not exist${near()}`)
    }
  }
}

function checkEpics(draft: Waiting, findings: Findings): void {
  const members = membersOf(draft)
  draft.epics.forEach(({ id, needs }, epic) => {
    needs.forEach((name, i) => {
      const path = epicPath(draft, epic, 'needs', i)
      const needed = draft.epicIndex.get(name)
      const who = `${draft.wording.epic} ${shown(draft.wording.epicName(id))}`
      if (name === id) addError(findings, path, `${who} needs itself`)
      else if (needed === undefined) {
        if (draft.badIds.has(name)) return
        const near = () => suggestion(name, draft.epicIndex.keys())
        addError(findings, path, () => `${who} needs ${shown(name)}, which is not an epic${near()}`)
      } else if (members[needed]?.length === 0)
        addWarning(findings, path, `epic \`${name}\` has no tasks: there is nothing to wait for`)
    })
  })
}

/** Drops every `after` that is part of a circle. */
export function checkCycles(draft: Waiting, findings: Findings): void {
  const { tasks, epics, wording } = draft
  const needs = tasks.map((task, index) => indexesOf(task.needs, draft.taskIndex, index))
  const epicNeeds = epics.map((epic, index) => indexesOf(epic.needs, draft.epicIndex, index))
  const areTasksFree = reportCycles(needs, findings, {
    who: several(wording.task),
    nameOf: (task) => taskName(draft, task),
    pathOf: (task, need) => taskPath(draft, task, 'needs', needAt(tasks[task], tasks[need])),
  })
  const areEpicsFree = reportCycles(epicNeeds, findings, {
    who: several(wording.epic),
    nameOf: (epic) => wording.epicName(idOf(epics[epic])),
    pathOf: (epic, need) => epicPath(draft, epic, 'needs', needAt(epics[epic], epics[need])),
  })
  if (!areTasksFree || !areEpicsFree) return
  const own: Waits = { edges: needs, nodeOf: (task) => task }
  const areEpicsAlone = epicNeeds.every(({ length }) => length === 0) && tasks.every((task) => !isShared(draft, task))
  if (areEpicsAlone) dropSoftCircles(draft, [own], findings)
  else {
    const together = waitsWithEpics(draft, needs, epicNeeds)
    // Tasks that share a worktree are one thing to others, but have to have an order among themselves as well.
    if (reportTogether(draft, together, findings)) dropSoftCircles(draft, [own, together], findings)
  }
}

function indexesOf(names: readonly string[], index: ReadonlyMap<string, number>, own: number): number[] {
  const found = names.flatMap((name) => index.get(name) ?? []).filter((other) => other !== own)
  return found.length > 1 ? [...new Set(found)] : found
}

type Needing = Waiting['epics'][number] | Waiting['tasks'][number]

function needAt(owner: Needing | undefined, need: Needing | undefined): number {
  return owner?.needs.indexOf(idOf(need)) ?? 0
}

type CycleWords = {
  who: string
  nameOf(node: number): string | null
  pathOf(node: number, next: number): Path
  why?: string
}

/** False where there is a cycle. A node without a name is left out of the message. */
function reportCycles(edges: number[][], findings: Findings, { who, nameOf, pathOf, why = '' }: CycleWords): boolean {
  const { cycles, more } = findCycles(edges, LIMITS.problems)
  findings.dropped += more
  for (const cycle of cycles) {
    const [first = 0, next = first] = cycle
    const names = [...cycle, first].flatMap((node) => nameOf(node) ?? [])
    const ring = names.filter((name, i) => name !== names[i - 1])
    addError(findings, pathOf(first, next), `${who} wait for each other: ${chain(ring)}${why}`)
  }
  return cycles.length === 0
}

/** Graph whose first nodes are the tasks. `nodeOf`: what a task is in it, for others. */
type Waits = { edges: number[][]; nodeOf(task: number): number }

/**
 * Nodes of an epic, behind those of the tasks. Its tasks wait for its gate, the gate for the ends of the epics it needs, an end for
 * all tasks: n + m edges instead of n × m. All tasks in its worktree are one node.
 */
const EPIC_NODES = ['worktree', 'gate', 'end'] as const

function epicNode({ tasks }: Waiting, epic: number, kind: (typeof EPIC_NODES)[number]): number {
  return tasks.length + epic * EPIC_NODES.length + EPIC_NODES.indexOf(kind)
}

function waitsWithEpics(draft: Waiting, needs: number[][], epicNeeds: number[][]): Waits {
  const { tasks, epics } = draft
  const nodes = tasks.map((task, index) => {
    const epic = isShared(draft, task) ? draft.epicIndex.get(task.epic ?? '') : undefined
    return epic === undefined ? index : epicNode(draft, epic, 'worktree')
  })
  const nodeOf = (task: number): number => nodes[task] ?? task
  const edges = Array.from({ length: tasks.length + epics.length * EPIC_NODES.length }, () => new Set<number>())
  const connect = (from: number, to: number): void => {
    if (from !== to) edges[from]?.add(to)
  }
  needs.forEach((targets, task) => {
    for (const target of targets) connect(nodeOf(task), nodeOf(target))
  })
  membersOf(draft).forEach((members, epic) => {
    for (const other of epicNeeds[epic] ?? []) connect(epicNode(draft, epic, 'gate'), epicNode(draft, other, 'end'))
    for (const task of members) {
      connect(nodeOf(task), epicNode(draft, epic, 'gate'))
      connect(epicNode(draft, epic, 'end'), nodeOf(task))
    }
  })
  return { edges: edges.map((targets) => [...targets]), nodeOf }
}

function isShared(draft: Waiting, { isolation, epic }: Waiting['tasks'][number]): boolean {
  return isolation === 'epic' && epic !== null && draft.epicIndex.has(epic)
}

function reportTogether(draft: Waiting, { edges }: Waits, findings: Findings): boolean {
  const { tasks, epics, wording } = draft
  const members = membersOf(draft)
  const epicOf = (node: number): number => Math.floor((node - tasks.length) / EPIC_NODES.length)
  const hasShared = tasks.some((task) => isShared(draft, task))
  return reportCycles(edges, findings, {
    who: `${several(wording.task)} and ${several(wording.epic)}`,
    nameOf: (node) => {
      if (node < tasks.length) return taskName(draft, node)
      const epic = epicOf(node)
      return node === epicNode(draft, epic, 'gate') ? null : `${wording.epic} ${wording.epicName(idOf(epics[epic]))}`
    },
    pathOf: (node) => taskPath(draft, node < tasks.length ? node : (members[epicOf(node)]?.[0] ?? 0), 'id'),
    why: hasShared ? '; with `isolation: epic` all tasks of an epic land together' : '',
  })
}

type SoftEdge = { task: number; position: number; target: number }

/** `graphs`: each with the needs alone; none of them may get a circle. */
function dropSoftCircles(draft: Waiting, graphs: readonly Waits[], findings: Findings): void {
  const soft = softEdges(draft)
  if (soft.length === 0) return
  const dropped = new Set(graphs.flatMap((graph) => edgesInCircles(graph, soft)))
  for (const edge of soft) if (dropped.has(edge)) warn(draft, edge, findings)
  for (const [index, gone] of Map.groupBy(dropped, ({ task }) => task)) {
    const task = draft.tasks[index]
    const positions = new Set(gone.map(({ position }) => position))
    if (task) task.after = task.after.filter((_, position) => !positions.has(position))
  }
}

function softEdges({ tasks, taskIndex }: Waiting): SoftEdge[] {
  return tasks.flatMap(({ id, after, needs }, task) => {
    if (after.length === 0) return []
    const hard = new Set([id, ...needs])
    return after.flatMap((name, position): SoftEdge[] => {
      const target = hard.has(name) ? undefined : taskIndex.get(name)
      return target === undefined ? [] : [{ task, position, target }]
    })
  })
}

function edgesInCircles({ edges, nodeOf }: Waits, soft: readonly SoftEdge[]): SoftEdge[] {
  const all = edges.map((targets) => [...targets])
  const outside = soft.filter(({ task, target }) => nodeOf(task) !== nodeOf(target))
  for (const { task, target } of outside) all[nodeOf(task)]?.push(nodeOf(target))
  const circles = nodesInCircles(all)
  return outside.filter(({ task, target }) => circles.has(nodeOf(task)) && circles.has(nodeOf(target)))
}

function warn(draft: Waiting, { task, position, target }: SoftEdge, findings: Findings): void {
  const [who, other] = [taskName(draft, task), taskName(draft, target)].map(shown)
  const message = `${draft.wording.task} ${who} does not come after ${other}, because they wait for each other in a circle`
  addWarning(findings, taskPath(draft, task, 'after', position), message)
}

function taskName({ wording, tasks }: Waiting, task: number): string {
  return wording.taskName(idOf(tasks[task]))
}

function idOf(one: { id: string } | undefined): string {
  return one?.id ?? ''
}

function several(word: string): string {
  return /(?:ch|s)$/.test(word) ? `${word}es` : `${word.replace(/y$/, 'ie')}s`
}

const SHOWN = 12
const NAME_CHARS = 60

/** Names of other formats are whatever somebody wrote. */
function chain(names: readonly string[]): string {
  const plain = names.map((name) => cut(safeLine(name), NAME_CHARS))
  if (plain.length <= SHOWN) return plain.join(' → ')
  const left = plain.length - SHOWN + 2
  return [...plain.slice(0, SHOWN - 4), `… ${left} more …`, ...plain.slice(-2)].join(' → ')
}
