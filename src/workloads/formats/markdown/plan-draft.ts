// The draft of a plan in Markdown, with limits for short lines that stand for very many tasks or needs.
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import { kindOf } from '../../document/field.ts'
import type { Document, Path, Place, Spot } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import { readYaml } from '../../document/yaml.ts'
import type { FoundChecks } from '../checks/commands-in.ts'
import type { SourceFile } from '../format.ts'
import { type DraftNeed, PlanDraft } from '../plan-draft.ts'
import { type Markdown, markdownTrouble } from './lines.ts'

export type Need = DraftNeed<Place>

export class MarkdownPlan extends PlanDraft<Place> {
  readonly #severalFiles: boolean

  constructor(files: readonly SourceFile[]) {
    const placeOf = ({ line, column, file }: Place) => (file === undefined ? { line, column } : { line, column, file })
    super(files[0]?.file ?? '', (all) => all.map(placeOf), MAX_EDGES)
    this.#severalFiles = files.length > 1
    this.errors(files.flatMap(({ file, text }) => markdownTrouble(text, file) ?? []))
  }

  place(file: SourceFile, line: number, column = 1): Place {
    return this.#severalFiles ? { line, column, file: file.file } : { line, column }
  }

  /** The place of a field at the top of a file. */
  fieldPlace({ file, locate }: FrontMatter, path: Path, at: Spot['at'] = 'value'): Place {
    const [{ line, column } = { line: 1, column: 1 }] = locate([{ path, at }])
    return this.place(file, line, column)
  }

  /** The names in a field at the top of a file: `[001, 002]`, `001`, `"001, 002"`, or none. */
  names(front: FrontMatter, field: string): { text: string; place: Place }[] {
    const value = front.fields[field]
    return [value ?? []].flat().flatMap((one: unknown, i) => {
      const place = this.fieldPlace(front, Array.isArray(value) ? [field, i] : [field])
      if (one === null) return []
      if (typeof one !== 'number' && typeof one !== 'string') {
        this.error(place, `\`${field}\` must hold names, not ${kindOf(one)}`)
        return []
      }
      const names = String(one)
        .split(',')
        .map((text) => text.trim())
      return names.filter((text) => text !== '' && text.toLowerCase() !== 'none').map((text) => ({ text, place }))
    })
  }

  noteUnknown(front: FrontMatter, known: ReadonlySet<string>, what: string): void {
    for (const name of Object.keys(front.fields))
      if (!known.has(name)) this.ignore(this.fieldPlace(front, [name], 'name'), `fields at the top of a ${what}`, name)
  }

  tooMany(count: number): boolean {
    if (count <= MAX_TASKS) return false
    this.error({ line: 1, column: 1 }, `${count} tasks are more than a plan in Markdown may have (${MAX_TASKS})`)
    return true
  }

  checks({ verify, words, notRun }: FoundChecks, file: SourceFile, task: string): string[] {
    for (const one of notRun) this.checkNotRun(this.place(file, one.line), one)
    if (words[0] !== undefined) this.assume(this.place(file, words[0]), WORDS_ARE_TOLD, task)
    return verify
  }

  noteOpenFence({ openFence }: Markdown, file: SourceFile): void {
    const words = 'this code block has no end: all that follows is part of it, and no task in it is run'
    if (openFence !== null) this.warn(this.place(file, openFence), words)
  }
}

const WORDS_ARE_TOLD = 'tasks whose verification has words besides commands, which are told to the agent and not run'

/** Both are more than any real plan has. */
const MAX_TASKS = 100_000
const MAX_EDGES = 500_000

// The YAML between two lines of `---` at the top of a Markdown file, with its places in that file.

export type FrontMatter = {
  file: SourceFile
  fields: Record<string, unknown>
  locate: Document['locate']
  /** Number of lines in the file, with those of `---`. */
  lines: number
}

/** Longer than any real front matter; YAML is slow to read. */
const MAX_CHARS = 64 << 10

export function frontMatterText(text: string): string | null {
  const first = /^---[ \t]*\r?\n/.exec(text)
  if (!first) return null
  const head = text.slice(0, MAX_CHARS)
  const last = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(head.slice(first[0].length - 1))
  return last ? head.slice(first[0].length, first[0].length + last.index) : null
}

/** `text`: the text to read instead of the file's own. */
export function readFrontMatter(file: SourceFile, text = file.text): Result<FrontMatter> {
  const refused = (message: string): Result<FrontMatter> =>
    refuse(problem(message, { file: file.file, line: 1, column: 1 }))
  const yaml = frontMatterText(text)
  if (yaml === null && text.startsWith('---'))
    return refused(
      `the fields at the top of the file, which begin here, have no second line of \`---\` within ${MAX_CHARS >> 10} kB`,
    )
  if (yaml === null) return refused('this file has no fields between two lines of `---` at its top')
  // The added empty line stands for the first `---`, so that line numbers are those of the file.
  const read = readYaml(`\n${yaml}`, file.file)
  if (!read.ok) return read
  const { value, locate } = read.value
  const fields = value ?? {}
  if (!isMapping(fields)) return refused('between these lines of `---` there should be `name: value` lines')
  return ok({ file, fields, locate, lines: yaml.split('\n').length + 1 })
}
