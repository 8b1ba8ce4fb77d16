// Carries commits with all they need from one repository to another: objects and nothing else, no refs, no hooks.
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GitFailure, type GitOptions, startGit } from '../run/git.ts'

type Transfer = {
  from: GitOptions
  to: GitOptions
  want: readonly string[]
  have: readonly string[]
  /** Checks every object and what it names: for the commits of an agent. */
  strict: boolean
}

/** Resolves when everything is stored; throws GitFailure if a side refuses. */
export async function transfer({ from, to, want, have, strict }: Transfer): Promise<void> {
  const input = [...want, ...have.map((commit) => `^${commit}`)].map((line) => `${line}\n`).join('')
  // No search for deltas: the pack lives for milliseconds.
  const sender = startGit(['pack-objects', '--revs', '--stdout', '-q', '--window=0'], { ...from, input })
  const header = await readHeader(sender.child.stdout)
  const objects = header?.readUInt32BE(8) ?? 0
  if (header === null || objects === 0) {
    sender.child.stdout.resume()
    await sender.done
    return
  }
  sender.child.stdout.unshift(header)
  const checks = strict ? ['--strict'] : []
  const receive = objects < UNPACK_LIMIT ? ['unpack-objects', '-q', ...checks] : ['index-pack', '--stdin', ...checks]
  const receiver = startGit(receive, { ...to, keepInputOpen: true })
  receiver.child.stdout.resume()
  const [received, sent] = await Promise.allSettled([
    receiver.done,
    sender.done,
    pipeline(sender.child.stdout, receiver.child.stdin).catch(() => {}),
  ])
  if (received.status === 'rejected' && !(sent.status === 'rejected' && isCause(sent.reason))) throw received.reason
  if (sent.status === 'rejected') throw sent.reason
}

/** False for a sender that only lost its receiver: the receiver says why it left. */
function isCause(sent: unknown): boolean {
  return !(sent instanceof GitFailure && NOBODY_READS.test(sent.stderr))
}

const NOBODY_READS = /\bSIGPIPE\b|: (Broken pipe|Connection reset by peer)$/m

/** Fewer objects than this become loose files, as git's own transfer.unpackLimit has it. */
export const UNPACK_LIMIT = 100
const HEADER_BYTES = 12

async function readHeader(stream: Readable): Promise<Buffer | null> {
  for (;;) {
    const header: Buffer | null = stream.read(HEADER_BYTES)
    if (header !== null) return header.length === HEADER_BYTES ? header : null
    if (stream.readableEnded || stream.destroyed) return null
    await Promise.race([once(stream, 'readable'), once(stream, 'close')])
  }
}
