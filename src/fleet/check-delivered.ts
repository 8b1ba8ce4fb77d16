// Checks results of workers in the engine's own repository. A worker is another machine: nothing it reports about its commit is
// believed, and paths and lines are computed again here.
//
// Properties
// - The commit and everything it names are present, it descends from the attempt's base, and none of the commits it adds was here
//   before (merging another task's work would claim to contain it).
// - Links that lead out, submodules, protected paths and, if the run enforces them, claims: as in a local attempt.
// - The commit that a search judges follows from candidate and root: it is made again here, and only this one counts.
// - The engine writes the ref, and only for work that exists.
import type { AttemptFinished, AttemptOrder, SearchOrder } from '../attempt/attempt-order.ts'
import { claimsFailure, flaggedBy, protectedFailure } from '../attempt/inspect-work.ts'
import { judgedCommit, restoredPaths } from '../attempt/judge/candidate.ts'
import { LIMITS } from '../config.ts'
import type { Failure } from '../event.ts'
import { type EngineRepository, inEngine } from '../git/engine/engine-repository.ts'
import { throwEngineTrouble } from '../git/engine/engine-trouble.ts'
import { keepRef } from '../git/engine/ref-file.ts'
import { attemptRef, deliveredRef, runRefs } from '../git/engine/ref-names.ts'
import { fetchCommitOf } from '../git/engine/shared-repository.ts'
import { GitFailure, git, gitText, isAncestor } from '../git/run/git.ts'
import { readable } from '../git/run/path-bytes.ts'
import { objectInfo, readObjects } from '../git/run/read-objects.ts'
import { hasLostPointer } from '../git/slots/lost-pointers.ts'
import { submoduleFailure } from '../git/slots/snapshot.ts'
import { escapingLinks } from '../git/trees/escaping-links.ts'
import { treeDiff } from '../git/trees/tree-changes.ts'
import { outcomeOf } from '../outcome-of-failure.ts'
import { withGranted } from '../scheduler/claims/gained.ts'
import { touchedBy } from '../scheduler/claims/touched-paths.ts'

/**
 * Returns the fact for the journal. `isNew`: the server saw its commit and the objects in it arrive, and lacked them before.
 * `granted`: claims that its agent asked for and got while it worked.
 */
export async function checkDelivered(
  engine: EngineRepository,
  order: AttemptOrder,
  { fact: told, isNew, granted }: { fact: AttemptFinished; isNew: boolean; granted: readonly string[] },
): Promise<AttemptFinished> {
  if (order.search?.role === 'judge') return checkJudged(engine, order, order.search, told)
  const { touched: _, undeclared: __, flagged: ___, ...fact } = told
  if (fact.commit === null) return fact.outcome === 'changed' ? refused(fact, NOTHING) : fact
  const { commit } = fact
  const base = order.resolves?.onto ?? order.base
  if ((await objectInfo(engine, commit)) === null)
    await fetchCommitOf(engine, deliveredRef(order.run, order.task.id, order.attempt))
  const isOneMore = isNew && (await isOnly(engine, commit, base))
  const missing = isOneMore ? null : await foreignOrMissing(engine, order, commit)
  if (missing) return refused({ ...fact, commit: null, diff: null }, missing)
  const found = await treeDiff(engine, base, commit).catch(async (error) => {
    // The pack may lack objects that were missing here before.
    const missing = isOneMore && error instanceof GitFailure ? await foreignOrMissing(engine, order, commit) : null
    if (missing) return missing
    throw error
  })
  if ('reason' in found) return refused({ ...fact, commit: null, diff: null }, found)
  await keepRef(engine, {
    ref: attemptRef(order.run, order.task.id, order.attempt),
    to: commit,
    message: `delivered by ${order.worker}`,
  })
  const { diff, paths, submodules, links } = found
  const claims = withGranted(order.task.claims, [...order.granted, ...granted])
  const seen = { ...fact, diff, ...touchedBy(claims, paths), ...flaggedBy(order.task, paths, order.hooks) }
  if (fact.failure) return seen
  const failure =
    (order.task.land
      ? await unlandable(engine, { run: order.run, base, commit, isOneMore, submodules, links })
      : null) ??
    protectedFailure(order.task, paths) ??
    (order.settings.claims === 'enforce' && seen.undeclared ? claimsFailure(claims, seen.undeclared) : null)
  return failure ? refused(seen, failure) : seen
}

