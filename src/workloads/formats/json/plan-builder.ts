// Espalier's own plan on its way from another format, with the way back: which part of it comes from where.
import type { Path } from '../../document/place.ts'
import type { EpicInput, HeadInput, TaskInput } from '../../plan/schema.ts'

/** Where a task or epic was read: itself, and by field what stands elsewhere than in itself; lists item by item. */
export type Origin = { path: Path; fields?: Record<string, Path>; lists?: Record<string, readonly Path[]> }

type Written<T> = { [K in keyof T]?: T[K] | undefined }

export class PlanBuilder {
  readonly #head: Record<string, unknown> = {}
  readonly #headFrom: Record<string, Path> = {}
  readonly #lists = {
    epics: { items: [] as Record<string, unknown>[], from: [] as Origin[] },
    tasks: { items: [] as Record<string, unknown>[], from: [] as Origin[] },
  }

  /** What the file calls an epic, by its id. */
  readonly epicNames = new Map<string, string>()

  head<K extends keyof HeadInput>(name: K, value: HeadInput[K] | undefined, from: Path): void {
    if (value === undefined || value === '') return
    this.#head[name] = value
    this.#headFrom[name] = from
  }

  /** `called`: as the file calls it, where it is not one of its tasks. */
  epic(epic: Written<EpicInput> & { id: string }, from: Origin, called?: string): void {
    if (called !== undefined) this.epicNames.set(epic.id, called)
    this.#lists.epics.items.push(said(epic))
    this.#lists.epics.from.push(from)
  }

  task(task: Written<TaskInput> & { id: string }, from: Origin): void {
    this.#lists.tasks.items.push(said(task))
    this.#lists.tasks.from.push(from)
  }

  value(): Record<string, unknown> {
    const { epics, tasks } = this.#lists
    return { ...this.#head, ...(epics.items.length > 0 ? { epics: epics.items } : {}), tasks: tasks.items }
  }

  /** From a path of the value to a path of the file. */
  origin(path: Path): Path {
    const [top, index, field, ...rest] = path
    if (top !== 'epics' && top !== 'tasks') return this.#headFrom[String(top)] ?? []
    const from = this.#lists[top].from[Number(index)]
    if (!from) return []
    const list = from.lists?.[String(field)]?.[Number(rest.at(-1))]
    return list ?? from.fields?.[String(field)] ?? from.path
  }
}

/** Without what says nothing, so that the plan reads like one that somebody wrote. */
function said({ title, ...fields }: Record<string, unknown>): Record<string, unknown> {
  // It becomes the subject of a commit, which is one line.
  const line = typeof title === 'string' ? title.replace(/\s+/g, ' ').trim() : ''
  const { id, ...rest } = fields
  const entries = Object.entries({ id, ...(line === '' ? {} : { title: line }), ...rest })
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )
}
