// Reads the engine's index of a slot without a git process. Git does not check the hash at its end: it believes a file
// that was cut short. So we do.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineRepository } from '../engine/engine-repository.ts'
import { writeObject } from '../engine/write-object.ts'
import { readable } from '../run/path-bytes.ts'
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

const HEADER_BYTES = 12
const MODE_AT = 24
const ID_AT = 40
const SUBMODULE_MODE = 0o160000
const FOLDER_MODE = 0o40000
const EXTENDED = 0x4000
const STAGE = 0x3000
/** A longer name does not have its length in the flags. */
const LONG_NAME = 0xfff

/**
 * Entry of version 2 or 3: fixed fields, name (one character per byte), NULs up to a multiple of 8. Our configuration makes
 * no others.
 */
function entryAt({ content, hashBytes }: Pick<IndexFile, 'content' | 'hashBytes'>, position: number) {
  const flagsAt = position + ID_AT + hashBytes
  const flags = content.readUInt16BE(flagsAt)
  const nameAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4)
  const length = flags & LONG_NAME
  const nameEnd = length < LONG_NAME ? nameAt + length : content.indexOf(0, nameAt)
  const next = position + ((nameEnd - position + 8) & ~7)
  return { mode: content.readUInt32BE(position + MODE_AT), flags, idAt: position + ID_AT, nameAt, nameEnd, next }
}

function pathsIn(index: IndexFile): string[] {
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

// Looks through a small worktree without a git process: whether `git clean` would find anything, and whether the files
// are as git checked them out. Most slots hold only files of the engine's index, and a walk through some hundred files
// takes a tenth of a git process.

/** False: something besides files of the index and their folders is there, or it would take too long to look. */
export function hasNothingToClean(slot: Slot, index: IndexFile): boolean {
  if (index.submodules.length > 0 || index.content.length > MAX_CLEANED_BYTES) return false
  const files = new Set(pathsIn(index).map(readable))
  const folders = new Set(['', ...[...files].flatMap(foldersOf)])
  const isKnown = (folder: string): boolean =>
    readdirSync(join(slot.path, folder), { withFileTypes: true }).every((entry) => {
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

// Makes the tree of a slot's index as `git write-tree` does, without a git process. The index knows the ids of
// unchanged folders (its extension TREE), so only the others are made.

/** Null: the index knows no tree, or has an entry that only git understands. */
export function writeIndexTree(engine: EngineRepository, index: IndexFile): string | null {
  const known = index.isPlain ? knownTree(index) : null
  if (known === null) return null
  const reader: Reader = { engine, index, place: HEADER_BYTES }
  return (known.id ?? writeFolder(reader, '', known)).toString('hex')
}

/** A folder in the index. `id` null: it has changed. */
type Known = { id: Buffer | null; files: number; folders: Map<string, Known> }

/** `place`: the next entry. */
type Reader = { engine: EngineRepository; index: IndexFile; place: number }

/** Entries have the order of trees, folders at the place of their files. */
function writeFolder(reader: Reader, path: string, known: Known | undefined): Buffer {
  const { content, hashBytes, entriesEnd } = reader.index
  const parts: Buffer[] = []
  while (reader.place < entriesEnd) {
    const { mode, idAt, nameAt, nameEnd, next } = entryAt(reader.index, reader.place)
    const name = content.toString('latin1', nameAt, nameEnd)
    if (!name.startsWith(path)) break
    const slash = name.indexOf('/', path.length)
    if (slash < 0) {
      parts.push(treeEntry(mode, name.slice(path.length), content.subarray(idAt, idAt + hashBytes)))
      reader.place = next
      continue
    }
    const folder = name.slice(path.length, slash)
    const inner = known?.folders.get(folder)
    if (inner?.id)
      for (let left = inner.files; left > 0; left--) reader.place = entryAt(reader.index, reader.place).next
    const id = inner?.id ?? writeFolder(reader, name.slice(0, slash + 1), inner)
    parts.push(treeEntry(FOLDER_MODE, folder, id))
  }
  return Buffer.from(writeObject(reader.engine, 'tree', Buffer.concat(parts)), 'hex')
}

function treeEntry(mode: number, name: string, id: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mode.toString(8)} ${name}\0`, 'latin1'), id])
}

function knownTree({ content, hashBytes, entriesEnd }: IndexFile): Known | null {
  const end = content.length - hashBytes
  for (let position = entriesEnd; position + EXTENSION_BYTES <= end; ) {
    const start = position + EXTENSION_BYTES
    const size = content.readUInt32BE(position + 4)
    if (content.toString('latin1', position, position + 4) === 'TREE') {
      const data = { content: content.subarray(start, start + size), position: 0 }
      return readKnown(data, hashBytes).known
    }
    position = start + size
  }
  return null
}

const EXTENSION_BYTES = 8

/**
 * Reads: name, NUL, number of files (-1: changed), space, number of folders, line break, id unless changed; then the
 * folders.
 */
function readKnown(data: { content: Buffer; position: number }, hashBytes: number): { name: string; known: Known } {
  const name = readUntil(data, 0)
  const files = Number(readUntil(data, SPACE))
  const count = Number(readUntil(data, LINE_FEED))
  const id = files < 0 ? null : data.content.subarray(data.position, data.position + hashBytes)
  if (id) data.position += hashBytes
  const folders = new Map<string, Known>()
  for (let left = count; left > 0; left--) {
    const inner = readKnown(data, hashBytes)
    folders.set(inner.name, inner.known)
  }
  return { name, known: { id, files, folders } }
}

const SPACE = 0x20
const LINE_FEED = 0x0a

function readUntil(data: { content: Buffer; position: number }, byte: number): string {
  const end = data.content.indexOf(byte, data.position)
  const text = data.content.toString('latin1', data.position, end)
  data.position = end + 1
  return text
}
