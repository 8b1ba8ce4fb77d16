// Pointers to commits of submodules that nobody keeps: an agent can write any id into a tree, and remove the only
// repository that has the commit. What lands names commits of its base, or those that a ref of the run keeps.
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { submoduleCommits } from '../engine/inventory.ts'
import { submoduleRef } from '../engine/ref-names.ts'
import { type GitOptions, git, gitRecords, gitText, hasPrintedTooMuch } from '../run/git.ts'
import { objectInfo } from '../run/read-objects.ts'
import { treeEntries } from '../trees/tree-of.ts'
import { GITLINK } from './stage-worktree.ts'

/** `head`: of the work. */
type Range = { base: string; head: string; run: string }

/** Submodules (one character per byte) whose commit would be lost if the work landed as one commit. */
export async function lostPointers(engine: EngineRepository, range: Range): Promise<string[]> {
  const pointers = await pointersIn([range.base, range.head], inEngine(engine))
  const lost = await lostOf(engine, pointers, range)
  return pointers.flatMap(({ path, id }) => (lost.has(id) ? [path] : []))
}

/** Whether any commit of the work names one, or there is too much to look at. */
export async function hasLostPointer(engine: EngineRepository, range: Range): Promise<boolean> {
  const options = { ...inEngine(engine), maxBytes: MAX_BYTES }
  try {
    const { stdout } = await git(['rev-list', `${range.base}..${range.head}`], options)
    const pointers = await pointersIn(['--stdin', '-m', '--root', '--no-commit-id'], { ...options, input: stdout })
    return (await lostOf(engine, pointers, range)).size > 0
  } catch (error) {
    if (hasPrintedTooMuch(error)) return true
    throw error
  }
}

const MAX_BYTES = 64 << 20

type Pointer = { path: string; id: string }

/** Pointers that are new in the differences. */
async function pointersIn(which: readonly string[], options: GitOptions): Promise<Pointer[]> {
  const records = await gitRecords(['diff-tree', '-r', '-z', '--raw', '--no-renames', ...which], options)
  const found: Pointer[] = []
  // `:100644 160000 <id> <id> M`, and the path.
  for (let n = 0; n + 1 < records.length; n += 2) {
    const [, mode, , id = ''] = (records[n] as string).split(' ')
    if (mode === GITLINK) found.push({ path: records[n + 1] as string, id })
  }
  return found
}

async function lostOf(
  engine: EngineRepository,
  pointers: readonly Pointer[],
  { base, run }: Range,
): Promise<Set<string>> {
  const lost = new Set(pointers.map(({ id }) => id))
  if (lost.size === 0) return lost
  const ofBase = (await treeEntries(engine, base)).filter(({ mode }) => mode === GITLINK)
  for (const id of [...ofBase.map((entry) => entry.id), ...(await submoduleCommits(engine, run))]) lost.delete(id)
  if (lost.size > MAX_LOOKED_UP) return lost
  for (const id of [...lost]) if (await isKept(engine, id, run)) lost.delete(id)
  return lost
}

const MAX_LOOKED_UP = 100

/** Whether a commit that is kept builds on it. */
async function isKept(engine: EngineRepository, id: string, run: string): Promise<boolean> {
  if ((await objectInfo(engine, id))?.type !== 'commit') return false
  const args = ['rev-list', '--max-count=1', id, '--not', `--glob=${submoduleRef(run)}*`]
  return (await gitText(args, inEngine(engine))) === ''
}
