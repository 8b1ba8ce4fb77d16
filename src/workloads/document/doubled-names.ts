// Names that stand twice in one mapping of a JSON text: the last one holds, and whoever wrote the first does not know.
import { visit } from 'jsonc-parser'
import { LIMITS } from '../../config.ts'
import { shown } from './field.ts'
import { type Place, placesAt } from './place.ts'

type DoubledName = { name: string; place: Place }

export function doubledWords(name: string): string {
  return `${shown(name)} is given twice: the first value is ignored`
}

/** Of a large text none: looking at every name takes far longer than reading it. */
export function doubledNames(text: string): DoubledName[] {
  if (text.length > MAX_CHARS) return []
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

const MAX_CHARS = 16 << 20
