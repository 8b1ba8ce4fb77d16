// Looks through a small worktree without a git process: whether `git clean` would find anything, and whether the files
// are as git checked them out. Most slots hold only files of the engine's index, and a walk through some hundred files
// takes a tenth of a git process.
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readable } from '../run/path-bytes.ts'
import { entryAt, HEADER_BYTES, type IndexFile, pathsIn } from './index-file.ts'
import type { Slot } from './slot.ts'

/** False: something besides files of the index and their folders is there, or it would take too long to look. */
export function hasNothingToClean(slot: Slot, index: IndexFile): boolean {
  if (index.submodules.length > 0 || index.content.length > MAX_CLEANED_BYTES) return false
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

const MAX_CLEANED_BYTES = 256 << 10

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
}

function foldersOf(path: string): string[] {
  const found: string[] = []
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) found.push(path.slice(0, slash))
  return found
}

/** Compares times, sizes and numbers as git does. False: a file was touched, or it would take too long to look. */
export function hasUnchangedFiles(slot: Slot, index: IndexFile): boolean {
  if (!index.isPlain || index.content.length > MAX_COMPARED_BYTES) return false
  const written = lstatSync(slot.index, { bigint: true }).mtimeNs
  for (let position = HEADER_BYTES; position < index.entriesEnd; ) {
    const { nameAt, nameEnd, next } = entryAt(index, position)
    const path = join(slot.path, readable(index.content.toString('latin1', nameAt, nameEnd)))
    const file = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!file || file.mtimeNs !== timeAt(index, position + MTIME_AT) || file.ctimeNs !== timeAt(index, position))
      return false
    if (low(file.ino) !== index.content.readUInt32BE(position + INODE_AT)) return false
    if (low(file.size) !== index.content.readUInt32BE(position + SIZE_AT)) return false
    // A change in the same instant would look the same.
    if (file.mtimeNs >= written) return false
    position = next
  }
  return true
}

/** Some hundred files: with more a git process is quicker. */
const MAX_COMPARED_BYTES = 64 << 10
const MTIME_AT = 8
const INODE_AT = 20
const SIZE_AT = 36

function timeAt({ content }: IndexFile, position: number): bigint {
  return BigInt(content.readUInt32BE(position)) * 1_000_000_000n + BigInt(content.readUInt32BE(position + 4))
}

function low(number: bigint): number {
  return Number(number & 0xffffffffn)
}
