// Ignore patterns for paths of a slot that never land: caches (`keep`), files copied from the user's checkout, files
// that setup made, and those that the user's own git ignores.
import { writeAtomically } from '../../files/write-atomically.ts'
import type { Slot, SlotNote } from './slot.ts'

function ignoreFile(userExcludes: string, note: SlotNote): string {
  const paths = [...note.included, ...note.setupPaths, ...note.ownPaths]
  const lines = [...keepPatterns(note.keep), ...paths.map(literal)]
  return `${userExcludes}\n${lines.map((line) => line.replaceAll('\n', '?')).join('\n')}\n`
}

export async function writeIgnoreFile(slot: Slot, note: SlotNote): Promise<string> {
  const text = ignoreFile(slot.engine.user.excludes, note)
  await writeAtomically(slot.exclude, text)
  return text
}

/** Escapes `!` and `#`: a pattern cannot bring back what another one keeps, nor become a comment. */
export function keepPatterns(keep: readonly string[]): string[] {
  return keep.filter((glob) => glob.trim() !== '').map((glob) => glob.replace(/^[!#]/, '\\$&'))
}

/** Matches this one path, and all below it. */
export function literal(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`
}
