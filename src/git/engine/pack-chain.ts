// What workers are sent again and again: from one landing to the next, each made once. A worker that has an older commit gets all
// that came since, put together, instead of a pack of its own, for which git would have to compare all of it again.
//
// Properties
// - Whoever has what a link leads from has, with the link, all of what it leads to: a link is what is new between the two.
// - No object is twice in what is put together: git refuses such a pack. Who would get one gets a pack of their own.
// - It holds MOST_BYTES at most. What it has forgotten it does not know, and says so.
import { createHash } from 'node:crypto'
import { objectCount, packBetween } from './pack.ts'
import { type EngineRepository, inEngine } from './repository.ts'

type Link = { from: string; made: Promise<{ pack: Buffer; ids: string[] }>; bytes: number }

export class PackChain {
  readonly #engine: EngineRepository
  readonly #links = new Map<string, Link>()
  #newest: string | null = null
  #bytes = 0

  constructor(engine: EngineRepository) {
    this.#engine = engine
  }

  /** Null: nothing that the worker has is on the chain. */
  async pack(want: string, have: ReadonlySet<string>): Promise<Buffer | null> {
    this.#add(want)
    const path: Link[] = []
    const seen = new Set<string>()
    for (let at = want; !have.has(at); ) {
      const link = this.#links.get(at)
      if (link === undefined || seen.has(at)) return null
      seen.add(at)
      path.unshift(link)
      at = link.from
    }
    return joined(await Promise.all(path.map(({ made }) => made)), this.#engine.user.objectFormat)
  }

  #add(commit: string): void {
    const from = this.#newest
    this.#newest = commit
    if (from === null || from === commit || this.#links.has(commit)) return
    const made = packBetween(inEngine(this.#engine), { want: commit, have: from })
    const link: Link = { from, made, bytes: 0 }
    this.#links.set(commit, link)
    made.then(
      ({ pack, ids }) => {
        link.bytes = pack.length + 64 * ids.length
        this.#bytes += link.bytes
        this.#forgetOldest()
      },
      () => this.#links.delete(commit),
    )
  }

  #forgetOldest(): void {
    for (const [commit, { bytes }] of this.#links) {
      if (this.#bytes <= MOST_BYTES) return
      this.#links.delete(commit)
      this.#bytes -= bytes
    }
  }
}

const MOST_BYTES = 64 << 20
const HEADER_BYTES = 12

/** Offsets within a pack are relative, so that what each holds can stand one after the other. Null: an object is there twice. */
function joined(links: readonly { pack: Buffer; ids: string[] }[], format: 'sha1' | 'sha256'): Buffer | null {
  const ids = links.flatMap(({ ids }) => ids)
  if (new Set(ids).size < ids.length) return null
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(
    links.reduce((sum, { pack }) => sum + objectCount(pack), 0),
    8,
  )
  const trailerBytes = format === 'sha1' ? 20 : 32
  const bodies = links.map(({ pack }) => pack.subarray(HEADER_BYTES, pack.length - trailerBytes))
  const whole = Buffer.concat([header, ...bodies])
  return Buffer.concat([whole, createHash(format).update(whole).digest()])
}
