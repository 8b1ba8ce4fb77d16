// Opens a run of a suite: on HEAD, on a commit, or on the checkout as it is, alone or against another tree. Made of its file, the
// plans of its entries, the test files of the tree, and times of earlier runs.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism, hostname } from 'node:os'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import picomatch from 'picomatch'
import { agentNames } from '../../agents/list.ts'
import { LIMITS, resolveSettings, type Settings, type SettingsLayer } from '../../config.ts'
import { filesLike } from '../../files/files-like.ts'
import { dirtyCommit, filesOfCommit } from '../../git/user/checkout-and-worktrees.ts'
import { resolveCommit, type UserRepository } from '../../git/user/repository.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { plainName, slug } from '../../text/slug.ts'
import { withTasksOpen } from '../../workloads/formats/status/plan-file-tasks.ts'
import { readPlanFiles } from '../../workloads/plan/read.ts'
import type { PlanFile } from '../../workloads/plan/translate-format.ts'
import { type BuiltSuite, buildSuite, type SuiteFlags } from '../../workloads/suite/build.ts'
import { fileGlobs, looksLikeSuite, plansOf, type ReadSuite, readSuite } from '../../workloads/suite/read.ts'
import { findRunner, type Runner } from '../../workloads/suite/runners.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { OpenRun } from '../open/check-before-run.ts'
import { openRun } from '../open/open-run.ts'
import { readPlanTexts, unreadable } from '../open/plan-texts.ts'
import type { Run } from '../run/run.ts'

/** `base`: the commit to test; default: that of the suite, else HEAD. */
export type OpenSuite = Pick<OpenRun, 'base' | 'dirty' | 'environment' | 'runner'> & {
  found: FoundSuite
  /** Settings below the suite and above it. */
  below: readonly SettingsLayer[]
  above: readonly SettingsLayer[]
  compare?: string | undefined
  flags?: SuiteFlags | undefined
  untilFail?: boolean | undefined
}

/** The plan and settings of the run. Writes nothing but objects of a dirty checkout. */
export async function prepareSuite(
  workspace: Workspace,
  options: OpenSuite,
): Promise<Result<BuiltSuite & { resolved: Settings; commit: string }>> {
  const { found, below, above, flags = {} } = options
  const user = await workspace.user()
  if (!user.ok) return user
  const commits = await commitsOf(user.value, options)
  if (!commits.ok) return commits
  const { commit, compared } = commits.value
  const { settings } = resolveSettings([...below, ...above])
  const written = found.head.workers
  const said = [...above].some((layer) => layer.settings.maxConcurrency !== undefined)
  const workers = !said && typeof written === 'number' ? written : settings.maxConcurrency
  const plans = await readPlans(found, settings)
  if (!plans.ok) return plans
  const past = await pastTimes(workspace)
  if (!past.ok) return past
  const filesLike = await splitFiles(found, user.value, commit)
  const built = buildSuite(
    found,
    {
      ...{ plans: plans.value, filesLike, ...past.value, runner: findRunnerAt(user.value.top)?.template ?? null },
      ...{ settings, agents: agentNames(settings), workers, compared },
    },
    flags,
  )
  if (!built.ok) return built
  const layers = [...below, { from: found.file ?? 'suite', settings: built.value.settings }, ...above]
  const resolved = resolveSettings([...layers, { from: 'suite', settings: FIXED }]).settings
  const isAuto = found.head.workers === 'auto' && !said
  const auto = isAuto ? { autoConcurrency: true, maxConcurrency: 2 * availableParallelism() } : {}
  const strict = options.untilFail ? { strict: true } : {}
  return ok({ ...built.value, resolved: { ...resolved, ...auto, ...strict }, commit })
}

/** The commit to test, and the one to compare it with. */
async function commitsOf(
  user: UserRepository,
  { found, base, dirty, compare }: OpenSuite,
): Promise<Result<{ commit: string; compared: string | null }>> {
  const rev = base ?? found.head.base
  if (dirty && rev !== undefined) return refuse('the checkout as it is (--dirty), or a commit: name one of the two')
  const named = rev === undefined ? ok(user.head) : await resolveCommit(user, rev)
  const commit = dirty ? await dirtyCommit(user) : named
  if (!commit.ok) return commit
  const compared = compare === undefined ? ok(null) : await resolveCommit(user, compare)
  return compared.ok ? ok({ commit: commit.value, compared: compared.value }) : compared
}

/** How long test files and entries took on this machine. */
async function pastTimes(workspace: Workspace) {
  const none = { fileTimes: new Map<string, number>(), durations: new Map<string, number>() }
  return workspace.read(none, async (store) => {
    const machine = hostname()
    return ok({ fileTimes: await store.fileTimes(machine), durations: await store.entryDurations(machine) })
  })
}

