// The draft of a plan from another format: Espalier's own plan as plain data, the places in the file, and remarks.
import { LIMITS } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { plainName } from '../../text/slug.ts'
import { shown, shownNames } from '../document/field.ts'
import type { Place, Spot } from '../document/place.ts'
import type { EpicInput, HeadInput, TaskInput } from '../plan/schema.ts'
import { type NotRun, notRunText } from './checks/commands-in.ts'
import { claimsOf, type NamedPaths, type PathClaims } from './claims-from-paths.ts'
import type { Entry, Remark, Translation } from './format.ts'

/** A need with its place. `P`: a place in this format. */
export type DraftNeed<P> = { id: string; place: P }

/** `at`: the places are those of fields, or those of their names. */
type Locate<P> = (all: readonly P[], at: Spot['at']) => Place[]

type RemarkKind = 'assumed' | 'ignored' | 'warnings'
type Placed<P> = {
  item: Record<string, unknown>
  place: P
  needs: readonly DraftNeed<P>[]
  after: readonly DraftNeed<P>[]
}

type Written<T> = { [K in keyof T]?: T[K] | undefined }
type Lists<P> = { needs?: readonly DraftNeed<P>[]; after?: readonly DraftNeed<P>[] }
type EpicFields<P> = Omit<Written<EpicInput>, 'needs' | 'id'> & { id: string } & Pick<Lists<P>, 'needs'>
type TaskFields<P> = Omit<Written<TaskInput>, 'needs' | 'after' | 'id'> & { id: string } & Lists<P>

