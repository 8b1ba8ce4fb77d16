// Sets fields in a JSON text and touches nothing else. A new field is written as the one before it is.
import { type Node, parseTree } from 'jsonc-parser'
import type { Path } from '../../document/place.ts'
import type { TextEdit } from './status-file.ts'

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

  /** New ones come behind those of them that are there, else behind the first of `after`. */
  setFields(path: Path, fields: Fields, after: readonly string[]): TextEdit[] {
    const item = this.#at(path)
    if (item?.type !== 'object') return []
    const edits: TextEdit[] = []
    const added: [string, string][] = []
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined) continue
      if (value === REMOVED) {
        edits.push(...removal(item, name))
        continue
      }
      const node = propertyOf(item, name)?.children?.[1]
      const text = JSON.stringify(value)
      if (node === undefined) {
        if (value !== null) added.push([name, text])
      } else if (this.#text.slice(node.offset, node.offset + node.length) !== text)
        edits.push({ offset: node.offset, length: node.length, text })
    }
    const there = (names: readonly string[]): Node[] => names.flatMap((name) => propertyOf(item, name) ?? [])
    const anchor = there(Object.keys(fields)).at(-1) ?? there(after)[0]
    if (anchor && added.length > 0) edits.push(...this.#insertions(anchor, added))
    return edits.map((edit) => ({ ...edit, offset: edit.offset + this.#offset }))
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

  #insertions(anchor: Node, added: [string, string][]): TextEdit[] {
    const text = this.#text
    const [name, value] = anchor.children ?? []
    if (!name || !value) return []
    const colon = text.slice(name.offset + name.length, value.offset)
    const isPlain = /^\s*:[ \t]*$/.test(colon)
    const written = added.map(([key, json]) => `${JSON.stringify(key)}${isPlain ? colon.trimStart() : ': '}${json}`)
    const end = value.offset + value.length
    const lineStart = text.lastIndexOf('\n', anchor.offset - 1) + 1
    const indent = text.slice(lineStart, anchor.offset)
    const line = /^[ \t]*$/.test(indent) && lineStart > 0 ? this.#lineBehind(end) : null
    if (line === null) {
      const gap = colon.trim() === colon ? ',' : ', '
      return [{ offset: end, length: 0, text: written.map((field) => gap + field).join('') }]
    }
    const comma = line.hasComma ? ',' : ''
    const separated = written.map((field, i) => (i < written.length - 1 ? `${field},` : `${field}${comma}`))
    const lines = separated.map((field) => `${line.ending}${indent}${field}`).join('')
    // A comment behind the value stays with it.
    if (line.hasComma || line.offset === end)
      return [{ offset: line.offset, length: 0, text: line.hasComma ? lines : `,${lines}` }]
    return [
      { offset: end, length: 0, text: ',' },
      { offset: line.offset, length: 0, text: lines },
    ]
  }

  /** Where the line ends on which a value ends; null where something else stands on it besides a comma and comments. */
  #lineBehind(offset: number): { offset: number; ending: string; hasComma: boolean } | null {
    REST_OF_LINE.lastIndex = offset
    const found = REST_OF_LINE.exec(this.#text)
    if (!found) return null
    const [rest, comma = '', ending = ''] = found
    return { offset: offset + rest.length - ending.length, ending, hasComma: comma !== '' }
  }
}

const REST_OF_LINE =
  /(?:[ \t]|\/\*(?:[^*\n]|\*(?!\/))*\*\/)*(,?)(?:[ \t]|\/\*(?:[^*\n]|\*(?!\/))*\*\/)*(?:\/\/[^\r\n]*)?(\r?\n)/y

/** Of two with the same name the last counts, as it does for whoever reads the file. */
function propertyOf(item: Node, name: string): Node | undefined {
  return item.type === 'object' ? item.children?.findLast((one) => one.children?.[0]?.value === name) : undefined
}

/** With the comma and the space that an insertion puts before it: afterwards the text is what it was. */
function removal(item: Node, name: string): TextEdit[] {
  const field = propertyOf(item, name)
  if (!field) return []
  const all = item.children ?? []
  const position = all.indexOf(field)
  const [before, behind] = [all[position - 1], all[position + 1]]
  const end = field.offset + field.length
  if (before) {
    const offset = before.offset + before.length
    return [{ offset, length: end - offset, text: '' }]
  }
  return [{ offset: field.offset, length: (behind?.offset ?? end) - field.offset, text: '' }]
}
