// Graph of waits between tasks and epics. Tasks of an epic wait for its gate, the gate for the ends of the epics it needs, an
// end for all tasks: n + m edges instead of n × m. Tasks in one worktree wait by its start, and land by its landing.
import { type Draft, membersOf } from './draft.ts'

type Extra = 'gate' | 'end' | 'start' | 'landing'
const EXTRAS: Extra[] = ['gate', 'end', 'start', 'landing']

/** The nodes are at least the tasks, by their index. */
export type Waits = {
  edges: number[][]
  /** Edge of this graph for a task that waits for another; null: none. */
  edgeOf(task: number, target: number): { from: number; to: number } | null
  names(way: readonly number[]): string[]
}

export function waitsOfTasks({ tasks, wording }: Draft, written: number[][]): Waits {
  return {
    edges: written,
    edgeOf: (from, to) => ({ from, to }),
    names: (way) => way.map((node) => wording.taskName(tasks[node]?.id ?? '')),
  }
}

export class WaitingGraph implements Waits {
  readonly edges: number[][]
  readonly #draft: Draft
  /** For every task the epic whose worktree it shares, or -1. */
  readonly #shared: number[]

  constructor(draft: Draft, written: readonly (readonly number[])[]) {
    this.#draft = draft
    this.#shared = draft.tasks.map((task) =>
      task.isolation === 'epic' && task.epic !== null ? (draft.epicIndex.get(task.epic) ?? -1) : -1,
    )
    const nodes = this.hasEpics ? written.length + draft.epics.length * EXTRAS.length : written.length
    this.edges = Array.from({ length: nodes }, () => [])
    written.forEach((targets, task) => {
      for (const target of targets) {
        const edge = this.edgeOf(task, target)
        if (edge) this.edges[edge.from]?.push(edge.to)
      }
    })
    if (this.hasEpics) this.#connectEpics()
  }

  /** False: epics change nothing about who waits for whom. */
  get hasEpics(): boolean {
    return this.#draft.epics.some(({ needs }) => needs.length > 0) || this.#shared.some((epic) => epic !== -1)
  }

  edgeOf(task: number, target: number): { from: number; to: number } | null {
    const epic = this.#shared[task] ?? -1
    if (epic === -1) return { from: task, to: this.landed(target) }
    return this.#shared[target] === epic ? null : { from: this.#node(epic, 'start'), to: this.landed(target) }
  }

  landed(task: number): number {
    const epic = this.#shared[task] ?? -1
    return epic === -1 ? task : this.#node(epic, 'landing')
  }

  kind(node: number): Extra | null {
    const tasks = this.#draft.tasks.length
    return node < tasks ? null : (EXTRAS[(node - tasks) % EXTRAS.length] ?? null)
  }

  epicOf(node: number): number {
    return Math.floor((node - this.#draft.tasks.length) / EXTRAS.length)
  }

  /** Nodes of one epic that follow each other are one thing to the reader. */
  names(way: readonly number[]): string[] {
    const { wording, tasks, epics } = this.#draft
    const names = way
      .filter((node) => this.kind(node) !== 'gate')
      .map((node) =>
        node < tasks.length
          ? wording.taskName(tasks[node]?.id ?? '')
          : `${wording.epic} ${wording.epicName(epics[this.epicOf(node)]?.id ?? '')}`,
      )
    return names.filter((name, i) => name !== names[i - 1])
  }

  #node(epic: number, extra: Extra): number {
    return this.#draft.tasks.length + epic * EXTRAS.length + EXTRAS.indexOf(extra)
  }

  #connectEpics(): void {
    const { edges } = this
    const members = membersOf(this.#draft)
    this.#draft.epics.forEach(({ needs }, epic) => {
      edges[this.#node(epic, 'landing')]?.push(this.#node(epic, 'start'))
      const needed = needs.map((name) => this.#draft.epicIndex.get(name) ?? epic)
      for (const other of needed) edges[this.#node(epic, 'gate')]?.push(this.#node(other, 'end'))
      for (const task of members[epic] ?? []) {
        edges[this.#shared[task] === -1 ? task : this.#node(epic, 'start')]?.push(this.#node(epic, 'gate'))
        edges[this.#node(epic, 'end')]?.push(this.landed(task))
      }
    })
  }
}
