// Commits with all they need as a pack, for another machine: objects and nothing else, no refs, no hooks.
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type GitOptions, git, startGit } from '../run/git.ts'

/** `have`: commits the other side has. Whoever reads all of it waits for `done`, which rejects where git failed. */
export function writePack(
  from: GitOptions,
  { want, have }: { want: readonly string[]; have: readonly string[] },
): { pack: Readable; done: Promise<unknown> } {
  const input = [...want, ...have.map((commit) => `^${commit}`)].map((line) => `${line}\n`).join('')
  const sender = startGit(['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset'], { ...from, input })
  return { pack: sender.child.stdout, done: sender.done }
}

/** Every object is hashed and checked, and that what it names is there. Throws GitFailure where something is wrong. */
export async function readPack(to: GitOptions, pack: Readable | AsyncIterable<Uint8Array>): Promise<void> {
  const receiver = startGit(['index-pack', '--stdin', '--strict', '--fix-thin'], { ...to, keepInputOpen: true })
  receiver.child.stdout.resume()
  const [received, sent] = await Promise.allSettled([receiver.done, pipeline(pack, receiver.child.stdin)])
  if (received.status === 'rejected') throw received.reason
  if (sent.status === 'rejected') throw sent.reason
}

/** Those of them that are commits of this repository, with all they need. */
export async function presentCommits(repository: GitOptions, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return []
  const input = commits.map((commit) => `${commit}\n`).join('')
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { ...repository, input })
  const lines = stdout.toString('utf8').split('\n')
  return lines.filter((line) => line.endsWith(' commit')).map((line) => line.slice(0, line.indexOf(' ')))
}