export class PlanDraft<P> {
  readonly entries: Entry[] = []
  protected readonly file: string
  readonly #locate: Locate<P>
  readonly #head: Record<string, unknown> = {}
  readonly #epicNames = new Map<string, string>()
  readonly #epics: Placed<P>[] = []
  readonly #tasks: Placed<P>[] = []
  readonly #problems: Problem[] = []
  readonly #errors: { place: P; message: string; first: P | undefined }[] = []
  readonly #remarks: Record<RemarkKind, Map<string, { place: P; names: Set<string> }>> = {
    assumed: new Map(),
    ignored: new Map(),
    warnings: new Map(),
  }
  readonly #checksToAccept = new Set<string>()
  readonly #maxEdges: number
  #edges = 0

  constructor(file: string, locate: Locate<P>, maxEdges: number) {
    this.file = file
    this.#locate = locate
    this.#maxEdges = maxEdges
  }

  /** True if there is an error already. */
  get isRefused(): boolean {
    return this.#problems.length + this.#errors.length > 0
  }

  head(fields: Written<HeadInput>): void {
    Object.assign(this.#head, filled(fields))
  }

  /** `called`: its name in the file, if it is not one of the file's tasks. */
  epic({ id, title, needs = [], ...rest }: EpicFields<P>, place: P, called?: string): void {
    if (called !== undefined) this.#epicNames.set(id, called)
    const once = unique(needs)
    const item = filled({ id, title: inOneLine(title), needs: idsOf(once), ...rest })
    this.#epics.push({ item, place, needs: once, after: [] })
  }

  task({ id, title, epic, needs = [], after = [], ...rest }: TaskFields<P>, place: P): void {
    const lists = { needs: unique(needs), after: unique(after) }
    const names = { id, title: inOneLine(title), epic, needs: idsOf(lists.needs), after: idsOf(lists.after) }
    this.#tasks.push({ item: filled({ ...names, ...rest }), place, ...lists })
  }

  claims(named: NamedPaths, place: P, what: () => string): PathClaims {
    const claims = claimsOf(named)
    const [first] = claims.outside ?? []
    if (first !== undefined) this.warn(place, `${what()} will fail: ${first} is outside of the repository`)
    return claims
  }

  /** False, with an error, if the plan would have too many needs or claims: short lines can stand for very many. */
  mayAdd(count: number, place: P): boolean {
    const before = this.#edges
    this.#edges += count
    if (before <= this.#maxEdges && this.#edges > this.#maxEdges)
      this.error(place, `with this, the tasks of the plan have more than ${this.#maxEdges} needs and claims`)
    return this.#edges <= this.#maxEdges
  }

  /** `first`: another place, whose line is added to the message. */
  error(place: P, message: string, first?: P): void {
    this.#errors.push({ place, message, first })
  }

  errors(problems: readonly Problem[]): void {
    this.#problems.push(...problems)
  }

  /** Records the place of a name, and reports a second use of it. `first`: the place of each name so far. */
  noteName(first: Map<string, P>, plural: string, name: string, place: P): void {
    const same = first.get(name)
    if (same === undefined) first.set(name, place)
    else this.error(place, `there are two ${plural} ${shown(name)}; the first is in line`, same)
  }

  /** Adds a remark. Equal remarks are merged, with the place of the first and all names. */
  assume(place: P, words: string, name?: string): void {
    this.#remark('assumed', place, words, name)
  }

  warn(place: P, words: string, name?: string): void {
    this.#remark('warnings', place, words, name)
  }

  ignore(place: P, words: string, name?: string): void {
    this.#remark('ignored', place, words, name)
  }

  /** Remarks on a task or group that is not open. `what`: the plural of its kind. */
  assumeStatus(place: P, what: string, name: string, { is, state }: { is: string; state: Entry['state'] }): void {
    const end = { open: 'run from the start', done: 'done', skipped: 'left out' }[state]
    this.assume(place, `${what} that are ${is} are ${end}`, name)
  }

  checkNotRun(place: P, check: NotRun): void {
    for (const command of check.accept) this.#checksToAccept.add(command)
    this.assume(place, notRunText(check))
  }

  #remark(kind: RemarkKind, place: P, words: string, name?: string): void {
    const remark = this.#remarks[kind].get(words) ?? { place, names: new Set() }
    this.#remarks[kind].set(words, remark)
    if (name !== undefined) remark.names.add(name)
  }

  finish(): Result<Translation> {
    if (this.isRefused) return refuse(...this.#allProblems())
    return ok({
      value: {
        ...this.#head,
        ...(this.#epics.length > 0 ? { epics: this.#epics.map(({ item }) => item) } : {}),
        tasks: this.#tasks.map(({ item }) => item),
      },
      locate: (spots) => this.#originsOf(spots),
      assumed: this.#placed('assumed'),
      ignored: this.#placed('ignored'),
      warnings: this.#placed('warnings'),
      checksToAccept: [...this.#checksToAccept],
      entries: this.entries,
      epicNames: this.#epicNames,
    })
  }

  /** All problems, up to a readable number; in the order of the file if there is only one. */
  #allProblems(): Problem[] {
    const errors = this.#errors.slice(0, LIMITS.problems)
    const spots = errors.flatMap(({ place, first = place }) => [place, first])
    const places = this.#locate(spots, 'value')
    const found = errors.map(({ message, first }, i) =>
      problem(first === undefined ? message : `${message} ${places[2 * i + 1]?.line}`, {
        file: this.file,
        ...places[2 * i],
      }),
    )
    if (!places.some(({ file }) => file))
      found.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
    const all = [...this.#problems, ...found].slice(0, LIMITS.problems)
    const more = this.#problems.length + this.#errors.length - all.length
    return more === 0
      ? all
      : [...all, problem(`… and ${more} more problem${more === 1 ? '' : 's'}`, { file: this.file })]
  }

  #placed(kind: RemarkKind): Remark[] {
    const all = [...this.#remarks[kind]]
    const first = all.slice(0, LIMITS.problems)
    const spots = first.map(([, { place }]) => place)
    const places = this.#locate(spots, kind === 'ignored' ? 'name' : 'value')
    const remarks = first.map(([words, { names }], i) => ({
      message: names.size === 0 ? words : `${words}: ${shownNames([...names])}`,
      place: places[i] ?? TOP,
    }))
    const more = all.length - first.length
    return more === 0 ? remarks : [...remarks, { message: `… and ${more} more of them`, place: places.at(-1) ?? TOP }]
  }

  #originsOf(spots: readonly Spot[]): Place[] {
    const found = spots.map(({ path: [top, index, field, n] }) => {
      const placed = (top === 'epics' ? this.#epics : top === 'tasks' ? this.#tasks : [])[Number(index)]
      const list = field === 'needs' || field === 'after' ? placed?.[field] : undefined
      return list?.[Number(n ?? 0)]?.place ?? placed?.place
    })
    const known = found.filter((place) => place !== undefined)
    const places = this.#locate(known, 'value').values()
    return found.map((place) => (place === undefined ? TOP : (places.next().value ?? TOP)))
  }
}

const TOP: Place = { line: 1, column: 1 }

function idsOf<P>(needs: readonly DraftNeed<P>[]): string[] {
  return needs.map(({ id }) => id)
}

function unique<P>(needs: readonly DraftNeed<P>[]): readonly DraftNeed<P>[] {
  if (needs.length < 2) return needs
  const seen = new Set<string>()
  return needs.filter(({ id }) => !seen.has(id) && seen.add(id))
}

/** The title in one line, because it becomes the subject of a commit. */
function inOneLine(title: string | undefined): string | undefined {
  return title?.replace(/\s+/g, ' ').trim()
}

/** The fields without empty ones, so that the plan reads like a hand-written one. */
function filled(fields: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

// Ids of other formats (`12`, `1.2a`, `bd-a1b2`, `T012`) as ids that fit into refs and paths.

/** Longer ids are cut. */
const MAX_CHARS = 63

/** Call it in the order of the file, also for finished tasks: numbers that tell equal ids apart must not change. */
export class OwnIds {
  readonly #prefix: string
  readonly #own = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  /** `prefix` is put before an id that begins with a digit: `12` becomes `task-12`. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  of(native: string): string {
    const known = this.#own.get(native)
    if (known !== undefined) return known
    const own = this.#free(plain(native, this.#prefix))
    this.#own.set(native, own)
    this.#taken.add(own)
    return own
  }

  #free(wanted: string): string {
    if (!this.#taken.has(wanted)) return wanted
    for (let n = this.#next.get(wanted) ?? 2; ; n++) {
      const end = `-${n}`
      const numbered = `${wanted.slice(0, MAX_CHARS - end.length)}${end}`
      if (this.#taken.has(numbered)) continue
      this.#next.set(wanted, n + 1)
      return numbered
    }
  }
}

function plain(native: string, prefix: string): string {
  const text = plainName(native)
  const named = text === '' ? prefix : /^\d/.test(text) ? `${prefix}-${text}` : text
  return named.slice(0, MAX_CHARS).replace(/-$/, '')
}
