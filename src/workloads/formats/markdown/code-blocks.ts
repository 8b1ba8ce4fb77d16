// Where code blocks begin and end. Models put blocks into a block with fences of the same length, so a fence with a language
// begins one within it; where that does not come out even, the rules of Markdown hold. No task is lost in an open block.

export type CodeBlock = {
  /** The lines of its fences, counted from 0; `last` is its last line where it has no end. */
  first: number
  last: number
  /** `cut`: it has no end, and was ended before a task; `open`: it has no end, and all that follows is part of it. */
  end: 'closed' | 'cut' | 'open'
}

export class CodeBlocks {
  readonly #lines: readonly string[]
  readonly #fences: Fence[]
  readonly #indexOf: Map<number, number>
  /** For every line the next one, from it on, that begins a task, in code or not. */
  readonly #taskFrom: number[] = []

  constructor(lines: readonly string[], beginsTask: (line: string) => boolean) {
    this.#lines = lines
    this.#fences = lines.flatMap((line, at) => fenceOf(line, at) ?? [])
    this.#indexOf = new Map(this.#fences.map(({ at }, index) => [at, index]))
    if (this.#fences.length === 0) return
    let task = lines.length
    for (let at = lines.length - 1; at >= 0; at--) {
      if (beginsTask(lines[at] as string)) task = at
      this.#taskFrom[at] = task
    }
  }

  /** The block that begins in this line; null where none does. To be asked from the top down, for lines outside of blocks. */
  at(line: number): CodeBlock | null {
    const from = this.#indexOf.get(line)
    if (from === undefined) return null
    const task = this.#taskFrom[line + 1] ?? this.#lines.length
    const nested = this.#nestedEnd(from)
    // Up to the next task: a block that goes on behind it is cut there.
    const plain = this.#plainEnd(from, nested === null ? task : nested + 1)
    const last = nested !== null && (nested < task || plain === null || plain > task) ? nested : plain
    if (last !== null) return { first: line, last, end: 'closed' }
    const isCut = task < this.#lines.length
    return { first: line, last: task - 1, end: isCut ? 'cut' : 'open' }
  }

  #nestedEnd(from: number): number | null {
    const open = [this.#fences[from] as Fence]
    const to = Math.min(this.#fences.length, from + 1 + MAX_NESTED)
    for (let i = from + 1; i < to; i++) {
      const fence = this.#fences[i] as Fence
      if (!isAsLong(fence, open.at(-1) as Fence)) continue
      if (fence.hasLanguage) open.push(fence)
      else open.pop()
      if (open.length === 0) return fence.at
    }
    return null
  }

  /** Its end by the rules of Markdown, if that is before `limit`. */
  #plainEnd(from: number, limit: number): number | null {
    const begin = this.#fences[from] as Fence
    for (let i = from + 1; i < this.#fences.length; i++) {
      const fence = this.#fences[i] as Fence
      if (fence.at >= limit) return null
      if (!fence.hasLanguage && isAsLong(fence, begin)) return fence.at
    }
    return null
  }
}

/** More fences than in any document that somebody puts into a block; with it, many blocks without an end are read soon. */
const MAX_NESTED = 64

type Fence = { at: number; char: string; length: number; hasLanguage: boolean }

/** In lists they are indented by any amount. */
function fenceOf(line: string, at: number): Fence | null {
  const text = line.trim()
  const char = text[0]
  if (char !== '`' && char !== '~') return null
  let length = 0
  while (text[length] === char) length++
  // Three backticks with more of them behind, in one line, are code within the text.
  if (length < 3 || (char === '`' && text.includes('`', length))) return null
  return { at, char, length, hasLanguage: text.length > length }
}

function isAsLong(fence: Fence, other: Fence): boolean {
  return fence.char === other.char && fence.length >= other.length
}
