// A plan on its way from Markdown, with limits for what a few lines may come to.
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import { kindOf, shown } from '../../document/field.ts'
import type { Document, Path, Place } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import { readYaml } from '../../document/yaml.ts'
import { type FoundChecks, wordsAreTold } from '../checks/commands-in.ts'
import { claimsOf, type NamedPaths, type PathClaims } from '../claims.ts'
import type { SourceFile, Translation } from '../format.ts'
import { type DraftNeed, PlanDraft } from '../plan-draft.ts'
import { prose } from '../prompt.ts'
import { type Markdown, markdownTrouble } from './lines.ts'

export type Need = DraftNeed<Place>

export class MarkdownPlan extends PlanDraft<Place> {
  readonly #severalFiles: boolean
  #needs = 0
  #words = 0
  #firstWords: Place | null = null
  #claims = 0

  constructor(files: readonly SourceFile[]) {
    super(files[0]?.file ?? '', (all) => all.map(({ place }) => place))
    this.#severalFiles = files.length > 1
    this.errors(files.flatMap(({ file, text }) => markdownTrouble(text, file) ?? []))
  }

  place(file: SourceFile, line: number, column = 1): Place {
    return this.#severalFiles ? { line, column, file: file.file } : { line, column }
  }

  tooMany(count: number): boolean {
    if (count <= MAX_TASKS) return false
    this.error({ line: 1, column: 1 }, `${count} tasks are more than a plan in Markdown may have (${MAX_TASKS})`)
    return true
  }

  /** Asked before a range, a batch or a wave is written out as needs: a short line may come to very many. */
  mayNeed(count: number, place: Place): boolean {
    const before = this.#needs
    this.#needs += count
    if (before <= MAX_NEEDS && this.#needs > MAX_NEEDS)
      this.error(place, `with this, the tasks of the plan wait for each other in more than ${MAX_NEEDS} ways`)
    return this.#needs <= MAX_NEEDS
  }

  claims(named: NamedPaths, place: Place, what: string): PathClaims {
    const claims = claimsOf(named)
    const [first] = claims.outside ?? []
    if (first !== undefined) this.warn(place, `${what} will fail: ${first} is outside of the repository`)
    return claims
  }

  checks({ verify, words, notRun }: FoundChecks, file: SourceFile): string[] {
    for (const one of notRun) this.checkNotRun(this.place(file, one.line), one)
    const [first] = words
    if (first !== undefined) this.#firstWords ??= this.place(file, first)
    this.#words += words.length
    return verify
  }

  override finish(): Result<Translation> {
    if (this.#firstWords) this.assume(this.#firstWords, wordsAreTold(this.#words))
    return super.finish()
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
}

/** All are more than any plan has that somebody wrote. */
const MAX_TASKS = 100_000
const MAX_NEEDS = 200_000
const MAX_CLAIMS = 1_000_000

// What there is to say about the code blocks of a plan: one without an end, and tasks that stand in one.

export function tellOfFences({ openFence, quotedTasks }: Markdown, plan: MarkdownPlan, file: SourceFile): void {
  if (openFence !== null)
    plan.warn(plan.place(file, openFence), 'this code block has no end: all that follows is part of it')
  const [first] = quotedTasks
  if (first === undefined) return
  const more = quotedTasks.length > LISTED ? ', …' : ''
  const message =
    quotedTasks.length === 1
      ? 'what looks like a task here is in a code block, so nothing is run for it'
      : `lines that look like tasks are in a code block, so nothing is run for them (lines ${quotedTasks.slice(0, LISTED).join(', ')}${more})`
  // With a block that has no end it is likely that they are in it by mistake.
  if (openFence !== null) plan.warn(plan.place(file, first), message)
  else plan.assume(plan.place(file, first), message)
}

const LISTED = 10

// The YAML between two lines of `---` at the top of a Markdown file, with the places it has in that file.

export type FrontMatter = {
  fields: Record<string, unknown>
  locate: Document['locate']
  /** How many lines of the file belong to it, those of `---` too. */
  lines: number
}

/** Far more than anybody writes; YAML is slow to read. */
const MAX_CHARS = 64 << 10

export function frontMatterText(text: string): string | null {
  const first = /^---[ \t]*\r?\n/.exec(text)
  if (!first) return null
  const head = text.slice(0, MAX_CHARS)
  const last = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(head.slice(first[0].length - 1))
  return last ? head.slice(first[0].length, first[0].length + last.index) : null
}

export function readFrontMatter(text: string, file: string): Result<FrontMatter> {
  const yaml = frontMatterText(text)
  if (yaml === null) {
    const message = text.startsWith('---')
      ? `the fields at the top of the file, which begin here, have no second line of \`---\` within ${MAX_CHARS >> 10} kB`
      : 'this file has no fields between two lines of `---` at its top'
    return refuse(problem(message, { file, line: 1, column: 1 }))
  }
  // Without anything in it there is no mapping either.
  if (yaml.trim() === '')
    return ok({ fields: {}, locate: (spots) => spots.map(() => ({ line: 1, column: 1 })), lines: 2 })
  // The empty line stands for the first `---`: so lines are counted as they are in the file.
  const read = readYaml(`\n${yaml}`, file)
  if (!read.ok) return read
  const { value, locate } = read.value
  if (isMapping(value)) return ok({ fields: value, locate, lines: yaml.split('\n').length + 1 })
  const message = 'between these lines of `---` there should be `name: value` lines'
  return refuse(problem(message, { file, line: 1, column: 1 }))
}

export type FrontName = { text: string; place: Place }

export class FrontFields {
  readonly values: Record<string, unknown>
  readonly #front: FrontMatter
  readonly #plan: MarkdownPlan
  readonly #file: SourceFile

  constructor(front: FrontMatter, plan: MarkdownPlan, file: SourceFile) {
    this.values = front.fields
    this.#front = front
    this.#plan = plan
    this.#file = file
  }

  text(name: string): string {
    return prose(this.values[name])
  }

  place(path: Path, current: 'name' | 'value' = 'value'): Place {
    const [{ line, column } = { line: 1, column: 1 }] = this.#front.locate([{ path, at: current }])
    return this.#plan.place(this.#file, line, column)
  }

  /** A list of names: `[001, 002]`, `001`, `"001, 002"`, or nothing. */
  names(name: string): FrontName[] {
    const value = this.values[name]
    if (value === undefined || value === null) return []
    const list = [value].flat()
    const places = this.#front.locate(
      list.map((_, i) => ({ path: Array.isArray(value) ? [name, i] : [name], at: 'value' as const })),
    )
    return list.flatMap((one: unknown, i): FrontName[] => {
      const place = this.#plan.place(this.#file, places[i]?.line ?? 1, places[i]?.column)
      if (one === null) return []
      if (typeof one !== 'number' && typeof one !== 'string') {
        this.#plan.error(place, `\`${name}\` must hold names, not ${kindOf(one)}`)
        return []
      }
      const names = String(one)
        .split(',')
        .map((text) => text.trim())
      return names.filter((text) => text !== '' && text.toLowerCase() !== 'none').map((text) => ({ text, place }))
    })
  }

  noteUnknown(known: ReadonlySet<string>, what: string): void {
    for (const name of Object.keys(this.values))
      if (!known.has(name)) this.#plan.ignore(this.place([name], 'name'), `${shown(name)} at the top of a ${what}`)
  }
}
