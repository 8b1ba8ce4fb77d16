// A look into the engine's index of a slot without a git process. Git does not check the hash at its end when it reads
// one: of a file cut short it believes what is left. So we do.
import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import type { Slot } from './slot.ts'

export type IndexFile = {
  /** Paths of submodules (one character per byte). */
  submodules: string[]
}

/** Null if the index is missing or is not what git wrote. A few ms for 20,000 files. */
export async function readIndexFile(slot: Slot): Promise<IndexFile | null> {
  if (!(await lstat(slot.index).catch(() => null))?.isFile()) return null
  const content = await readFile(slot.index)
  const format = slot.engine.user.objectFormat
  const hashBytes = format === 'sha256' ? 32 : 20
  if (content.length < HEADER_BYTES + hashBytes || content.toString('latin1', 0, 4) !== 'DIRC') return null
  const end = content.length - hashBytes
  if (!createHash(format).update(content.subarray(0, end)).digest().equals(content.subarray(end))) return null
  return { submodules: findSubmodules(content, hashBytes) }
}

const HEADER_BYTES = 12
const MODE_AT = 24
const HASH_AT = 40
const SUBMODULE_MODE = 0o160000
const EXTENDED = 0x4000

/** Entries of version 2 and 3: fixed fields, name, NULs up to a multiple of 8. Our configuration makes no others. */
function findSubmodules(content: Buffer, hashBytes: number): string[] {
  const found: string[] = []
  const version = content.readUInt32BE(4)
  if (version > 3) throw new Error(`unknown version of the index: ${version}`)
  let at = HEADER_BYTES
  for (let left = content.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + HASH_AT + hashBytes
    const nameAt = flagsAt + ((content.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4)
    const nameEnd = content.indexOf(0, nameAt)
    if (content.readUInt32BE(at + MODE_AT) === SUBMODULE_MODE) found.push(content.toString('latin1', nameAt, nameEnd))
    at += (nameEnd - at + 8) & ~7
  }
  return found
}
