// A plan on its way from Markdown: tasks and epics with the places they were read from, and what there is to say
// about the file.
import { LIMITS } from '../../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../../problem.ts'
import type { Place, Spot } from '../../document/place.ts'
import type { EpicInput, HeadInput, TaskInput } from '../../plan/schema.ts'
import type { Entry, Remark, SourceFile, Translation } from '../format.ts'
import { markdownTrouble } from './lines.ts'

/** A need and where it was written. */
export type Need = { id: string; place: Place }

type Said<T> = { [K in keyof T]?: T[K] | undefined }

export class MarkdownPlan {
  readonly entries: Entry[] = []
  readonly #file: string
  readonly #severalFiles: boolean
  readonly #head: Record<string, unknown> = {}
  readonly #epicNames = new Map<string, string>()
  readonly #epics: Placed[] = []
  readonly #tasks: Placed[] = []
  #needs = 0
  #claims = 0
  readonly #problems: Problem[] = []
  #dropped = 0
  readonly #assumed: Remark[] = []
  readonly #ignored = new Map<string, Remark>()
  readonly #warnings: Remark[] = []

  constructor(files: readonly SourceFile[]) {
    this.#file = files[0]?.file ?? ''
    this.#severalFiles = files.length > 1
    for (const { file, text } of files) {
      const trouble = markdownTrouble(text, file)
      if (trouble) this.#problems.push(trouble)
    }
  }

  tooMany(count: number): boolean {
    if (count <= MAX_TASKS) return false
    this.error({ line: 1, column: 1 }, `${count} tasks are more than a plan in Markdown may have (${MAX_TASKS})`)
    return true
  }

  /** Already known to be refused. */
  get isRefused(): boolean {
    return this.#problems.length > 0
  }

  place(file: SourceFile, line: number, column = 1): Place {
    return this.#severalFiles ? { line, column, file: file.file } : { line, column }
  }

  head(fields: Said<HeadInput>): void {
    Object.assign(this.#head, said(fields))
  }

  /** `called`: as the file calls it. */
  epic({ needs = [], ...fields }: { needs?: readonly Need[] } & EpicFields, place: Place, called: string): void {
    const { id, title, ...rest } = fields
    this.#epicNames.set(id, called)
    const once = unique(needs)
    this.#epics.push({ item: said({ id, title, needs: idsOf(once), ...rest }), place, lists: { needs: once } })
  }

  task({ needs = [], after = [], ...fields }: Needs & Omit<Said<TaskInput>, 'needs' | 'after'>, place: Place): void {
    const { id, title, epic, ...rest } = fields
    const lists = { needs: unique(needs), after: unique(after) }
    const item = said({ id, title, epic, needs: idsOf(lists.needs), after: idsOf(lists.after), ...rest })
    this.#tasks.push({ item, place, lists })
  }

  /** Asked before a range, a batch or a wave is written out as needs: a short line may come to very many. */
  mayNeed(count: number, place: Place): boolean {
    const before = this.#needs
    this.#needs += count
    if (before <= MAX_NEEDS && this.#needs > MAX_NEEDS)
      this.error(place, `with this, the tasks of the plan wait for each other in more than ${MAX_NEEDS} ways`)
    return this.#needs <= MAX_NEEDS
  }

  /** Asked before the paths of all are written out as those of each: a few lines may come to very many. */
  mayClaim(count: number, place: Place): boolean {
    const before = this.#claims
    this.#claims += count
    if (before <= MAX_CLAIMS && this.#claims > MAX_CLAIMS)
      this.error(
        place,
        `with this, the tasks of the plan claim more than ${MAX_CLAIMS} paths: name the files of each task at that task`,
      )
    return this.#claims <= MAX_CLAIMS
  }

  error(place: Place, message: string): void {
    if (this.#problems.length < LIMITS.problems) this.#problems.push(problem(message, { file: this.#file, ...place }))
    else this.#dropped++
  }

  /** Problems that already have their place. */
  errors(problems: readonly Problem[]): void {
    const room = Math.max(LIMITS.problems - this.#problems.length, 0)
    this.#problems.push(...problems.slice(0, room))
    this.#dropped += Math.max(problems.length - room, 0)
  }

  assume(place: Place, message: string): void {
    if (this.#assumed.length < LIMITS.problems) this.#assumed.push({ message, place })
  }

  warn(place: Place, message: string): void {
    if (this.#warnings.length < LIMITS.problems) this.#warnings.push({ message, place })
  }

  /** Once for every message. */
  ignore(place: Place, message: string): void {
    if (!this.#ignored.has(message) && this.#ignored.size < LIMITS.problems)
      this.#ignored.set(message, { message, place })
  }

  finish(): Result<Translation> {
    if (this.isRefused) {
      const more = this.#dropped > 0 ? [problem(`… and ${this.#dropped} more problems`, { file: this.#file })] : []
      return refuse(...this.#problems, ...more)
    }
    return ok({
      value: {
        ...this.#head,
        ...(this.#epics.length > 0 ? { epics: this.#epics.map(({ item }) => item) } : {}),
        tasks: this.#tasks.map(({ item }) => item),
      },
      locate: (spots) => spots.map((spot) => this.#locate(spot)),
      assumed: this.#assumed,
      ignored: [...this.#ignored.values()],
      warnings: this.#warnings,
      entries: this.entries,
      epicNames: this.#epicNames,
    })
  }

  #locate({ path: [top, index, field, at] }: Spot): Place {
    const placed = (top === 'epics' ? this.#epics : top === 'tasks' ? this.#tasks : [])[Number(index)]
    const list = field === 'needs' || field === 'after' ? placed?.lists[field] : undefined
    return list?.[Number(at ?? 0)]?.place ?? placed?.place ?? { line: 1, column: 1 }
  }
}

/** All are more than any plan has that somebody wrote. */
const MAX_TASKS = 100_000
const MAX_NEEDS = 200_000
const MAX_CLAIMS = 1_000_000

type Placed = {
  item: Record<string, unknown>
  place: Place
  lists: { needs?: readonly Need[]; after?: readonly Need[] }
}

type EpicFields = Omit<Said<EpicInput>, 'needs' | 'id'> & { id: string }

type Needs = { needs?: readonly Need[]; after?: readonly Need[] }

function idsOf(needs: readonly Need[]): string[] {
  return needs.map(({ id }) => id)
}

/** Of two with the same id the first. */
function unique(needs: readonly Need[]): readonly Need[] {
  if (needs.length < 2) return needs
  const seen = new Set<string>()
  return needs.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** Without what says nothing, so that the plan reads like one that somebody wrote. */
function said(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
