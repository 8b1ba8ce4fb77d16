// Differences between two trees, asked of a `diff-tree` that stays.
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { BatchGit } from '../run/batch.ts'
import { revParse, startGit } from '../run/git.ts'
import { readable, records } from '../run/path-bytes.ts'
import { readObjects } from '../run/read-objects.ts'
import { GITLINK } from '../slots/stage-worktree.ts'
import { SYMLINK } from './escaping-links.ts'
import { treeEntries, treeOf, treeWithEntries } from './tree-of.ts'

/** `path`: one character per byte. A mode is 000000 where there is nothing. */
type TreeChange = { path: string; oldMode: string; newMode: string }

export async function treeChanges(engine: EngineRepository, from: string, to: string): Promise<TreeChange[]> {
  return (await compare(engine, from, to)).changes
}

async function compare(engine: EngineRepository, from: string, to: string, { withLines = false } = {}) {
  const [before, after] = await Promise.all([treeOf(engine, from), treeOf(engine, to)])
  const found = { changes: [] as TreeChange[], insertions: 0, deletions: 0 }
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
      // Git prints a line that does not begin with an id as it is.
      mark: (name) => ({ question: name, answer: name }),
    })
  const both = differs.get(engine) ?? { plain: of(), withLines: of('--numstat') }
  differs.set(engine, both)
  return withLines ? both.withLines : both.plain
}

export const NO_DIFF = {
  diff: { files: 0, insertions: 0, deletions: 0 },
  paths: [] as string[],
  submodules: [] as string[],
  links: false,
}

export async function treeDiff(engine: EngineRepository, from: string, to: string): Promise<typeof NO_DIFF> {
  const { changes, insertions, deletions } = await compare(engine, from, to, { withLines: true })
  const isOf = (mode: string) => (change: TreeChange) => change.oldMode === mode || change.newMode === mode
  return {
    diff: { files: changes.length, insertions, deletions },
    paths: changes.map(({ path }) => readable(path)),
    submodules: changes.filter(isOf(GITLINK)).map(({ path }) => readable(path)),
    links: changes.some(isOf(SYMLINK)),
  }
}

export async function changedFiles(engine: EngineRepository, from: string, to: string): Promise<Set<string>> {
  return new Set((await treeChanges(engine, from, to)).map(({ path }) => readable(path)))
}

/** Null: no such file, or larger than `maxBytes`. */
export async function fileAt(
  engine: EngineRepository,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<string | null> {
  const id = await revParse(`${commit}:${path}`, inEngine(engine))
  return id === null ? null : ((await readObjects(engine, [id], maxBytes)).get(id)?.toString('utf8') ?? null)
}

export async function filesAt(engine: EngineRepository, commit: string): Promise<Set<string>> {
  return new Set((await treeEntries(engine, commit)).map(({ path }) => readable(path)))
}

/** The difference of two commits as a patch, without anybody's filters, drivers or pagers; at most `maxBytes`. */
export async function patchBetween(
  engine: EngineRepository,
  { from, to, maxBytes }: { from: string; to: string; maxBytes: number },
): Promise<{ patch: Buffer; isCut: boolean }> {
  const args = ['diff-tree', '-r', '-p', '-M', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv', from, to]
  const { child, done } = startGit([...args, '--'], inEngine(engine))
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of child.stdout as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes <= maxBytes) continue
    child.kill()
    await done.catch(() => {}) // it was told to end
    return { patch: Buffer.concat(parts).subarray(0, maxBytes), isCut: true }
  }
  await done
  return { patch: Buffer.concat(parts), isCut: false }
}

export type Delta = {
  /** Paths that the landing changes and the work did not. One character per byte, as in `worked`. */
  strange: string[]
  worked: Set<string>
  links: boolean
}

/** G3: the change of a landing against the change of its work. */
export async function checkDelta(
  engine: EngineRepository,
  { landing, head, work, base }: { landing: string; head: string; work: string; base: string },
): Promise<Delta> {
  const [landed, done] = await Promise.all([treeChanges(engine, head, landing), treeChanges(engine, base, work)])
  const worked = new Set(done.map(({ path }) => path))
  return {
    strange: landed.map(({ path }) => path).filter((path) => !worked.has(path)),
    worked,
    links: landed.some(({ newMode }) => newMode === SYMLINK),
  }
}

/**
 * The tree of `work`, with the paths that `isRestored` names as they are in `root`: changes are undone and new files
 * go, also if a file took the place of a folder or the other way round. `paths`: those that differed.
 */
export async function restoredTree(
  engine: EngineRepository,
  { work, root, isRestored }: { work: string; root: string; isRestored: (path: string) => boolean },
) {
  const changed = (await treeChanges(engine, root, work)).filter(({ path }) => isRestored(readable(path)))
  if (changed.length === 0) return { tree: await treeOf(engine, work), paths: [] }
  const before = new Map((await treeEntries(engine, root)).map((entry) => [entry.path, entry]))
  const gone = changed.map(({ path }) => ({ mode: '0', id: '0'.repeat(work.length), path }))
  const back = changed.flatMap(({ path }) => before.get(path) ?? [])
  const tree = await treeWithEntries(engine, work, [...gone, ...back])
  return { tree, paths: changed.map(({ path }) => readable(path)) }
}
