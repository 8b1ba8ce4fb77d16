// What differs between two trees, asked of a `diff-tree` that stays.
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { BatchGit } from '../run/batch.ts'
import { records } from '../run/path-bytes.ts'
import { treeOf } from './tree-of.ts'

/** `path`: one character per byte. A mode is 000000 where there is nothing. */
export type TreeChange = { path: string; oldMode: string; newMode: string }

/** Between two commits or trees. */
export async function treeChanges(engine: EngineRepository, from: string, to: string): Promise<TreeChange[]> {
  return (await compare(engine, from, to, false)).changes
}

export type CountedChanges = { changes: TreeChange[]; insertions: number; deletions: number }

/** Lines too: git has to look into the files for that. Those of binary files count as none. */
export async function countedChanges(engine: EngineRepository, from: string, to: string): Promise<CountedChanges> {
  return compare(engine, from, to, true)
}

async function compare(
  engine: EngineRepository,
  from: string,
  to: string,
  withLines: boolean,
): Promise<CountedChanges> {
  const [before, after] = await Promise.all([treeOf(engine, from), treeOf(engine, to)])
  const found: CountedChanges = { changes: [], insertions: 0, deletions: 0 }
  if (before === after) return found
  const pair = `${before} ${after}`
  const answer = await differOf(engine, withLines).ask(pair)
  // The two names on a line; then `:100644 100755 <id> <id> M` and the path of each, then `1<tab>2<tab>path` of each.
  const start = answer.indexOf('\n') + 1
  if (answer.toString('latin1', 0, start) !== `${pair}\n`) throw new Error('diff-tree answered in an unknown form')
  const output = records(answer.subarray(start))
  for (let n = 0; n < output.length; n++) {
    const record = output[n] as string
    if (record.startsWith(':')) {
      const [oldMode = '', newMode = ''] = record.slice(1).split(' ')
      found.changes.push({ path: output[++n] as string, oldMode, newMode })
    } else {
      const [insertions, deletions] = record.split('\t')
      found.insertions += Number(insertions) || 0
      found.deletions += Number(deletions) || 0
    }
  }
  return found
}

const differs = new WeakMap<EngineRepository, { plain: BatchGit; withLines: BatchGit }>()

function differOf(engine: EngineRepository, withLines: boolean): BatchGit {
  const of = (...more: string[]) =>
    new BatchGit({
      args: ['diff-tree', '--stdin', '-r', '-z', '--raw', ...more, '--no-renames'],
      options: inEngine(engine),
      // A line that does not begin with an id is printed as it is.
      mark: (name) => ({ question: name, answer: name }),
    })
  const both = differs.get(engine) ?? { plain: of(), withLines: of('--numstat') }
  differs.set(engine, both)
  return withLines ? both.withLines : both.plain
}
