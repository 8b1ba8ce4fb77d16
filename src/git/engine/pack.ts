// Commits with all they need as a pack, for another machine: objects and nothing else, no refs, no hooks.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type GitOptions, git, startGit } from '../run/git.ts'
import { UNPACK_LIMIT } from './transfer.ts'

/** `have`: commits the other side has. Whoever reads all of it waits for `done`, which rejects where git failed. */
export function writePack(
  from: GitOptions,
  { want, have }: { want: readonly string[]; have: readonly string[] },
): { pack: Readable; done: Promise<unknown> } {
  const input = [...want, ...have.map((commit) => `^${commit}`)].map((line) => `${line}\n`).join('')
  const sender = startGit(['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset'], { ...from, input })
  return { pack: sender.child.stdout, done: sender.done }
}

/** In memory, by a git that is started by the runner: for what one attempt has made. */
export async function smallPack(
  from: GitOptions,
  { want, have }: { want: string; have: readonly string[] },
): Promise<Buffer> {
  const input = [want, ...have.map((commit) => `^${commit}`)].map((line) => `${line}\n`).join('')
  return (await git([...SMALL, '--revs', '--thin'], { ...from, input })).stdout
}

/** What is new in a commit, with the ids of it. */
export async function packBetween(
  repository: GitOptions,
  { want, have }: { want: string; have: string },
): Promise<{ pack: Buffer; ids: string[] }> {
  // Lines with a minus are what the other side has, of which git makes deltas.
  const { stdout } = await git(['rev-list', '--objects-edge', want, `^${have}`], repository)
  const lines = stdout.toString('latin1').split('\n')
  const ids = lines
    .filter((line) => line !== '' && !line.startsWith('-'))
    .map((line) => line.split(' ', 1)[0] as string)
  return { pack: (await git(SMALL, { ...repository, input: stdout })).stdout, ids }
}

const SMALL = ['pack-objects', '--stdout', '-q', '--delta-base-offset', '--threads=1']

/**
 * Every object is hashed and checked, and that what it names is there. Throws GitFailure where something is wrong. Few objects
 * become files of their own, as git's own `receive-pack` does it: a repository of a thousand packs is slow to look things up in.
 */
export async function readPack(to: GitOptions, pack: Readable | AsyncIterable<Uint8Array>): Promise<void> {
  const parts = (pack as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const { first, isAll } = await beginning(parts)
  if (isAll) {
    await git(objectCount(first) < UNPACK_LIMIT ? UNPACK : INDEX, { ...to, input: first })
    return
  }
  const receiver = startGit(INDEX, { ...to, keepInputOpen: true })
  receiver.child.stdout.resume()
  const [received, sent] = await Promise.allSettled([
    receiver.done,
    pipeline(Readable.from(rejoined(first, parts), { objectMode: false }), receiver.child.stdin),
  ])
  if (received.status === 'rejected') throw received.reason
  if (sent.status === 'rejected') throw sent.reason
}

const UNPACK = ['unpack-objects', '-q', '--strict']
const INDEX = ['index-pack', '--stdin', '--strict', '--fix-thin']
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

/** Behind `PACK` and the version. */
export function objectCount(pack: Buffer): number {
  return pack.length < 12 ? Number.POSITIVE_INFINITY : pack.readUInt32BE(8)
}

/** Those of them that are commits of this repository, with all they need. */
export async function presentCommits(repository: GitOptions, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return []
  const input = commits.map((commit) => `${commit}\n`).join('')
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { ...repository, input })
  const lines = stdout.toString('utf8').split('\n')
  return lines.filter((line) => line.endsWith(' commit')).map((line) => line.slice(0, line.indexOf(' ')))
}
