// Which patterns of a plan's claims can match the same path, without comparing each with each.
import { overlaps } from '../../scheduler/claims/overlap.ts'

/** By a tree of plain folders: only what lies on the way down is compared. A used-up `budget` ends below zero. */
export function* meetingPatterns(
  patterns: readonly string[],
  budget: { comparisons: number },
): Generator<[string, string]> {
  const root: Folder = { below: new Map(), patterns: [] }
  // Short ways first: what is above must be in the tree before what is below looks for it.
  const ways = patterns.map((pattern) => ({ pattern, folders: plainFolders(pattern) }))
  ways.sort((x, y) => x.folders.length - y.folders.length)
  for (const { pattern, folders } of ways) {
    yield [pattern, pattern]
    let folder = root
    for (let depth = 0; ; depth++) {
      for (const other of folder.patterns) {
        if (--budget.comparisons < 0) return
        if (overlaps(pattern, other)) yield [other, pattern]
      }
      const name = folders[depth]
      if (name === undefined) break
      const next = folder.below.get(name) ?? { below: new Map(), patterns: [] }
      folder.below.set(name, next)
      folder = next
    }
    folder.patterns.push(pattern)
  }
}

type Folder = { below: Map<string, Folder>; patterns: string[] }

function plainFolders(pattern: string): string[] {
  // A brace can span folders (`{a/b,c}`), so the plain part ends before the segment where the first one opens.
  const segments = pattern.split('/').filter((part) => part !== '' && part !== '.')
  const special = segments.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part))
  return special === -1 ? segments : segments.slice(0, special)
}