/** Finds the files of a commit that match globs of the suite. */
async function splitFiles({ entries, folder }: FoundSuite, user: UserRepository, commit: string) {
  const isSplit = entries.some((entry) => fileGlobs(entry).length > 0)
  const files = isSplit ? await filesOfCommit(user, commit) : []
  const prefix = prefixOf(folder, user.top)
  return (globs: readonly string[]) => {
    const isWanted = picomatch([...globs], { dot: true })
    return files.filter((path) => path.startsWith(prefix) && isWanted(path.slice(prefix.length)))
  }
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

const DEFAULT_SUITES = ['suite.yaml', 'suite.yml', 'suite.json', '.espalier/suite.yaml']

/** `file`: null if made of plan files. `folder`: its paths are relative to it. */
export type FoundSuite = ReadSuite & { file: string | null; folder: string }

/** `names`: a suite file, or plan files and patterns of them; none: the default file here or at the top. */
export async function findSuite(names: readonly string[], cwd: string, top: string): Promise<Result<FoundSuite>> {
  const paths = await expanded(names.length > 0 ? names : defaultSuite(cwd, top), cwd)
  if (!paths.ok) return paths
  const [first = ''] = paths.value
  const text = await textOf(first, cwd)
  if (!text.ok) return text
  const isFolder = statSync(resolve(cwd, first)).isDirectory()
  if (isFolder || !looksLikeSuite(text.value, first)) return ok(plansAsSuite(paths.value, cwd))
  if (paths.value.length > 1) return refuse(problem(`a suite is run by itself: ${first} is one`, { file: first }))
  const read = readSuite(text.value, first)
  if (!read.ok) return read
  const folder = dirname(resolve(cwd, first))
  return ok({ ...read.value, name: nameOf(read.value, first, top), file: first, folder })
}

/** A suite in `suite.yaml` has the name of the project. */
function nameOf({ name, head }: ReadSuite, file: string, top: string): string {
  const isPlain = head.name === undefined && basename(file, extname(file)) === 'suite'
  return isPlain ? slug(`${basename(top)}-suite`) : name
}

function defaultSuite(cwd: string, top: string): string[] {
  const here = DEFAULT_SUITES.find((name) => existsSync(join(cwd, name)))
  const atTop = DEFAULT_SUITES.find((name) => existsSync(join(top, name)))
  return [here ?? (atTop === undefined ? 'suite.yaml' : relative(cwd, join(top, atTop)))]
}

async function expanded(names: readonly string[], cwd: string): Promise<Result<string[]>> {
  const found: string[] = []
  for (const name of names) {
    if (existsSync(resolve(cwd, name))) found.push(name)
    else if (!picomatch.scan(name).isGlob) {
      const advice = names.length === 1 && DEFAULT_SUITES.includes(name) ? ': `espalier suite init` writes one' : ''
      return refuse(problem(`no such file${advice}`, { file: name }))
    } else {
      const { base, glob } = picomatch.scan(name)
      const root = resolve(cwd, base)
      const files = await filesLike(root, [glob], LIMITS.planFiles)
      if (files.length === 0) return refuse(problem('no file matches it', { file: name }))
      found.push(...files.map(({ path }) => relative(cwd, join(root, path))))
    }
  }
  return ok([...new Set(found)])
}

async function textOf(file: string, cwd: string): Promise<Result<string>> {
  try {
    if (statSync(resolve(cwd, file)).isDirectory()) return ok('')
    return ok(await readFile(resolve(cwd, file), 'utf8'))
  } catch (error) {
    return unreadable(error, file)
  }
}

function plansAsSuite(paths: readonly string[], cwd: string): FoundSuite {
  const taken = new Set<string>()
  const entries = paths.map((plan) => {
    const name = plainName(basename(plan, extname(plan))).slice(0, 50)
    const plain = name.replace(/-$/, '') || 'plan'
    let id = plain
    for (let n = 2; taken.has(id); n++) id = `${plain}-${n}`
    taken.add(id)
    return { id, plan }
  })
  return { name: 'plans', head: {}, entries, warnings: [], file: null, folder: cwd }
}

/** Patterns are relative to the folder of the suite, if that is inside the checkout. Commands run at its top. */
function prefixOf(folder: string, top: string): string {
  const inside = relative(top, folder)
  return inside === '' || inside.startsWith('..') || inside === '.espalier' ? '' : `${inside}/`
}

/** Statuses in the plans are ignored: an entry is the whole of its plan, each time. */
async function readPlans(found: FoundSuite, settings: Settings): Promise<Result<Map<string, PlanFile[]>>> {
  const plans = new Map<string, PlanFile[]>()
  const problems = []
  for (const name of plansOf(found)) {
    const texts = await readPlanTexts([name], found.folder)
    if (!texts.ok) {
      problems.push(...texts.problems)
      continue
    }
    const { files } = texts.value
    const read = readPlanFiles(files, name, settings, { overrule: { agent: 'command' } })
    const { format = '', part = null } = read.ok ? read.value.source : {}
    plans.set(name, withTasksOpen(files, { format, part }))
  }
  return problems.length > 0 ? { ok: false, problems } : ok(plans)
}

export function findRunnerAt(folder: string): Runner | null {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const text = (name: string) => (names.includes(name) ? readFileSync(join(folder, name), 'utf8') : null)
  return findRunner({ names, text })
}
