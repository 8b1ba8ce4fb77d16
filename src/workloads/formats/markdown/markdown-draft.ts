// A plan on its way from Markdown, with limits for what a few lines may come to.
import type { Result } from '../../../problem.ts'
import type { Place } from '../../document/place.ts'
import { type FoundChecks, wordsAreTold } from '../checks/commands-in.ts'
import type { SourceFile, Translation } from '../format.ts'
import { claimsOf, type NamedPaths, type PathClaims } from '../paths/claims.ts'
import { type Need as DraftNeed, PlanDraft } from '../plan-draft.ts'
import { markdownTrouble } from './parse-lines.ts'

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
