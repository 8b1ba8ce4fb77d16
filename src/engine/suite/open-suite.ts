// Opens a run of a suite: on HEAD, on a commit, or on the checkout as it is, alone or against another tree.
import { availableParallelism } from 'node:os'
import { resolveSettings, type Settings, type SettingsLayer } from '../../config.ts'
import { dirtyCommit } from '../../git/user/checkout.ts'
import { resolveCommit } from '../../git/user/repository.ts'
import { ok, type Problem, type Result, refuse } from '../../problem.ts'
import type { BuiltSuite, SuiteFlags } from '../../workloads/suite/build.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { MakeRunner } from '../open/check-before-run.ts'
import { openRun } from '../open/open-run.ts'
import type { Run } from '../run/run.ts'
import { type FoundSuite, loadSuite } from './load.ts'

export type OpenSuite = {
  found: FoundSuite
  /** Settings below the suite and above it. */
  below: readonly SettingsLayer[]
  above: readonly SettingsLayer[]
  /** The commit to test; default: that of the suite, else HEAD. */
  base?: string | undefined
  dirty?: boolean | undefined
  /** The commit to compare with. */
  compare?: string | undefined
  flags?: SuiteFlags | undefined
  /** The first failure ends the run. */
  untilFail?: boolean | undefined
  environment?: NodeJS.ProcessEnv | undefined
  runner?: MakeRunner | undefined
}

/** The plan and settings of the run. Writes nothing but objects of a dirty checkout. */
export async function prepareSuite(
  workspace: Workspace,
  options: OpenSuite,
): Promise<Result<BuiltSuite & { resolved: Settings; commit: string }>> {
  const { found, below, above, flags = {} } = options
  const user = await workspace.user()
  if (!user.ok) return user
  const rev = options.base ?? found.head.base
  if (options.dirty && rev !== undefined)
    return refuse('the checkout as it is (--dirty), or a commit: name one of the two')
  const commit = options.dirty
    ? await dirtyCommit(user.value)
    : rev === undefined
      ? ok(user.value.head)
      : await resolveCommit(user.value, rev)
  if (!commit.ok) return commit
  const compared = options.compare === undefined ? ok(null) : await resolveCommit(user.value, options.compare)
  if (!compared.ok) return compared
  const { settings } = resolveSettings([...below, ...above])
  const written = found.head.workers
  const said = [...above].some((layer) => layer.settings.maxConcurrency !== undefined)
  const workers = !said && typeof written === 'number' ? written : settings.maxConcurrency
  const loading = { found, settings, user: user.value, commit: commit.value, compared: compared.value, workers, flags }
  const built = await loadSuite(workspace, loading)
  if (!built.ok) return built
  const layers = [...below, { from: found.file ?? 'suite', settings: built.value.settings }, ...above]
  const resolved = resolveSettings([...layers, { from: 'suite', settings: FIXED }]).settings
  const isAuto = found.head.workers === 'auto' && !said
  const auto = isAuto ? { autoConcurrency: true, maxConcurrency: 2 * availableParallelism() } : {}
  const strict = options.untilFail ? { strict: true } : {}
  return ok({ ...built.value, resolved: { ...resolved, ...auto, ...strict }, commit: commit.value })
}

/**
 * Settings of every suite: entries are judged alone, a failed one is retried at once, and agents get no lessons of earlier
 * runs, because they are measured.
 */
const FIXED: SettingsLayer['settings'] = {
  claims: 'warn',
  backoff: { initialMs: 0, maxMs: 0 },
  learning: { enabled: false },
  landing: { verify: [] },
}

export async function openSuite(
  workspace: Workspace,
  options: OpenSuite,
): Promise<Result<{ run: Run; warnings: Problem[] }>> {
  const prepared = await prepareSuite(workspace, options)
  if (!prepared.ok) return prepared
  const { plan, resolved: settings, commit: base, warnings } = prepared.value
  const { environment, runner } = options
  const opened = await openRun(workspace, { plan, kind: 'suite', settings, base, environment, runner })
  return opened.ok ? ok({ run: opened.value, warnings }) : opened
}
