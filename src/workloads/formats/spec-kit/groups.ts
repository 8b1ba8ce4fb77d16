// Groups of tasks that the words of a task may name: those of a story, of a phase, or all above it.
import { shown } from '../../field.ts'
import type { Phase, TaskLine } from './lines.ts'
import type { Group } from './names.ts'

/** `atMost`: how many there can be, known before they are gone through. */
export type Members = { atMost: number; tasks: () => TaskLine[] }

export class TaskGroups {
  /** The first phase with a task of each. */
  readonly #firstPhase = new Map<string, number>()
  readonly #at = new Map<TaskLine, { phase: number; index: number }>()
  readonly #phases: { tasks: readonly TaskLine[]; ofStory: Map<string, TaskLine[]>; names: Set<string> }[]

  constructor(phases: readonly Phase[]) {
    this.#phases = phases.map(({ titles, tasks }, phase) => {
      const names = new Set(
        titles.flatMap((title) => /^phase\s{1,9}(\d[\d.]{0,20})/i.exec(title)?.[1] ?? []).map(plain),
      )
      for (const name of names) this.#note(`phase ${name}`, phase)
      for (const [index, task] of tasks.entries()) {
        this.#at.set(task, { phase, index })
        if (task.story !== null) this.#note(storyOf(task), phase)
      }
      return { tasks, ofStory: Map.groupBy(tasks, storyOf), names }
    })
  }

  /**
   * Those of its own phase that it can wait for. Everything in the phases above is there before it anyway, and lines below it
   * without `[P]` wait for it. Or why it waits for none.
   */
  besides(task: TaskLine, { group, name }: Group): Members | string {
    const { phase = 0, index = 0 } = this.#at.get(task) ?? {}
    const own = this.#phases[phase]
    if (group === 'above' || (group === 'phase' && own?.names.has(plain(name))))
      return { atMost: index, tasks: () => own?.tasks.slice(0, index) ?? [] }
    const first = this.#firstPhase.get(group === 'phase' ? `phase ${plain(name)}` : name)
    const called = group === 'phase' ? `Phase ${name}` : name
    if (first === undefined) return `${shown(called)}: there is no such ${group} in this file`
    if (first > phase) return `${shown(called)}, which comes later here`
    const others = group === 'story' ? (own?.ofStory.get(name) ?? []) : []
    const canWait = (other: TaskLine): boolean => other.line < task.line || (other.isParallel && other !== task)
    return { atMost: others.length, tasks: () => others.filter(canWait) }
  }

  #note(name: string, phase: number): void {
    if (!this.#firstPhase.has(name)) this.#firstPhase.set(name, phase)
  }
}

/** `US01` is `US1`. */
function storyOf({ story }: TaskLine): string {
  return story === null ? '' : `US${Number(story.slice(2))}`
}

/** `3.1.` is `3.1`. */
function plain(number: string): string {
  return number.replace(/\.+$/, '')
}
