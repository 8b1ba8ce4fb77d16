// Reads the engine's index of a slot without a git process. Git does not check the hash at its end: it believes a file
// that was cut short. So we do.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import type { Slot, SlotNote } from './slot.ts'

export type IndexFile = {
  content: Buffer
  /** Length of an id. */
  hashBytes: number
  entriesEnd: number
  /** Submodules (one character per byte). */
  submodules: string[]
  /** Checksum in the last bytes of the file; covers everything before it. */
  hash: string
  /** No entry is unmerged, has unusual flags, or stands for a whole folder. */
  isPlain: boolean
}

/** Null: the index is missing or damaged. A few ms for 20,000 files. */
export function readIndexFile(slot: Slot): IndexFile | null {
  if (!lstatSync(slot.index, { throwIfNoEntry: false })?.isFile()) return null
  const content = readFileSync(slot.index)
  const format = slot.engine.user.objectFormat
  const hashBytes = format === 'sha256' ? 32 : 20
  if (content.length < HEADER_BYTES + hashBytes || content.toString('latin1', 0, 4) !== 'DIRC') return null
  const end = content.length - hashBytes
  if (!createHash(format).update(content.subarray(0, end)).digest().equals(content.subarray(end))) return null
  const version = content.readUInt32BE(4)
  if (version > 3) throw new Error(`unknown version of the index: ${version}`)
  return lookThrough(content, hashBytes)
}

/** Null also if the index is not as the engine left it: an agent of another slot wrote it. */
export function readOwnIndex(slot: Slot, { indexHash }: Pick<SlotNote, 'indexHash'>): IndexFile | null {
  const index = readIndexFile(slot)
  return index?.hash === indexHash ? index : null
}

export const HEADER_BYTES = 12
const MODE_AT = 24
const ID_AT = 40
const SUBMODULE_MODE = 0o160000
export const FOLDER_MODE = 0o40000
const EXTENDED = 0x4000
const STAGE = 0x3000
/** A longer name does not have its length in the flags. */
const LONG_NAME = 0xfff

/** Entry of version 2 or 3: fixed fields, name, NULs up to a multiple of 8. Our configuration makes no others. */
type IndexEntry = {
  mode: number
  flags: number
  /** Positions in the file; the name is one character per byte. */
  idAt: number
  nameAt: number
  nameEnd: number
  next: number
}

export function entryAt(
  { content, hashBytes }: Pick<IndexFile, 'content' | 'hashBytes'>,
  position: number,
): IndexEntry {
  const flagsAt = position + ID_AT + hashBytes
  const flags = content.readUInt16BE(flagsAt)
  const nameAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4)
  const length = flags & LONG_NAME
  const nameEnd = length < LONG_NAME ? nameAt + length : content.indexOf(0, nameAt)
  const next = position + ((nameEnd - position + 8) & ~7)
  return { mode: content.readUInt32BE(position + MODE_AT), flags, idAt: position + ID_AT, nameAt, nameEnd, next }
}

export function pathsIn(index: IndexFile): string[] {
  const paths: string[] = []
  for (let position = HEADER_BYTES; position < index.entriesEnd; ) {
    const { nameAt, nameEnd, next } = entryAt(index, position)
    paths.push(index.content.toString('latin1', nameAt, nameEnd))
    position = next
  }
  return paths
}

function lookThrough(content: Buffer, hashBytes: number): IndexFile {
  const submodules: string[] = []
  let isPlain = true
  let position = HEADER_BYTES
  for (let left = content.readUInt32BE(8); left > 0; left--) {
    const { mode, flags, nameAt, nameEnd, next } = entryAt({ content, hashBytes }, position)
    if ((flags & (STAGE | EXTENDED)) !== 0 || mode === FOLDER_MODE) isPlain = false
    if (mode === SUBMODULE_MODE) submodules.push(content.toString('latin1', nameAt, nameEnd))
    position = next
  }
  const hash = content.toString('hex', content.length - hashBytes)
  return { content, hashBytes, entriesEnd: position, submodules, hash, isPlain }
}
