// Tasks that wait for each other. First what was written on tasks, then what was written on epics, and only when
// both are sound what the two say together: otherwise one mistake would be told three times.
//
// The last step also covers epics that share a worktree. Such an epic starts and lands as one, so it is a cycle
// when something outside waits for one of its tasks while another of its tasks waits for that.
import { LIMITS } from '../config.ts'
import type { Task } from '../task.ts'
import { findCycles } from './cycles.ts'
import { addError, type Findings } from './findings.ts'
import type { Path } from './place.ts'
import { type Draft, epicPath, membersOf, taskPath } from './plan-draft.ts'

export function checkCycles(draft: Draft, findings: Findings): void {
  const edges = draft.tasks.map((task) => edgesOf(task, draft))
  const tasks = findCycles(edges, LIMITS.problems)
  for (const cycle of tasks.cycles) {
    const names = cycle.map((index) => idOf(draft, index))
    addError(findings, edgePath(draft, cycle[0], cycle[1] ?? cycle[0]), `tasks wait for each other: ${ring(names)}`)
  }
  const epics = findCycles(
    draft.epics.map(({ needs }) => needs.flatMap((name) => draft.epicIndex.get(name) ?? [])),
    LIMITS.problems,
  )
  for (const cycle of epics.cycles) {
    const names = cycle.map((index) => draft.epics[index]?.id ?? '')
    if (names.length > 1)
      addError(findings, epicPath(draft, cycle[0] ?? 0, 'needs'), `epics wait for each other: ${ring(names)}`)
  }
  findings.dropped += tasks.more + epics.more
  if (tasks.cycles.length === 0 && epics.cycles.length === 0) checkTogether(draft, edges, findings)
}

function edgesOf(task: Task, draft: Draft): number[] {
  const found: number[] = []
  for (const names of [task.needs, task.after]) {
    for (const name of names) {
      const index = name === task.id ? undefined : draft.taskIndex.get(name)
      if (index !== undefined) found.push(index)
    }
  }
  return found.length > 1 ? [...new Set(found)] : found
}

/**
 * Nodes besides the tasks, four for every epic. All tasks of an epic wait for its gate, the gate waits for the ends of
 * the epics it needs, and an end waits for all tasks: n + m edges where the plan means n × m. For tasks that share a
 * worktree two nodes stand in: what one of them waits for, their start waits for; what waits for one of them waits for
 * their landing; and the landing waits for the start.
 */
type Extra = 'gate' | 'end' | 'start' | 'landing'
const EXTRAS: Extra[] = ['gate', 'end', 'start', 'landing']

function checkTogether(draft: Draft, written: number[][], findings: Findings): void {
  const members = membersOf(draft)
  const shared = draft.tasks.map((task) =>
    task.isolation === 'epic' && task.epic !== null ? (draft.epicIndex.get(task.epic) ?? -1) : -1,
  )
  if (draft.epics.every(({ needs }) => needs.length === 0) && shared.every((epic) => epic === -1)) return

  const edges: number[][] = Array.from({ length: written.length + draft.epics.length * EXTRAS.length }, () => [])
  const node = (epic: number, extra: Extra): number => written.length + epic * EXTRAS.length + EXTRAS.indexOf(extra)
  const landed = (task: number): number => {
    const epic = shared[task] ?? -1
    return epic === -1 ? task : node(epic, 'landing')
  }
  written.forEach((targets, task) => {
    const epic = shared[task] ?? -1
    for (const target of targets) {
      if (epic === -1) edges[task]?.push(landed(target))
      else if (shared[target] !== epic) edges[node(epic, 'start')]?.push(landed(target))
    }
  })
  draft.epics.forEach(({ needs }, epic) => {
    edges[node(epic, 'landing')]?.push(node(epic, 'start'))
    for (const name of needs) edges[node(epic, 'gate')]?.push(node(draft.epicIndex.get(name) ?? epic, 'end'))
    for (const task of members[epic] ?? []) {
      edges[shared[task] === -1 ? task : node(epic, 'start')]?.push(node(epic, 'gate'))
      edges[node(epic, 'end')]?.push(landed(task))
    }
  })
  const { cycles, more } = findCycles(edges, LIMITS.problems)
  findings.dropped += more
  for (const cycle of cycles) reportTogether(draft, cycle, written, landed, findings)
}

function reportTogether(
  draft: Draft,
  cycle: number[],
  written: number[][],
  landed: (task: number) => number,
  findings: Findings,
): void {
  const tasks = written.length
  const kind = (node: number): Extra | null => (node < tasks ? null : (EXTRAS[(node - tasks) % EXTRAS.length] ?? null))
  const epicOf = (node: number): number => Math.floor((node - tasks) / EXTRAS.length)
  const label = (node: number): string =>
    node < tasks ? idOf(draft, node) : `epic ${draft.epics[epicOf(node)]?.id ?? ''}`

  const start = cycle.findIndex((node) => kind(node) === 'start')
  if (start === -1) {
    const way = cycle.filter((node) => kind(node) !== 'gate')
    const first = way.find((node) => node < tasks) ?? 0
    const place = taskPath(draft, first, 'id')
    addError(findings, place, `tasks and epics wait for each other: ${ring(distinct(way.map(label)))}`)
    return
  }
  const turned = [...cycle.slice(start), ...cycle.slice(0, start)]
  const epic = epicOf(turned[0] ?? 0)
  const id = draft.epics[epic]?.id ?? ''
  const landing = turned.findIndex((node) => kind(node) === 'landing' && epicOf(node) === epic)
  const way = turned.slice(1, landing === -1 ? undefined : landing).filter((node) => kind(node) !== 'gate')
  const next = turned[1] ?? -1
  const isMember = (task: Task | undefined): boolean => task?.epic === id && task.isolation === 'epic'
  const leads = (target: number): boolean => landed(target) === next
  const waiting = written.findIndex((targets, task) => isMember(draft.tasks[task]) && targets.some(leads))
  const who = waiting === -1 ? `epic \`${id}\`` : `task \`${idOf(draft, waiting)}\` of epic \`${id}\``
  const target = written[waiting]?.find(leads)
  const place = target === undefined ? epicPath(draft, epic, 'needs') : edgePath(draft, waiting, target)
  const names = distinct(way.map(label))
  if (names.at(-1) === `epic ${id}`) names.pop()
  const others = `${chain(names)}, which waits for epic \`${id}\` to land`
  addError(findings, place, `${who} waits for ${others}; with \`isolation: epic\` all its tasks land together`)
}

function idOf(draft: Draft, task: number): string {
  return draft.tasks[task]?.id ?? ''
}

/** The place where one task names the other. */
function edgePath(draft: Draft, from = 0, to = 0): Path {
  const task = draft.tasks[from]
  const name = idOf(draft, to)
  const need = task?.needs.indexOf(name) ?? -1
  if (need !== -1) return taskPath(draft, from, 'needs', need)
  return taskPath(draft, from, 'after', Math.max(0, task?.after.indexOf(name) ?? 0))
}

/** Nodes of one epic that follow each other are one thing to the reader. */
function distinct(names: string[]): string[] {
  return names.filter((name, i) => name !== names[i - 1])
}

/** `a → b → a` */
export function ring(names: string[]): string {
  return chain([...names, names[0] ?? ''])
}

const SHOWN = 12

function chain(names: string[]): string {
  if (names.length <= SHOWN) return names.join(' → ')
  const left = names.length - SHOWN + 2
  return [...names.slice(0, SHOWN - 4), `… ${left} more …`, ...names.slice(-2)].join(' → ')
}