async function checkJudged(
  engine: EngineRepository,
  order: AttemptOrder,
  judge: Extract<SearchOrder, { role: 'judge' }>,
  told: AttemptFinished,
): Promise<AttemptFinished> {
  const { flagged: _, ...fact } = told
  const { commit: judged, tree, restored, diff } = await judgedCommit({ order, slot: { engine } }, judge)
  const commit = judged === order.runBase ? null : judged
  const isOther = fact.commit !== commit || (!fact.failure && fact.result?.tree !== tree)
  const seen = { ...fact, commit, diff: commit === null ? null : diff, ...restoredPaths(restored) }
  return isOther ? refused({ ...seen, result: undefined }, fact.failure ?? NOT_THE_CANDIDATE) : seen
}

const NOT_THE_CANDIDATE: Failure = {
  reason: 'worktree-broken',
  message: 'its worker judged something else than the candidate it was given',
}

function refused(fact: AttemptFinished, failure: Failure): AttemptFinished {
  return { ...fact, outcome: outcomeOf(failure), failure }
}

const NOTHING: Failure = {
  reason: 'worktree-broken',
  message: 'its worker says that it changed something, and names no commit',
}

/** True if the commit is a single one on top of `from`, as attempts make them: then it brings nothing else along. */
async function isOnly(engine: EngineRepository, commit: string, from: string): Promise<boolean> {
  if ((await objectInfo(engine, commit))?.type !== 'commit') return false
  const object = (await readObjects(engine, [commit], MOST_BYTES)).get(commit)?.toString('latin1') ?? ''
  // Git reads a parent only from this place.
  const [tree = '', parent, next = ''] = object.split('\n', 3)
  return tree.startsWith('tree ') && parent === `parent ${from}` && next.startsWith('author ')
}

const MOST_BYTES = 1 << 20

async function foreignOrMissing(
  engine: EngineRepository,
  { run, task, base, resolves }: AttemptOrder,
  commit: string,
): Promise<Failure | null> {
  throwEngineTrouble(engine)
  const from = resolves?.onto ?? base
  if ((await objectInfo(engine, commit))?.type !== 'commit')
    return {
      reason: 'worktree-broken',
      message: `the commit ${commit.slice(0, 12)} that its worker names never arrived: its server needs the state folder of the coordinator, or the same ESPALIER_ENGINE_REPOSITORY`,
    }
  const options = inEngine(engine)
  try {
    // Walks everything new: a missing object is an error.
    await git(['rev-list', '--objects', '--quiet', commit, '--not', base, from], options)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return {
      reason: 'worktree-broken',
      message: `its worker sent a commit without all it needs: ${error.stderr.trim().split('\n')[0]}`,
    }
  }
  if (!(await isAncestor(from, commit, options)))
    return { reason: 'history-rewritten', message: 'its commits do not descend from the commit it was given' }
  // Earlier attempts of the task are its own; a resolution includes the other side of its conflict.
  const own = [`--exclude=${runRefs(run)}${task.id}/*`, '--exclude=refs/espalier/fleet/*', '--all']
  const added = [commit, `^${from}`, ...(resolves ? [`^${resolves.commit}^@`] : [])]
  const [all, mine] = await Promise.all([
    gitText(['rev-list', '--count', ...added], options),
    gitText(['rev-list', '--count', ...added, '--not', ...own], options),
  ])
  return all === mine
    ? null
    : { reason: 'history-rewritten', message: 'it brings along commits of other tasks as its own' }
}

type Delivered = {
  run: string
  base: string
  commit: string
  /** It is the only one. */
  isOneMore: boolean
  submodules: string[]
  links: boolean
}

async function unlandable(
  engine: EngineRepository,
  { run, base, commit, isOneMore, submodules, links }: Delivered,
): Promise<Failure | null> {
  const named = (paths: string[]) => paths.slice(0, 5).join(', ')
  // Also where they are allowed: what was committed inside of them is on the machine of the worker only.
  if (submodules.length > 0) return submoduleFailure(submodules, false)
  // A worker's own snapshot leaves such commits out of the history.
  if (!isOneMore && (await hasLostPointer(engine, { base, head: commit, run })))
    return { reason: 'submodule-changed', message: 'a commit in its history changes a submodule' }
  const escaping = links ? (await escapingLinks(engine, { base, work: commit })).map(readable) : []
  if (escaping.length === 0) return null
  return {
    reason: 'symlink-escapes',
    message: `A symbolic link leads out of the repository: ${named(escaping)}. Link to a path inside the repository, relative to the link, or copy the file.`,
    paths: escaping.slice(0, LIMITS.failurePaths),
  }
}
