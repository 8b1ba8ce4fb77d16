// Carries a whole store from one database to another, and looks whether it arrived.
import { createHash, type Hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { ok, type Result, refuse } from '../problem.ts'
import { lockHolder } from '../process/lock.ts'
import { isPostgresUrl, openStore, storeName, unlessStoreTrouble } from './open.ts'
import type { Store } from './store.ts'
import { storeInode } from './store-file.ts'
import type { Piece, TableName } from './tables.ts'

type CopiedStore = { runs: number; rows: number }

/** The other one has to be empty. Refused while an engine works with either, and where the two differ afterwards. */
export async function copyStore(from: string, to: string): Promise<Result<CopiedStore>> {
  if (from === to) return refuse(`${storeName(from)} cannot be copied to itself`)
  if (storeInode(from) === 0) return refuse(`there is no store at ${storeName(from)}`)
  const source = await openStore(from, 'read')
  if (!source.ok) return source
  await using old = source.value
  const target = await openStore(to, 'write')
  if (!target.ok) return target
  await using fresh = target.value
  return await unlessStoreTrouble(from, () =>
    unlessStoreTrouble(to, async () => {
      for (const [url, store] of [[from, old] as const, [to, fresh] as const]) {
        const busy = await atWork(url, store)
        if (busy !== null) return refuse(busy)
      }
      const sent = new Digest()
      if (!(await fresh.fill(sent.following(old.pieces()))))
        return refuse(`${storeName(to)} is not empty: name another one`)
      const arrived = new Digest()
      for await (const piece of fresh.pieces()) arrived.add(piece)
      const differs = sent.differsIn(arrived)
      if (differs !== null)
        return refuse(`${storeName(to)} differs from ${storeName(from)} in ${differs}: do not use it, and tell us`)
      return ok({
        runs: sent.rows.get('run') ?? 0,
        rows: [...sent.rows.values()].reduce((sum, count) => sum + count, 0),
      })
    }),
  )
}

async function atWork(url: string, store: Store): Promise<string | null> {
  const holder = isPostgresUrl(url) ? await store.leading() : lockHolder(join(dirname(url), 'engine.lock'))
  return holder && `an espalier (process ${holder.pid}) works with ${storeName(url)}: copy it when that one is done`
}

/** What the rows of each table come to. */
class Digest {
  readonly rows = new Map<TableName, number>()
  readonly #hashes = new Map<TableName, Hash>()

  add({ table, rows }: Piece): void {
    this.rows.set(table, (this.rows.get(table) ?? 0) + rows.length)
    const hash = this.#hashes.get(table) ?? createHash('sha256')
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
    this.#hashes.set(table, hash)
  }

  async *following(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    this.rows.clear()
    this.#hashes.clear()
    for await (const piece of pieces) {
      this.add(piece)
      yield piece
    }
  }

  /** The name of a table; null: they are equal. */
  differsIn(other: Digest): string | null {
    const names = new Set([...this.#hashes.keys(), ...other.#hashes.keys()])
    const text = (hash: Hash | undefined) => hash?.copy().digest('hex')
    return [...names].find((name) => text(this.#hashes.get(name)) !== text(other.#hashes.get(name))) ?? null
  }
}
