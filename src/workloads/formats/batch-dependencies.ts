// What stands behind `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 and 1.3`, `Batches 1-3`; or words.

export type Dependency = {
  kind: 'batch' | 'task'
  first: string
  /** The end of a range. */
  last: string | null
  /** False: a number without `batch` or `task` before it, which may be the number of something else. */
  isNamed: boolean
  /** From the beginning of the text. */
  offset: number
}

/** `what`: what a number without a dot means where nothing is said. */
export function readDependencies(written: string, what: 'batch' | 'task'): Dependency[] {
  const text = withoutAsides(written.slice(0, MAX_CHARS))
  const found: Dependency[] = []
  let named: 'batch' | 'task' | null = null
  for (const match of text.matchAll(
    /\b(batch|task)(?:es|s)?\b|\b(\d{1,9}(?:\.\d{1,9}){0,3}[a-z]?)(?:\s*[-–]\s*(\d{1,9}(?:\.\d{1,9}){0,3}[a-z]?))?\b/gi,
  )) {
    const [, word, first, last = null] = match
    if (word) named = word.toLowerCase() === 'batch' ? 'batch' : 'task'
    else if (first) {
      const kind = first.includes('.') ? 'task' : (named ?? what)
      found.push({
        kind,
        first: first.toLowerCase(),
        last: last?.toLowerCase() ?? null,
        isNamed: named !== null,
        offset: match.index,
      })
    }
  }
  return found
}

/** More than anybody lists. */
const MAX_CHARS = 10_000

/** What is in brackets explains. Spaces take its place, so that places stay right. */
function withoutAsides(text: string): string {
  return text.replace(/\([^()]*\)/g, (aside) => ' '.repeat(aside.length))
}
