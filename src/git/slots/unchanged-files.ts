// Whether the files of a small worktree are as git checked them out, told by their times, sizes and numbers as git itself tells it:
// a test that leaves no trace spares the next one a git process.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { readable } from '../run/path-bytes.ts'
import { entryAt, HEADER_BYTES, type IndexFile } from './index-file.ts'
import type { Slot } from './slot.ts'

/** False: one was touched, or it cannot be told, or it would take too long to look. */
export function hasUnchangedFiles(slot: Slot, index: IndexFile): boolean {
  if (!index.isPlain || index.content.length > MAX_INDEX_BYTES) return false
  const written = lstatSync(slot.index, { bigint: true }).mtimeNs
  for (let position = HEADER_BYTES; position < index.entriesEnd; ) {
    const { nameAt, nameEnd, next } = entryAt(index, position)
    const path = join(slot.path, readable(index.content.toString('latin1', nameAt, nameEnd)))
    const file = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!file || file.mtimeNs !== timeAt(index, position + MTIME_AT) || file.ctimeNs !== timeAt(index, position))
      return false
    if (low(file.ino) !== index.content.readUInt32BE(position + INODE_AT)) return false
    if (low(file.size) !== index.content.readUInt32BE(position + SIZE_AT)) return false
    // Changed since in the same instant it would look the same.
    if (file.mtimeNs >= written) return false
    position = next
  }
  return true
}

/** Some hundred files: with more a git process is quicker. */
const MAX_INDEX_BYTES = 64 << 10
const MTIME_AT = 8
const INODE_AT = 20
const SIZE_AT = 36

function timeAt({ content }: IndexFile, position: number): bigint {
  return BigInt(content.readUInt32BE(position)) * 1_000_000_000n + BigInt(content.readUInt32BE(position + 4))
}

function low(number: bigint): number {
  return Number(number & 0xffffffffn)
}
