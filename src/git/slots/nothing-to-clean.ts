// Whether `git clean` would find anything in a slot, told by a walk through a small worktree: most slots hold nothing but
// what the engine's index knows, and a walk through some hundred files takes a tenth of a git process.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readable } from '../run/path-bytes.ts'
import { type IndexFile, pathsIn } from './index-file.ts'
import type { Slot } from './slot.ts'

/**
 * True: every entry is a file of the index, or a real folder that holds some. False: something else is there, or it would
 * take too long to look.
 */
export function hasNothingToClean(slot: Slot, index: IndexFile): boolean {
  if (index.submodules.length > 0 || index.content.length > MAX_INDEX_BYTES) return false
  const files = new Set(pathsIn(index).map(readable))
  const folders = new Set(['', ...[...files].flatMap(foldersOf)])
  const isKnown = (folder: string): boolean =>
    entriesOf(join(slot.path, folder)).every((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (path === '.git') return true
      if (entry.isDirectory()) return folders.has(path) && isKnown(path)
      return (entry.isFile() || entry.isSymbolicLink()) && files.has(path)
    })
  try {
    return isKnown('')
  } catch {
    return false // a folder that is closed, or went away meanwhile
  }
}

/** Some thousand files. */
const MAX_INDEX_BYTES = 256 << 10

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
}

function foldersOf(path: string): string[] {
  const found: string[] = []
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) found.push(path.slice(0, slash))
  return found
}
