// Reads a JSON document of another format. A value of the wrong kind is reported only where that matters.
import { LIMITS } from '../../../config.ts'
import { ok, type Result } from '../../../problem.ts'
import { kindOf } from '../../document/field.ts'
import { readJson } from '../../document/json.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { claimsOf, type NamedPaths, type PathClaims } from '../paths/claims.ts'
import { pathsInField, saysNone } from '../paths/field.ts'
import { type PromptSection, prose } from '../task-prompt/compose-prompt.ts'
import { otherFields, toSection } from '../task-prompt/other-fields.ts'
import { JsonRemarks } from './json-remarks.ts'
import { type Item, isNothing, type Named, numberIn, numberName, truthOf } from './values.ts'

export class JsonReader extends JsonRemarks {
  #edgesLeft: number = LIMITS.epicEdges

  root(): Item {
    const { value } = this.document
    if (isMapping(value)) return { value, path: [] }
    this.error([], `a mapping is expected here, not ${kindOf(value)}`)
    return { value: {}, path: [] }
  }

  items({ value, path }: Item, name: string): Item[] {
    const list = value[name]
    if (list === undefined || list === null) return []
    if (!Array.isArray(list)) {
      this.error([...path, name], `\`${name}\` must be a list, not ${kindOf(list)}`)
      return []
    }
    return list.flatMap((item, i) => {
      const where = [...path, name, i]
      if (isMapping(item)) return [{ value: item, path: where }]
      this.error(where, `\`${name}[${i}]\` must be a mapping, not ${kindOf(item)}`)
      return []
    })
  }

  inner({ value, path }: Item, name: string): Item {
    const inside = value[name]
    return { value: isMapping(inside) ? inside : {}, path: [...path, name] }
  }

  id(item: Item, what: string, name = 'id'): string | null {
    const value = item.value[name]
    const where = [...item.path, name]
    const text =
      typeof value === 'number'
        ? numberName(value, where, this.document)
        : typeof value === 'string'
          ? value.trim()
          : ''
    if (text !== '') return text
    if (value === undefined || value === null || value === '') this.error(item.path, `this ${what} has no \`${name}\``)
    else this.error(where, `\`${name}\` must be a string or a number, not ${kindOf(value)}`)
    return null
  }

  names({ value, path }: Item, name: string): Named[] {
    const written = value[name]
    if (written === undefined || written === null) return []
    const list = Array.isArray(written) ? written : [written]
    return list.flatMap((one, i) => {
      const where = Array.isArray(written) ? [...path, name, i] : [...path, name]
      if (typeof one === 'number') return [{ text: numberName(one, where, this.document), path: where }]
      if (typeof one === 'string') return one.trim() === '' ? [] : [{ text: one.trim(), path: where }]
      this.error(where, `\`${name}\` must hold texts or numbers, not ${kindOf(one)}`)
      return []
    })
  }

  texts(item: Item, name: string): string[] {
    return this.names(item, name).map(({ text }) => text)
  }

  /** Words, in whatever form they were written: never an error. */
  prose({ value }: Item, ...names: string[]): string {
    for (const name of names) {
      const text = prose(value[name])
      if (text !== '') return text
    }
    return ''
  }

  wholeNumber({ value, path }: Item, name: string, { min, max }: { min: number; max: number }): number | undefined {
    const number = numberIn(value[name])
    if (number === undefined || number === null || number === '') return undefined
    if (typeof number === 'number' && Number.isInteger(number) && number >= min) {
      if (number <= max) return number
      this.assume([...path, name], `\`${name}\` is ${number}: the most there is here is ${max}, which is taken`)
      return max
    }
    this.error([...path, name], `\`${name}\` must be a whole number from ${min} on, not ${kindOf(number)}`)
    return undefined
  }

  truth({ value, path }: Item, name: string): boolean {
    const written = value[name]
    if (isNothing(written)) return false
    const truth = truthOf(written)
    if (truth === null) this.error([...path, name], `\`${name}\` must be true or false, not ${kindOf(written)}`)
    return truth ?? false
  }

  claims(item: Item, what: string, paths: NamedPaths): PathClaims {
    const [write, read] = [this.#pathsIn(paths.write, item), this.#pathsIn(paths.read, item)]
    const claims = claimsOf({ write, read })
    const [first] = claims.outside ?? []
    if (first !== undefined) this.warn(item.path, `${what} will fail: ${first} is outside of the repository`)
    return claims
  }

  #pathsIn(texts: readonly string[], { path }: Item): string[] {
    return texts.flatMap((text) => {
      const paths = pathsInField(text)
      if (paths.length === 0 && !saysNone(text)) this.noteNoPath(text, path)
      return paths
    })
  }

  otherSections({ value, path }: Item, known: ReadonlySet<string>): PromptSection[] {
    const fields = otherFields(value, known)
    for (const { name } of fields) this.noteTold(name, [...path, name])
    return fields.map(toSection)
  }

  /** Asked before a need on a group becomes needs on its tasks: false, and reported once, when these are too many. */
  takeEdges(count: number, path: Path): boolean {
    if (this.#edgesLeft < 0) return false
    this.#edgesLeft -= count
    if (this.#edgesLeft >= 0) return true
    const most = LIMITS.epicEdges.toLocaleString('en')
    this.error(
      path,
      `the groups of this file are so large, or so deep, that they come to more than ${most} needs between tasks`,
    )
    return false
  }
}

export function fromJson(
  translate: (reader: JsonReader, options: TranslateOptions) => Result<Translation>,
): Format['translate'] {
  return ([source], options) => {
    const file = source as SourceFile
    const json = jsonOf(file)
    return json.ok ? translate(new JsonReader(json.value, file.file), options) : json
  }
}

export function jsonOf({ file, text, json }: SourceFile): Result<Document> {
  return json ? ok(json) : readJson(text, file)
}
