// Finds and reads the parts of a suite: its file, the plans of its entries, the test files of the tree, and times of earlier
// runs. Writes nothing.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import picomatch from 'picomatch'
import { agentNames } from '../../agents/known-agents.ts'
import { LIMITS, type Settings } from '../../config.ts'
import { filesLike } from '../../files/files-like.ts'
import { filesOfCommit } from '../../git/user/checkout.ts'
import type { UserRepository } from '../../git/user/repository.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { plainName } from '../../text/slug.ts'
import { withTasksOpen } from '../../workloads/formats/status/plan-file-tasks.ts'
import { readPlanFiles } from '../../workloads/plan/read.ts'
import type { PlanFile } from '../../workloads/plan/source.ts'
import { type BuiltSuite, buildSuite, type SuiteFlags } from '../../workloads/suite/build.ts'
import { fileGlobs, looksLikeSuite, plansOf, type ReadSuite, readSuite } from '../../workloads/suite/read.ts'
import { findRunner, type Runner } from '../../workloads/suite/runners.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readPlanTexts } from '../open/plan-texts.ts'

/** Default names of a suite file. */
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
  const isPlain = head.name === undefined && /^suite$/.test(basename(file, extname(file)))
  return isPlain
    ? plainName(`${basename(top)}-suite`)
        .slice(0, 40)
        .replace(/-$/, '') || 'suite'
    : name
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
      const root = resolve(cwd, picomatch.scan(name).base)
      const rest = picomatch.scan(name).glob
      const files = await filesLike(root, [rest], LIMITS.planFiles)
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
    const { code, message } = error as NodeJS.ErrnoException
    return refuse(problem(code === 'ENOENT' ? 'no such file' : `cannot be read: ${message}`, { file }))
  }
}

function plansAsSuite(paths: readonly string[], cwd: string): FoundSuite {
  const taken = new Set<string>()
  const entries = paths.map((plan) => {
    const plain =
      plainName(basename(plan, extname(plan)))
        .slice(0, 50)
        .replace(/-$/, '') || 'plan'
    let id = plain
    for (let n = 2; taken.has(id); n++) id = `${plain}-${n}`
    taken.add(id)
    return { id, plan }
  })
  return { name: 'plans', head: {}, entries, warnings: [], file: null, folder: cwd }
}

/** Makes the plan of a run of the suite. `commit`: to test. */
export async function loadSuite(
  workspace: Workspace,
  options: {
    found: FoundSuite
    settings: Settings
    user: UserRepository
    commit: string
    compared: string | null
    workers: number
    flags: SuiteFlags
  },
): Promise<Result<BuiltSuite>> {
  const { found, settings, user, commit, compared, workers, flags } = options
  const plans = await readPlans(found, settings)
  if (!plans.ok) return plans
  const past = await workspace.read(
    { files: new Map<string, number>(), durations: new Map<string, number>() },
    async (store) => {
      const machine = hostname()
      return ok({ files: await store.fileTimes(machine), durations: await store.entryDurations(machine) })
    },
  )
  if (!past.ok) return past
  const isSplit = found.entries.some((entry) => fileGlobs(entry).length > 0)
  const files = isSplit ? await filesOfCommit(user, commit) : []
  const top = prefixOf(found.folder, user.top)
  const filesLikeIn = (globs: readonly string[]) => {
    const isWanted = picomatch([...globs], { dot: true })
    return files.filter((path) => path.startsWith(top) && isWanted(path.slice(top.length)))
  }
  return buildSuite(
    found,
    {
      plans: plans.value,
      filesLike: filesLikeIn,
      fileTimes: past.value.files,
      durations: past.value.durations,
      runner: findRunnerAt(user.top)?.template ?? null,
      settings,
      agents: agentNames(settings),
      workers,
      compared,
    },
    flags,
  )
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
    const read = readPlanFiles(files, name, settings, { agents: agentNames(settings), overrule: { agent: 'command' } })
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
