// Which paths differ between two trees, for many pairs in one git process.
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { git } from '../run/git.ts'
import { records } from '../run/path-bytes.ts'

export type TreePair = { from: string; to: string }

/** For each pair its paths, one character per byte. */
export async function changedPaths(engine: EngineRepository, pairs: readonly TreePair[]): Promise<string[][]> {
  if (pairs.length === 0) return []
  const headers = pairs.map(({ from, to }) => `${from} ${to}\n`)
  const args = ['diff-tree', '--stdin', '-r', '-z', '--name-only', '--no-renames']
  const output = records((await git(args, { ...inEngine(engine), input: headers.join('') })).stdout)
  const all: string[][] = []
  for (let record of output) {
    // The names of a pair stand right before its first path, with no NUL between them.
    for (let header = headers[all.length]; header && record.startsWith(header); header = headers[all.length]) {
      record = record.slice(header.length)
      all.push([])
    }
    if (record !== '') all.at(-1)?.push(record)
  }
  while (all.length < pairs.length) all.push([])
  return all
}
