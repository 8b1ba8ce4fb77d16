// Makes the tree of a slot's index as `git write-tree` does, without a git process. The index knows the ids of
// unchanged folders (its extension TREE), so only the others are made.
import type { EngineRepository } from '../engine/repository.ts'
import { writeObject } from '../engine/write-object.ts'
import { entryAt, FOLDER_MODE, HEADER_BYTES, type IndexFile } from './index-file.ts'

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
