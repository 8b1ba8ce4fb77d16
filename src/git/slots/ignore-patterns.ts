// Paths of a slot that never land: caches (`keep`), files copied from the user's checkout, what setup made, and what the
// user's own git ignores. Written as git's ignore patterns.
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

/** A pattern cannot bring back what another one keeps, nor become a comment. */
export function keepPatterns(keep: readonly string[]): string[] {
  return keep.filter((glob) => glob.trim() !== '').map((glob) => glob.replace(/^[!#]/, '\\$&'))
}

/** The pattern that matches this one path, and what is below it if it is a folder. */
export function literal(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`
}
