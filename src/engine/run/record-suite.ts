// The end of a suite: records for later runs (results of its entries, times of test files from the collected JUnit XML), and
// the clean-up of its worktrees.
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { casesIn } from '../../attempt/files-of-agent.ts'
import { LIMITS } from '../../config.ts'
import { diskUse } from '../../files/disk-use.ts'
import { filesLike } from '../../files/files-like.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { listSlots } from '../../git/engine/inventory.ts'
import { removeSlot } from '../../git/slots/prepare-slot.ts'
import { treeOf } from '../../git/trees/tree-of.ts'
import { taskView } from '../../scheduler/view.ts'
import type { EntryRecord } from '../../store/suite-history.ts'
import { type EntryResult, type EntryTry, entryResults } from '../../workloads/suite/entry-results.ts'
import { shareOut } from '../../workloads/suite/shards.ts'
import { type AttemptFolder, attemptFolder, attemptsIn, type StateFolder } from '../../workspace/state-folder.ts'
import type { RunContext } from './run-context.ts'

export async function recordSuite({ id: run, growth: { plan }, state, locked }: RunContext): Promise<void> {
  const { suite } = plan
  if (!suite) return
  const { store, folder, engine } = locked
  const views = state.graph.tasks.map((_, index) => taskView(state, index))
  const tasks = new Map(views.map((view) => [view.id, view]))
  const results = entryResults(suite, tasks)
  const machine = hostname()
  const trees = new Map<string | null, string>()
  for (const side of new Set(results.map((one) => one.side)))
    trees.set(side, await treeOf(engine, side === 'base' ? (suite.compared ?? state.base) : state.base))
  const records = results.flatMap((result): EntryRecord[] => {
    if (result.verdict !== 'passed' && result.verdict !== 'flaky' && result.verdict !== 'failed') return []
    const tries = result.tries.flatMap(({ passed }) => (passed === null ? [] : [passed]))
    const { id, key, verdict, durationMs } = result
    const at = result.finishedAt ?? state.lastAt
    const tree = trees.get(result.side) ?? ''
    return [{ run, id, suite: plan.name, key, at, machine, tree, verdict, tries, durationMs: durationMs ?? 0 }]
  })
  if (records.length > 0) await store.recordEntries(records)
  const times = await timesOfFiles(results, (task, attempt) => attemptFolder(folder, run, task, attempt))
  if (times.size > 0) await store.recordFileTimes(machine, times, state.lastAt)
}

/** Times of passed entries only: a failed file may have ended early. */
async function timesOfFiles(
  results: readonly EntryResult[],
  folderOf: (task: string, attempt: number) => AttemptFolder,
): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for (const { shard, tries, verdict } of results) {
    const last = tries.at(-1)
    if (!last || (verdict !== 'passed' && verdict !== 'flaky')) continue
    const found = new Map<string, number>()
    for (const { task, attempt } of last.attempts) {
      const cases = await readCases(folderOf(task, attempt).junit)
      if (cases.length === 0) continue
      const { fileTimes, filesNamed } = await import('../../workloads/suite/junit.ts')
      for (const [file, ms] of fileTimes(cases, shard?.files ?? filesNamed(cases))) found.set(file, ms)
    }
    const ms = commandMs(last, folderOf)
    const times = shard && ms !== null ? shareOut(shard.files, found, ms) : found
    for (const [file, ms] of times) all.set(file, ms)
  }
  return all
}

/** Without the setup of a worktree, which only its first user waits for. */
function commandMs(
  { startedAt, finishedAt, attempts: [first] }: EntryTry,
  folderOf: (task: string, attempt: number) => AttemptFolder,
): number | null {
  if (finishedAt === null || !first) return null
  const { prepared } = folderOf(first.task, first.attempt).iteration(1)
  const preparedAt = statSync(prepared, { throwIfNoEntry: false })?.mtimeMs ?? startedAt
  return Math.max(0, finishedAt - Math.max(startedAt, preparedAt))
}

export async function readCases(folder: string) {
  const found = await filesLike(folder, ['**'], LIMITS.artifactFiles)
  const files = found.flatMap(({ path }) => (/\.xml$/i.test(path) ? [join(folder, path)] : []))
  return files.length === 0 ? [] : casesIn(files)
}

/**
 * Removes worktrees of failed entries beyond their number, and the pool if the suite says so, before the lock is released.
 * Errors are ignored: they fail no suite.
 */
export async function tidySuite({ growth: { plan }, machine: { folder, engine } }: RunContext): Promise<void> {
  const { suite } = plan
  if (!suite) return
  try {
    await removeKept(folder, suite.keepFailed)
    if (!suite.cleanup) return
    for (const { slot } of await listSlots(engine)) await removeSlot(slot)
  } catch {
    // The next run, or `espalier clean`, removes it.
  }
}

/** Keeps the newest, of all suites together, as long as there is room for them. */
async function removeKept(folder: StateFolder, most: number): Promise<void> {
  const kept = [...attemptsIn(folder)].map(({ run, task, attempt }) => {
    const path = attemptFolder(folder, run, task, Number(attempt)).kept
    return { path, at: statSync(path, { throwIfNoEntry: false })?.ctimeMs }
  })
  const found = kept.filter(({ at }) => at !== undefined).sort((a, b) => (b.at ?? 0) - (a.at ?? 0))
  let bytes = 0
  for (const [n, { path }] of found.entries()) {
    bytes += n < most ? (await diskUse(path)).bytes : 0
    if (n >= most || bytes > LIMITS.keptBytes) await removeTree(path)
  }
}
