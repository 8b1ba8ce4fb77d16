// Places in a file. By hand: yaml and jsonc-parser know places each in its own way, and messages need one.

export type Path = readonly (string | number)[]

/** Both count from 1. `file`: only where a plan is made of several. */
export type Place = { line: number; column: number; file?: string }

/** Something to point at: the value at a path, or the name that value has in its mapping. */
export type Spot = { path: Path; at: 'value' | 'name' }

export type Document = {
  value: unknown
  /** The places of all spots in one pass. What is not in the file is found at the closest thing around it. */
  locate(spots: readonly Spot[]): Place[]
  /** A number as it is written, where that says more than its value: `2.10`. Null for all others. Only JSON has it. */
  numeral?(path: Path): string | null
  /** Names that stand twice in one mapping, where the reader takes the last of them. */
  doubled?(): { message: string; place: Place }[]
}

export function placeAt(text: string, offset: number): Place {
  return placesAt(text, [offset])[0] as Place
}

export function placesAt(text: string, offsets: readonly number[]): Place[] {
  const places = new Map<number, Place>()
  let line = 1
  let start = 0
  let next = text.indexOf('\n')
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', start)) {
      line++
      start = next + 1
    }
    places.set(offset, { line, column: offset - start + 1 })
  }
  return offsets.map((offset) => places.get(offset) ?? { line: 1, column: 1 })
}
