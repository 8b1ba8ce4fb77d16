// Sets fields in a JSON text and touches nothing else. A new field is written as the one before it is.
import { type Node, parseTree } from 'jsonc-parser'
import type { Path } from '../../document/place.ts'
import type { TextEdit } from '../format.ts'

/** undefined leaves a field alone; null empties it where it is there, `REMOVED` takes it out. */
export type Fields = Record<string, string | number | boolean | null | undefined | typeof REMOVED>

export const REMOVED = Symbol('removed')

/** A JSON text that is only looked at closely once something in it is to change: most looks change nothing. */
export class JsonText {
  readonly #text: string
  readonly #offset: number
  #tree: Node | null | undefined

  constructor(text: string, offset = 0) {
    this.#text = text
    this.#offset = offset
  }

  /** New ones come behind those of them that are there, else behind the field `after`. */
  setFields(path: Path, fields: Fields, after: string): TextEdit[] {
    const item = this.#at(path)
    if (item?.type !== 'object') return []
    const edits: TextEdit[] = []
    const added: [string, unknown][] = []
    for (const [name, value] of Object.entries(fields)) {
      const field = propertyOf(item, name)
      const node = field?.children?.[1]
      if (value === REMOVED) edits.push(...(field ? [removal(item, field)] : []))
      else if (node && value !== undefined)
        edits.push({ offset: node.offset, length: node.length, text: JSON.stringify(value) })
      else if (value !== null && value !== undefined) added.push([name, value])
    }
    const anchor =
      Object.keys(fields)
        .flatMap((name) => propertyOf(item, name) ?? [])
        .at(-1) ?? propertyOf(item, after)
    if (anchor && added.length > 0) edits.push(this.#insertion(item, anchor, added))
    const changes = edits.filter(({ offset, length, text }) => this.#text.slice(offset, offset + length) !== text)
    return changes.map((edit) => ({ ...edit, offset: edit.offset + this.#offset }))
  }

  #at(path: Path): Node | undefined {
    this.#tree ??= parseTree(this.#text, [], { allowTrailingComma: true }) ?? null
    let node: Node | undefined = this.#tree ?? undefined
    for (const step of path) {
      if (!node) return undefined
      node = typeof step === 'number' ? node.children?.[step] : propertyOf(node, step)?.children?.[1]
    }
    return node
  }

  /** With the white space that is before the field they come behind, and around its colon. */
  #insertion(item: Node, anchor: Node, added: [string, unknown][]): TextEdit {
    const [name, value] = anchor.children ?? []
    const colon = name && value ? this.#text.slice(name.offset + name.length, value.offset) : ':'
    const between = /^\s*:[ \t]*$/.test(colon) ? colon : ': '
    // Before the first field there may be another space than between two.
    const model = item.children?.[0] === anchor ? (item.children[1] ?? anchor) : anchor
    const [, space = ' '] = /[{,](\s*)$/.exec(this.#text.slice(Math.max(0, model.offset - 200), model.offset)) ?? []
    const before = space === '' && between.endsWith(' ') ? ' ' : space
    const text = added.map(([key, one]) => `,${before}${JSON.stringify(key)}${between}${JSON.stringify(one)}`).join('')
    return { offset: anchor.offset + anchor.length, length: 0, text }
  }
}

/** Known without a close look at the text, which takes much longer. */
export function hasFields(value: Record<string, unknown>, fields: Fields): boolean {
  return Object.entries(fields).every(([name, wanted]) => {
    if (wanted === REMOVED) return !(name in value)
    return wanted === undefined || (wanted === null ? (value[name] ?? null) === null : value[name] === wanted)
  })
}

/** Of two with the same name the last counts, as it does for whoever reads the file. */
function propertyOf(item: Node, name: string): Node | undefined {
  return item.type === 'object' ? item.children?.findLast((one) => one.children?.[0]?.value === name) : undefined
}

/** With the comma and the space that an insertion puts before it: afterwards the text is what it was. */
function removal(item: Node, field: Node): TextEdit {
  const all = item.children ?? []
  const position = all.indexOf(field)
  const [before, behind] = [all[position - 1], all[position + 1]]
  const end = field.offset + field.length
  const start = before ? before.offset + before.length : field.offset
  return { offset: start, length: (before ? end : (behind?.offset ?? end)) - start, text: '' }
}
