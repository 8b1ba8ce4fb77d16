// Where code blocks end. Models put blocks into a block with fences of the same length, so a fence with a language begins one
// within it; where that does not come out even, the rules of Markdown hold.

export class CodeBlocks {
  readonly #fences: Fence[]
  readonly #indexOf: Map<number, number>

  constructor(lines: readonly string[]) {
    this.#fences = lines.flatMap((line, position) => fenceOf(line, position) ?? [])
    this.#indexOf = new Map(this.#fences.map(({ position: at }, index) => [at, index]))
  }

  /** The last line of the block that begins in this one; null where none begins, Infinity where it has no end. */
  endOf(line: number): number | null {
    const from = this.#indexOf.get(line)
    if (from === undefined) return null
    return this.#nestedEnd(from) ?? this.#plainEnd(from) ?? Number.POSITIVE_INFINITY
  }

  #nestedEnd(from: number): number | null {
    const open = [this.#fences[from] as Fence]
    const to = Math.min(this.#fences.length, from + 1 + MAX_NESTED)
    for (let i = from + 1; i < to; i++) {
      const fence = this.#fences[i] as Fence
      if (!isAsLong(fence, open.at(-1) as Fence)) continue
      if (fence.hasLanguage) open.push(fence)
      else open.pop()
      if (open.length === 0) return fence.position
    }
    return null
  }

  #plainEnd(from: number): number | null {
    const begin = this.#fences[from] as Fence
    for (let i = from + 1; i < this.#fences.length; i++) {
      const fence = this.#fences[i] as Fence
      if (!fence.hasLanguage && isAsLong(fence, begin)) return fence.position
    }
    return null
  }
}

/** More fences than in any document that somebody puts into a block. */
const MAX_NESTED = 64

type Fence = { position: number; char: string; length: number; hasLanguage: boolean }

/** In lists they are indented by any amount. */
function fenceOf(line: string, position: number): Fence | null {
  const text = line.trim()
  const char = text[0]
  if (char !== '`' && char !== '~') return null
  let length = 0
  while (text[length] === char) length++
  // Three backticks with more of them behind, in one line, are code within the text.
  if (length < 3 || (char === '`' && text.includes('`', length))) return null
  return { position: position, char, length, hasLanguage: text.length > length }
}

function isAsLong(fence: Fence, other: Fence): boolean {
  return fence.char === other.char && fence.length >= other.length
}
