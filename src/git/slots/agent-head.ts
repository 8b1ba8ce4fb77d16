// Reads the commit that an agent's repository has checked out without running git there: its configuration could make
// git run anything. Only plain files below the slot's `.git` are read, never through a symbolic link, never beyond a
// bound.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRealFolder, saysOfFile } from '../../files/real-folder.ts'
import type { Slot } from './slot.ts'

type AgentHead = { ok: true; commit: string } | { ok: false; message: string }

export function readAgentHead(slot: Slot): AgentHead {
  const gitDir = join(slot.path, '.git')
  if (!isRealFolder(gitDir)) {
    return { ok: false, message: 'its .git folder is gone or was replaced' }
  }
  const pattern = slot.engine.user.objectFormat === 'sha256' ? /^[0-9a-f]{64}$/ : /^[0-9a-f]{40}$/
  let name = 'HEAD'
  for (let depth = 0; depth < MAX_SYMREFS; depth++) {
    const text = readPlainFile(gitDir, name, MAX_REF_BYTES)?.trim()
    if (text === undefined) {
      const packed = name === 'HEAD' ? null : findPacked(gitDir, name)
      if (packed !== null && pattern.test(packed)) return { ok: true, commit: packed }
      return { ok: false, message: `${name === 'HEAD' ? 'HEAD' : `HEAD names ${name}, which`} cannot be read` }
    }
    if (pattern.test(text)) return { ok: true, commit: text }
    const target = /^ref: (\S+)$/.exec(text)?.[1]
    if (target === undefined || !isRefName(target)) return { ok: false, message: `${name} holds no commit` }
    name = target
  }
  return { ok: false, message: 'HEAD leads from ref to ref without end' }
}

const MAX_SYMREFS = 5
const MAX_REF_BYTES = 4_096
const MAX_PACKED_REFS_BYTES = 64 << 20

function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > 1_000 || name.includes('\0')) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

function findPacked(gitDir: string, name: string): string | null {
  const text = readPlainFile(gitDir, 'packed-refs', MAX_PACKED_REFS_BYTES)
  if (text === null) return null
  const position = text.startsWith(`${name}\n`) ? -1 : text.indexOf(` ${name}\n`)
  if (position < 0) return null
  return text.slice(text.lastIndexOf('\n', position) + 1, position)
}

/** Null unless it is a regular file of at most that size with real folders above it. */
function readPlainFile(gitDir: string, name: string, maxBytes: number): string | null {
  const folder = dirname(name)
  if (!isRealFolder(gitDir, folder === '.' ? '' : folder)) return null
  // Without O_NONBLOCK a named pipe in place of the file would hold us for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  let file: number
  try {
    file = openSync(join(gitDir, name), flags)
  } catch (error) {
    if (saysOfFile(error)) return null
    throw error
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.size > maxBytes) return null
    return readFileSync(file, 'latin1')
  } finally {
    closeSync(file)
  }
}
