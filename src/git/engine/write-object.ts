// Writes an object into the engine's repository as a loose file, as git does, without a git process: under another name
// first, so that nobody sees half of it, and without waiting for the disk (git's own default for loose objects).
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { EngineRepository } from './repository.ts'

/** Its id. An object that is there already is written again: it is the same. For small ones. */
export function writeObject(engine: EngineRepository, type: 'commit' | 'tree', content: Buffer): string {
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

/** Where an object folder has it, if it is loose. */
export function looseObject(objects: string, id: string): string {
  return join(objects, id.slice(0, 2), id.slice(2))
}

const FAST = 1
