// Packs of one run for its workers: each leads from one state of the branch to the next and is made once. A worker with
// an older state gets the packs since then as one, which spares git a comparison of everything.
//
// Properties
// - Each link leads from a commit to one that descends from it, so a worker gets only what the last commit needs.
// - No object is twice in a joined pack, which git would refuse: such a worker gets a pack of its own.
// - The chain holds MOST_BYTES at most, and hands out the same bytes to all: a worker that does not read costs nothing.
import { createHash } from 'node:crypto'
import { GitFailure, isAncestor } from '../run/git.ts'
import { type EngineRepository, inEngine } from './engine-repository.ts'
import { objectCount, packBetween } from './pack.ts'

type Link = { from: string; pack: Buffer; ids: string[] }

export class PackChain {
  readonly #engine: EngineRepository
  readonly #links = new Map<string, Link>()
  #newest: string | null = null
  #bytes = 0
  #adding: Promise<void> = Promise.resolve()

  constructor(engine: EngineRepository) {
    this.#engine = engine
  }

  /** The pack in parts. Null: the chain of packs made so far holds no commit of the worker, or its packs cannot be joined. */
  async pack(want: string, have: ReadonlySet<string>): Promise<Buffer[] | null> {
    this.#adding = this.#adding.then(() => this.#add(want)).catch(() => this.#beginAt(want))
    await this.#adding
    const path: Link[] = []
    for (let current = want; !have.has(current); ) {
      const link = this.#links.get(current)
      if (link === undefined) return null
      path.unshift(link)
      current = link.from
    }
    return joined(path, this.#engine.user.objectFormat)
  }

  async #add(commit: string): Promise<void> {
    const from = this.#newest
    if (from === null) return this.#beginAt(commit)
    if (from === commit || this.#links.has(commit) || (await this.#leads(commit, from))) return
    const link = (await this.#leads(from, commit)) ? await this.#linkTo(commit, from) : null
    if (link === null) return this.#beginAt(commit)
    this.#links.set(commit, link)
    this.#newest = commit
    this.#bytes += bytesOf(link)
    for (const [oldest, link] of this.#links) {
      if (this.#bytes <= MOST_BYTES) return
      this.#links.delete(oldest)
      this.#bytes -= bytesOf(link)
    }
  }

  #beginAt(commit: string): void {
    this.#newest = commit
    this.#links.clear()
    this.#bytes = 0
  }

  #leads(from: string, to: string): Promise<boolean> {
    return isAncestor(from, to, inEngine(this.#engine))
  }

  async #linkTo(commit: string, from: string): Promise<Link | null> {
    try {
      return {
        from,
        ...(await packBetween(inEngine(this.#engine), { want: commit, have: from, maxBytes: MOST_BYTES / 8 })),
      }
    } catch (error) {
      if (error instanceof GitFailure) return null
      throw error
    }
  }
}

const MOST_BYTES = 32 << 20
const HEADER_BYTES = 12

function bytesOf({ pack, ids }: Link): number {
  return pack.length + 100 * ids.length
}

/** Joins packs: offsets within a pack are relative. Null: an object is there twice. */
function joined(links: readonly Link[], format: 'sha1' | 'sha256'): Buffer[] | null {
  const ids = links.flatMap(({ ids }) => ids)
  const count = links.reduce((sum, { pack }) => sum + objectCount(pack), 0)
  if (new Set(ids).size < ids.length || ids.length !== count) return null
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  const trailerBytes = format === 'sha1' ? 20 : 32
  const bodies = links.map(({ pack }) => pack.subarray(HEADER_BYTES, pack.length - trailerBytes))
  const hash = createHash(format)
  for (const part of [header, ...bodies]) hash.update(part)
  return [header, ...bodies, hash.digest()]
}
