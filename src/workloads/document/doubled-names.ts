// Names that stand twice in one mapping of a JSON text: the last one holds, and whoever wrote the first does not know.
import { visit } from 'jsonc-parser'
import { LIMITS } from '../../config.ts'
import { shown } from './field.ts'
import { type Place, placesAt } from './place.ts'

export type DoubledName = { name: string; place: Place }

export function doubledWords(name: string): string {
  return `${shown(name)} stands here for the second time: what it says before is not looked at`
}

/** `value`: what became of the text. `isStrict`: it has no comments in it. */
export function doubledNames(text: string, value: unknown, isStrict: boolean): DoubledName[] {
  // Looking at every name takes far longer than counting: outside of texts, JSON has a colon for every name.
  if (isStrict && colonsIn(text) === namesIn(value)) return []
  const found: { name: string; offset: number }[] = []
  const open: Set<string>[] = []
  visit(
    text,
    {
      onObjectBegin: () => {
        open.push(new Set())
      },
      onObjectEnd: () => {
        open.pop()
      },
      onObjectProperty: (name, offset) => {
        const names = open.at(-1)
        if (names?.has(name) && found.length < LIMITS.problems) found.push({ name, offset })
        names?.add(name)
      },
    },
    { allowTrailingComma: true },
  )
  const places = placesAt(
    text,
    found.map(({ offset }) => offset),
  )
  return found.map(({ name }, i) => ({ name, place: places[i] ?? { line: 1, column: 1 } }))
}

function colonsIn(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = endOfText(text, i)
    else if (code === 0x3a) count++
  }
  return count
}

/** Where the quote is that ends the text which begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === 0x5c) before--
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

function namesIn(value: unknown): number {
  let count = 0
  const open: unknown[] = [[value]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inside: unknown[] = Array.isArray(next) ? next : Object.values(next as object)
    if (!Array.isArray(next)) count += inside.length
    for (const one of inside) if (typeof one === 'object' && one !== null) open.push(one)
  }
  return count
}
