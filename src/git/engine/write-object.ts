// Writes a loose object into the engine's repository as git does, without a git process: under another name first, so
// that nobody sees half of it, and without waiting for the disk (git's own default for loose objects).
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { GitFailure } from '../run/git.ts'
import { rememberTree } from '../trees/tree-of.ts'
import type { Identity } from '../user/repository.ts'
import type { EngineRepository } from './engine-repository.ts'

/** Returns the id. For small objects: one that exists is written again. */
export function writeObject(engine: EngineRepository, type: 'commit' | 'tree' | 'blob', content: Buffer): string {
  const object = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash(engine.user.objectFormat).update(object).digest('hex')
  const path = looseObject(join(engine.gitDir, 'objects'), id)
  const draft = join(dirname(path), `tmp_obj_${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, deflateSync(object, { level: FAST }), { mode: 0o444 })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  return id
}

export function looseObject(objects: string, id: string): string {
  return join(objects, id.slice(0, 2), id.slice(2))
}

const FAST = 1

type NewCommit = {
  tree: string
  parents: readonly string[]
  message: string
  /** Default: the user, who is always the committer. */
  author?: Author | undefined
  date?: string | undefined
}

/** `date` in git's form (`1700000000 +0100`); default: now. */
export type Author = Identity & { date?: string | undefined }

/** Writes what `git commit-tree` would, byte for byte. The caller knows that the tree and the parents exist. */
export function writeCommit(engine: EngineRepository, { tree, parents, message, author, date }: NewCommit): string {
  if (message.includes('\0')) throw new Error('the message of a commit holds a NUL')
  const { identity } = engine.user
  const now = date ?? dateOf(new Date())
  const lines = [
    `tree ${tree}`,
    ...[...new Set(parents)].map((parent) => `parent ${parent}`),
    `author ${signature(author ?? identity, author?.date ?? now)}`,
    `committer ${signature(identity, now)}`,
  ]
  const commit = writeObject(engine, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}`))
  rememberTree(engine, commit, tree)
  return commit
}

/** `Name <mail> 1700000000 +0100`, as it stands in commits and reflogs. */
export function signature({ name, email }: Identity, date = dateOf(new Date())): string {
  const named = plain(name)
  if (named === '') throw new GitFailure(['commit-tree'], null, `the name of ${email} is empty: set user.name`)
  return `${named} <${plain(email)}> ${date}`
}

/** Removes from a name what git removes: brackets and line breaks anywhere, quotes and the like at its ends. */
function plain(name: string): string {
  return name.replace(CRUD, '').replace(/[\n<>]/g, '')
}

const CRUD = /^[\0- .,:;<>"\\']+|[\0- .,:;<>"\\']+$/g

function dateOf(at: Date): string {
  const west = at.getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(west) / 60), Math.abs(west) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${Math.floor(at.getTime() / 1000)} ${west > 0 ? '-' : '+'}${two(hours)}${two(minutes)}`
}
