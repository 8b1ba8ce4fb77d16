// Tasks that wait for each other: as written on tasks, on epics, and only then what both say together, so that a mistake is
// told once. An epic in one worktree starts and lands as one. Only needs count: `after` gives way (soft-cycles.ts).
import { LIMITS } from '../../config.ts'
import { findCycles } from '../../scheduler/find-cycles.ts'
import type { Task } from '../../task.ts'
import { cut } from '../../text/cut.ts'
import { safeLine } from '../../text/safe.ts'
import { shown } from '../document/field.ts'
import { addError, type Findings } from '../document/findings.ts'
import type { Path } from '../document/place.ts'
import { type Draft, epicPath, taskPath } from './draft.ts'
import { several } from './names.ts'
import { dropSoftCircles } from './soft-cycles.ts'
import { WaitingGraph, waitsOfTasks } from './waiting-graph.ts'

export function checkCycles(draft: Draft, findings: Findings): void {
  const { wording } = draft
  const edges = draft.tasks.map((task) => needsOf(task, draft))
  const tasks = findCycles(edges, LIMITS.problems)
  for (const cycle of tasks.cycles) {
    const names = cycle.map((index) => wording.taskName(idOf(draft, index)))
    const message = `${several(wording.task)} wait for each other: ${ring(names)}`
    addError(findings, needPath(draft, cycle[0], cycle[1] ?? cycle[0]), message)
  }
  const epics = findCycles(
    draft.epics.map(({ needs }) => needs.flatMap((name) => draft.epicIndex.get(name) ?? [])),
    LIMITS.problems,
  )
  for (const cycle of epics.cycles) {
    const names = cycle.map((index) => wording.epicName(draft.epics[index]?.id ?? ''))
    const message = `${several(wording.epic)} wait for each other: ${ring(names)}`
    if (names.length > 1) addError(findings, epicNeedPath(draft, cycle[0] ?? 0, cycle[1] ?? 0), message)
  }
  findings.dropped += tasks.more + epics.more
  if (tasks.cycles.length > 0 || epics.cycles.length > 0) return
  const together = new WaitingGraph(draft, edges)
  if (!isSound(draft, together, edges, findings)) return
  // Tasks that share a worktree are one thing to others, but have to have an order among themselves as well.
  const graphs = together.hasEpics ? [together, waitsOfTasks(draft, edges)] : [together]
  dropSoftCircles(draft, graphs, findings)
}

function needsOf(task: Task, draft: Draft): number[] {
  const found = task.needs.flatMap((name) => (name === task.id ? [] : (draft.taskIndex.get(name) ?? [])))
  return found.length > 1 ? [...new Set(found)] : found
}

function isSound(draft: Draft, graph: WaitingGraph, written: number[][], findings: Findings): boolean {
  if (!graph.hasEpics) return true
  const { cycles, more } = findCycles(graph.edges, LIMITS.problems)
  findings.dropped += more
  for (const cycle of cycles) reportTogether(draft, cycle, graph, written, findings)
  return cycles.length === 0
}

function reportTogether(
  draft: Draft,
  cycle: number[],
  graph: WaitingGraph,
  written: number[][],
  findings: Findings,
): void {
  const { wording } = draft
  const start = cycle.findIndex((node) => graph.kind(node) === 'start')
  if (start === -1) {
    const first = cycle.find((node) => graph.kind(node) === null) ?? 0
    const both = `${several(wording.task)} and ${several(wording.epic)}`
    const place = taskPath(draft, first, 'id')
    addError(findings, place, `${both} wait for each other: ${ring(graph.names(cycle))}`)
    return
  }
  const turned = [...cycle.slice(start), ...cycle.slice(0, start)]
  const epic = graph.epicOf(turned[0] ?? 0)
  const id = draft.epics[epic]?.id ?? ''
  const name = `${wording.epic} ${shown(wording.epicName(id))}`
  const landing = turned.findIndex((node) => graph.kind(node) === 'landing' && graph.epicOf(node) === epic)
  const way = turned.slice(1, landing === -1 ? undefined : landing)
  const next = turned[1] ?? -1
  const isMember = (task: Task | undefined): boolean => task?.epic === id && task.isolation === 'epic'
  const leads = (target: number): boolean => graph.landed(target) === next
  const waiting = written.findIndex((targets, task) => isMember(draft.tasks[task]) && targets.some(leads))
  const task = `${wording.task} ${shown(wording.taskName(idOf(draft, waiting)))}`
  const who = waiting === -1 ? name : `${task} of ${name}`
  const target = written[waiting]?.find(leads)
  const place = target === undefined ? epicPath(draft, epic, 'needs') : needPath(draft, waiting, target)
  const names = graph.names(way)
  if (names.at(-1) === `${wording.epic} ${wording.epicName(id)}`) names.pop()
  const others = `${chain(names)}, which waits for ${name} to land`
  addError(findings, place, `${who} waits for ${others}; with \`isolation: epic\` all its tasks land together`)
}

function idOf(draft: Draft, task: number): string {
  return draft.tasks[task]?.id ?? ''
}

function epicNeedPath(draft: Draft, from: number, to: number): Path {
  const need = draft.epics[from]?.needs.indexOf(draft.epics[to]?.id ?? '') ?? 0
  return epicPath(draft, from, 'needs', Math.max(0, need))
}

function needPath(draft: Draft, from = 0, to = 0): Path {
  const need = draft.tasks[from]?.needs.indexOf(idOf(draft, to)) ?? 0
  return taskPath(draft, from, 'needs', Math.max(0, need))
}

function ring(names: readonly string[]): string {
  return chain([...names, names[0] ?? ''])
}

const SHOWN = 12
const NAME_CHARS = 60

function chain(names: readonly string[]): string {
  if (names.length <= SHOWN) return names.map(plain).join(' → ')
  const left = names.length - SHOWN + 2
  const [first, last] = [names.slice(0, SHOWN - 4), names.slice(-2)]
  return [...first.map(plain), `… ${left} more …`, ...last.map(plain)].join(' → ')
}

/** Names of other formats are whatever somebody wrote. */
function plain(name: string): string {
  return cut(safeLine(name), NAME_CHARS)
}
