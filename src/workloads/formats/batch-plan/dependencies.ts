// What stands behind `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 (schema) and 1.3`, `Batches 1-3`.

export type Dependency = {
  kind: 'batch' | 'task'
  first: string
  last: string | null
  /** False: a number without `batch` or `task` before it, which may be the number of something else. */
  isNamed: boolean
  offset: number
}

/** `what`: what a number without a dot means where nothing is said. */
export function readDependencies(written: string, what: 'batch' | 'task'): { named: Dependency[]; isNone: boolean } {
  // Spaces take the place of brackets, so that places stay right.
  const text = written.slice(0, MAX_CHARS).replace(/\([^()]*\)/g, (aside) => ' '.repeat(aside.length))
  const named: Dependency[] = []
  let position = 0
  let kind: 'batch' | 'task' | null = null
  for (let next = NEXT.exec(text); next; next = NEXT.exec(text.slice(position))) {
    const [whole, before = '', word, first = '', last] = next
    if (word !== undefined) kind = word.toLowerCase() === 'batch' ? 'batch' : 'task'
    named.push({
      kind: first.includes('.') ? 'task' : (kind ?? what),
      first: first.toLowerCase(),
      last: last?.toLowerCase() ?? null,
      isNamed: kind !== null,
      offset: position + before.length,
    })
    position += whole.length
  }
  return { named, isNone: NONE.test(text) }
}

const MAX_CHARS = 10_000

const NUMBER = '\\d{1,9}[a-z]?(?:\\.\\d{1,9}[a-z]?){0,3}'
const NEXT = new RegExp(
  `^([\\s,;&+/#*_\`"'[\\]:✅✓✔☑]{0,200}(?:(?:and|or|plus)\\s)?[\\s#*_\`[]{0,9}(?:(batch|task)(?:es|s)?\\s{1,9}#?)?)(${NUMBER})(?:(?:\\s?[-–]\\s?|\\s(?:to|through)\\s)(?:(?:batch|task)\\s)?(${NUMBER}))?(?![\\w.]\\w|\\w)`,
  'i',
)
const NONE = /^[\s*_`(-]*(?:none|no|n\/a|nothing|independent|[-–—]|$)(?![\w-])/i
