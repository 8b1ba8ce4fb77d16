// Idempotency keys: who asks twice with the same key, because the first answer was lost on the way, starts one engine and is
// told the same twice. Kept as files, so that it also holds after the server was killed.
//
// Tolerated: a server that is killed while it starts an engine leaves a key without an answer. Whether the engine runs is
// then for the caller to look up among the runs.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../files/write-atomically.ts'
import { SERVER_LIMITS } from '../limits.ts'

/** `request`: a hash of all that was asked for. */
type KeyedRequest = { key: string; request: string }

type Keyed<T> = { kind: 'answered'; answer: T } | { kind: 'other-request' } | { kind: 'under-way' }

export class IdempotencyKeys<T> {
  readonly #folder: string
  readonly #underWay = new Map<string, Promise<T>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** `keep`: whether that answer is worth keeping; one that refused may be tried again with the same key. */
  async once({ key, request }: KeyedRequest, work: () => Promise<T>, keep: (answer: T) => boolean): Promise<Keyed<T>> {
    this.#forgetOld()
    const path = join(this.#folder, `${createHash('sha256').update(key).digest('hex')}.json`)
    const known = read<T>(path)
    if (known && known.request !== request) return { kind: 'other-request' }
    if (known?.answer !== undefined) return { kind: 'answered', answer: known.answer }
    const first = this.#underWay.get(path)
    if (first) return { kind: 'answered', answer: await first }
    if (known) return { kind: 'under-way' }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(path, JSON.stringify({ request }), { flag: 'wx', mode: 0o600 })
    } catch {
      return { kind: 'under-way' } // another server of this user was faster
    }
    const working = work()
    this.#underWay.set(path, working)
    try {
      const answer = await working
      if (keep(answer)) await writeAtomically(path, JSON.stringify({ request, answer }))
      else rmSync(path, { force: true })
      return { kind: 'answered', answer }
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    } finally {
      this.#underWay.delete(path)
    }
  }

  #forgetOld(): void {
    let names: string[] = []
    try {
      names = readdirSync(this.#folder)
    } catch {
      return // there is none yet
    }
    const before = Date.now() - SERVER_LIMITS.keyMs
    for (const name of names) {
      const path = join(this.#folder, name)
      if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before) rmSync(path, { force: true })
    }
  }
}

function read<T>(path: string): { request: string; answer?: T } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { request: string; answer?: T }
  } catch {
    return null
  }
}
