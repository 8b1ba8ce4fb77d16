// Commits with all they need as a pack, for another machine: objects and nothing else, no refs, no hooks.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inflateSync } from 'node:zlib'
import { GitFailure, type GitOptions, git, gitLines, startGit } from '../run/git.ts'
import { inLines, revisions } from '../run/path-bytes.ts'

/** `have`: commits of the other side. `done` rejects if git failed; await it after reading all. */
export function writePack(
  from: GitOptions,
  { want, have }: { want: readonly string[]; have: readonly string[] },
): { pack: Readable; done: Promise<unknown> } {
  const args = ['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset']
  const sender = startGit(args, { ...from, input: revisions(want, have) })
  return { pack: sender.child.stdout, done: sender.done }
}

/** A pack in memory of the work of an attempt. Fails above `maxBytes`. */
export async function smallPack(
  from: GitOptions,
  { want, have, maxBytes }: { want: string; have: readonly string[]; maxBytes: number },
): Promise<Buffer> {
  return (await git(SMALL, { ...from, input: revisions([want], have), maxBytes })).stdout
}

/** A pack of what is new in a commit, with the ids. Fails above `maxBytes`. */
export async function packBetween(
  repository: GitOptions,
  { want, have, maxBytes }: { want: string; have: string; maxBytes: number },
): Promise<{ pack: Buffer; ids: string[] }> {
  const [pack, lines] = await Promise.all([
    smallPack(repository, { want, have: [have], maxBytes }),
    gitLines(['rev-list', '--objects', want, `^${have}`], { ...repository, maxBytes }),
  ])
  return { pack, ids: lines.map((line) => line.split(' ', 1)[0] as string) }
}

const SMALL = ['pack-objects', '--stdout', '-q', '--delta-base-offset', '--threads=1', '--revs', '--thin']

type Transfer = {
  from: GitOptions
  to: GitOptions
  want: readonly string[]
  have: readonly string[]
  /** Set for the commits of an agent: git checks every object and what it names. */
  check?: ObjectFormat
}

/** Carries commits from one repository to another. Throws GitFailure if a side refuses. */
export async function transfer({ from, to, want, have, check }: Transfer): Promise<void> {
  // No search for deltas: the pack lives for milliseconds.
  const args = ['pack-objects', '--revs', '--stdout', '-q', '--window=0']
  const sender = startGit(args, { ...from, input: revisions(want, have) })
  const [received, sent] = await Promise.allSettled([readPack(to, sender.child.stdout, check ?? null), sender.done])
  if (sent.status === 'rejected' && (received.status === 'fulfilled' || isCause(sent.reason))) throw sent.reason
  if (received.status === 'rejected') throw received.reason
}

/** False for a sender that only lost its receiver: the receiver says why it left. */
function isCause(sent: unknown): boolean {
  return !(sent instanceof GitFailure && NOBODY_READS.test(sent.stderr))
}

const NOBODY_READS = /\bSIGPIPE\b|: (Broken pipe|Connection reset by peer)$/m

/**
 * Stores a pack. A few objects become loose files, as with `receive-pack`: a repository of a thousand packs is slow to
 * look things up in, and objects that are there already need no room on a full disk. `check`: the format of the objects,
 * if somebody else made the pack. Git then checks every object and what it names, and packs that unpack to far more stay
 * packs, so a megabyte of a worker does not fill the disk.
 */
export async function readPack(
  to: GitOptions,
  pack: AsyncIterable<Uint8Array>,
  check: ObjectFormat | null,
): Promise<void> {
  const parts = pack[Symbol.asyncIterator]()
  const { first, isAll } = await beginning(parts)
  const strict = check === null ? [] : ['--strict']
  const isSmall =
    objectCount(first) < UNPACK_LIMIT && (check === null || (isAll && unpackedBytes(first, check) <= MOST_UNPACKED))
  const receive = isSmall ? ['unpack-objects', '-q', ...strict] : ['index-pack', '--stdin', '--fix-thin', ...strict]
  if (isAll) {
    if (objectCount(first) > 0) await git(receive, { ...to, input: first })
    return
  }
  const receiver = startGit(receive, { ...to, keepInputOpen: true })
  receiver.child.stdout.resume()
  // Git leaves as soon as it has the whole pack, perhaps before the stream has ended; without all of it, git fails.
  const sent = pipeline(Readable.from(rejoined(first, parts), { objectMode: false }), receiver.child.stdin)
  await Promise.all([receiver.done, sent.catch(() => {})])
}

/** Fewer objects than this become loose files, as git's own transfer.unpackLimit has it. */
export const UNPACK_LIMIT = 100
const MOST_UNPACKED = 32 << 20
const SMALL_BYTES = 1 << 20

async function beginning(parts: AsyncIterator<Uint8Array>): Promise<{ first: Buffer; isAll: boolean }> {
  const read: Uint8Array[] = []
  for (let bytes = 0; bytes <= SMALL_BYTES; ) {
    const { done, value } = await parts.next()
    if (done) return { first: Buffer.concat(read), isAll: true }
    bytes += value.length
    read.push(value)
  }
  return { first: Buffer.concat(read), isAll: false }
}

async function* rejoined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

type ObjectFormat = 'sha1' | 'sha256'

/** Bytes of all objects; the size of a delta's result stands at its beginning. Infinity: too large, or unreadable. */
function unpackedBytes(pack: Buffer, format: ObjectFormat): number {
  let sum = 0
  try {
    for (let left = objectCount(pack), position = HEADER_BYTES; left > 0; left--) {
      const type = (pack.readUInt8(position) >> 4) & 7
      const declared = lengthAt(pack, position, 4)
      position = declared.end
      if (type === OFFSET_DELTA) position = lengthAt(pack, position, 7).end
      if (type === NAMED_DELTA) position += format === 'sha1' ? 20 : 32
      // A number that cannot be read (NaN) fails this too.
      if (!(sum + declared.value <= MOST_UNPACKED)) return Number.POSITIVE_INFINITY
      const { buffer, engine } = inflateSync(pack.subarray(position), {
        info: true,
        maxOutputLength: Math.max(1, declared.value),
      }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
      position += engine.bytesWritten
      const isDelta = type === OFFSET_DELTA || type === NAMED_DELTA
      sum += declared.value + (isDelta ? lengthAt(buffer, lengthAt(buffer, 0, 7).end, 7).value : 0)
    }
  } catch {
    return Number.POSITIVE_INFINITY
  }
  return sum
}

const HEADER_BYTES = 12
const [OFFSET_DELTA, NAMED_DELTA] = [6, 7]

/**
 * A number of seven bits per byte, lowest first; the first byte has only `bits` of them, the last has its top bit
 * clear.
 */
function lengthAt(bytes: Buffer, start: number, bits: number): { value: number; end: number } {
  let [value, scale, end] = [bytes.readUInt8(start) % 2 ** bits, 2 ** bits, start]
  while (bytes.readUInt8(end) >= 0x80) {
    end++
    value += (bytes.readUInt8(end) % 0x80) * scale
    scale *= 0x80
  }
  return { value, end: end + 1 }
}

export function objectCount(pack: Buffer): number {
  return pack.length < HEADER_BYTES ? Number.POSITIVE_INFINITY : pack.readUInt32BE(8)
}

/** The commits that this repository has, with all they need. */
export async function presentCommits(repository: GitOptions, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return []
  const options = { ...repository, input: inLines(commits) }
  const lines = await gitLines(['cat-file', '--batch-check=%(objectname) %(objecttype)'], options)
  return lines.filter((line) => line.endsWith(' commit')).map((line) => line.slice(0, line.indexOf(' ')))
}
