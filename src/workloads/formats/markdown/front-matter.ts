// The YAML between two lines of `---` at the top of a Markdown file, with the places it has in that file.
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import { kindOf, shown } from '../../document/field.ts'
import type { Document, Path, Place } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import { readYaml } from '../../document/yaml.ts'
import type { SourceFile } from '../format.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import type { MarkdownPlan } from './markdown-draft.ts'

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
