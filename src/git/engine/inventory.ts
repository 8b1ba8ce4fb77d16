// Lists everything that Espalier keeps on disk, for `clean` and `doctor`. The caller decides what to remove (I10).
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type GitOptions, git, gitLines } from '../run/git.ts'
import { slotNamed } from '../slots/slot.ts'
import { type EngineRepository, inEngine } from './engine-repository.ts'
import { mayHaveRefs } from './ref-file.ts'
import { fleetRefs, runBranch, runRefs, submoduleRef } from './ref-names.ts'
import { deleteShared } from './shared-repository.ts'

export type KeptRun = {
  run: string
  head: string | null
  attempts: { task: string; attempt: number; commit: string; ref: string }[]
}

/** `which`: options of `git for-each-ref`, such as `--contains=<commit>`. */
export async function runsWithRefs(repository: GitOptions, ...which: string[]): Promise<KeptRun[]> {
  const format = '--format=%(refname) %(objectname)'
  const args = ['for-each-ref', format, ...which, 'refs/heads/espalier', 'refs/espalier/runs']
  const runs = new Map<string, KeptRun>()
  for (const line of await gitLines(args, repository)) {
    const [ref = '', commit = ''] = line.split(' ')
    const [, branchRun] = /^refs\/heads\/espalier\/([^/]+)$/.exec(ref) ?? []
    const [, attemptRun, task, attempt] = /^refs\/espalier\/runs\/([^/]+)\/([^/]+)\/(\d+)$/.exec(ref) ?? []
    const run = branchRun ?? attemptRun
    if (run === undefined) continue
    const kept = runs.get(run) ?? { run, head: null, attempts: [] }
    runs.set(run, kept)
    if (task === undefined) kept.head = commit
    else kept.attempts.push({ task, attempt: Number(attempt), commit, ref })
  }
  return [...runs.values()]
}

/** Commits of a run that were made inside of submodules. */
export async function submoduleCommits(engine: EngineRepository, run: string): Promise<string[]> {
  const folder = submoduleRef(run)
  // Usually there are none, and each publication asks.
  if (!mayHaveRefs(engine, folder)) return []
  return gitLines(['for-each-ref', '--format=%(objectname)', folder], inEngine(engine))
}

export async function deleteRunRefs(engine: EngineRepository, run: string): Promise<number> {
  const options = inEngine(engine)
  const args = ['for-each-ref', '--format=%(refname)', runBranch(run), runRefs(run), fleetRefs(run)]
  const refs = await gitLines(args, options)
  await git(['update-ref', '--stdin', '-z'], { ...options, input: refs.map((ref) => `delete ${ref}\0\0`).join('') })
  await deleteShared(engine, [runBranch(run), `${runRefs(run)}*`, `${fleetRefs(run)}*`])
  return refs.length
}

export async function listSlots(engine: EngineRepository) {
  const names = await readdir(join(engine.stateDir, 'slots')).catch(() => [])
  const slots = names.flatMap((name) => slotNamed(engine, name) ?? [])
  slots.sort((a, b) => a.kind.localeCompare(b.kind) || a.number - b.number)
  const uses = slots.map(async (slot) => {
    const { mtimeMs } = await lstat(slot.note).catch(() => lstat(slot.path))
    return { slot, usedAt: mtimeMs }
  })
  return Promise.all(uses)
}
