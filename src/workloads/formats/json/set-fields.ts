// Sets fields in a JSON text and keeps all other text. A new field is formatted like the one before it.
import { type Node, parseTree } from 'jsonc-parser'
import type { Path } from '../../document/place.ts'
import type { TextEdit } from '../format.ts'

/** undefined: unchanged; null: emptied if present; `REMOVED`: deleted. */
export type Fields = Record<string, string | number | boolean | null | undefined | typeof REMOVED>

export const REMOVED = Symbol('removed')

/**
 * A function that tells the edits which give the item at `path` the values of `fields`. New fields come after the last of `fields`
 * that is present, else after the field `after`. The text is parsed at the first call: most texts never change.
 */
export function jsonEditor(text: string, offset = 0): (path: Path, fields: Fields, after: string) => TextEdit[] {
  let tree: Node | null | undefined
  return (path, fields, after) => {
    tree ??= parseTree(text, [], { allowTrailingComma: true }) ?? null
    const item = nodeAt(tree, path)
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
    if (anchor && added.length > 0) edits.push(insertion(text, item, anchor, added))
    const changes = edits.filter((edit) => text.slice(edit.offset, edit.offset + edit.length) !== edit.text)
    return changes.map((edit) => ({ ...edit, offset: edit.offset + offset }))
  }
}

function nodeAt(tree: Node | null, path: Path): Node | undefined {
  let node = tree ?? undefined
  for (const step of path) {
    if (!node) return undefined
    node = typeof step === 'number' ? node.children?.[step] : propertyOf(node, step)?.children?.[1]
  }
  return node
}

/** Inserts fields with the white space before the anchor field and around its colon. */
function insertion(json: string, item: Node, anchor: Node, added: [string, unknown][]): TextEdit {
  const [name, value] = anchor.children ?? []
  const colon = name && value ? json.slice(name.offset + name.length, value.offset) : ':'
  const between = /^\s*:[ \t]*$/.test(colon) ? colon : ': '
  // The first field may have other white space before it than those that follow.
  const model = item.children?.[0] === anchor ? (item.children[1] ?? anchor) : anchor
  const [, space = ' '] = /[{,](\s*)$/.exec(json.slice(Math.max(0, model.offset - 200), model.offset)) ?? []
  const before = space === '' && between.endsWith(' ') ? ' ' : space
  const text = added.map(([key, one]) => `,${before}${JSON.stringify(key)}${between}${JSON.stringify(one)}`).join('')
  return { offset: anchor.offset + anchor.length, length: 0, text }
}

/** True if the item has these values already. Needs no parsing of the text, which takes much longer. */
export function hasFields(value: Record<string, unknown>, fields: Fields): boolean {
  return Object.entries(fields).every(([name, wanted]) => {
    if (wanted === REMOVED) return !(name in value)
    return wanted === undefined || (wanted === null ? (value[name] ?? null) === null : value[name] === wanted)
  })
}

/** The last property of that name: it is the one that parsers use. */
function propertyOf(item: Node, name: string): Node | undefined {
  return item.type === 'object' ? item.children?.findLast((one) => one.children?.[0]?.value === name) : undefined
}

/** Removes a field with the comma and the space that an insertion puts before it, so that both together change nothing. */
function removal(item: Node, field: Node): TextEdit {
  const all = item.children ?? []
  const position = all.indexOf(field)
  const [before, behind] = [all[position - 1], all[position + 1]]
  const end = field.offset + field.length
  const start = before ? before.offset + before.length : field.offset
  return { offset: start, length: (before ? end : (behind?.offset ?? end)) - start, text: '' }
}
