// Opening a search: a run whose plan begins with the measurement of its root and grows with the results. Its ideas are files.

import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, posix, resolve } from 'node:path'
import picomatch from 'picomatch'
import { matcher } from '../../attempt/inspect-work.ts'
import { LIMITS, type Settings } from '../../config.ts'
import { filesOfCommit } from '../../git/user/checkout-and-worktrees.ts'
import { resolveCommit } from '../../git/user/repository.ts'
import { ok, type Problem, problem, type Result } from '../../problem.ts'
import type { Idea, Search } from '../../search-definition.ts'
import type { Plan } from '../../task.ts'
import type { ReadSearch } from '../../workloads/search/read.ts'
import { evalTasks, firstPlan, proposeTask } from '../../workloads/search/tasks.ts'
import type { Node } from '../../workloads/search/tree.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Run } from '../run/run.ts'
import { checkPlan, type OpenRun } from './check-before-run.ts'
import { openRun } from './open-run.ts'

type OpenSearch = Pick<OpenRun, 'settings' | 'environment' | 'runner' | 'base'> & {
  read: Pick<ReadSearch, 'name' | 'root' | 'search' | 'env'>
  /** Sorted by path. */
  ideas: readonly Idea[]
  file?: string | undefined
}

/** Nothing runs yet: see `Run.execute`. */
export async function openSearch(workspace: Workspace, options: OpenSearch): Promise<Result<Run>> {
  const { environment, runner, base, file } = options
  const settings = searchSettings(options.settings)
  const plan = searchPlan(options)
  const problems = checkSearch(options)
  if (problems.length > 0) return { ok: false, problems }
  return openRun(workspace, { plan, settings, base, planFile: file, environment, runner })
}

export function checkSearch({ read, ideas, settings, environment }: OpenSearch): Problem[] {
  const { search } = read
  if (ideas.length === 0 && !search.propose)
    return [problem('no file matches `ideas`, and nobody proposes any: there is nothing to try')]
  return checkPlan(sampleOf({ ...search, ideas: [...ideas] }), searchSettings(settings), environment)
}

export function searchPlan({ read, ideas, settings }: Pick<OpenSearch, 'read' | 'ideas' | 'settings'>): Plan {
  const { name, root, env, search } = read
  const ofRun = { ideas: [...ideas], timeoutMs: settings.timeoutMs, ...(Object.keys(env).length > 0 ? { env } : {}) }
  return firstPlan({ ...search, ...ofRun }, { name, root })
}

/** A plan with every kind of task that it may ever start: problems of any are found before anything runs. */
function sampleOf(search: Search): Plan {
  const node: Node = {
    ...{ id: 'root', depth: 0, eval: 'root', parent: null, idea: null, score: 0, spread: 0, tree: '' },
  }
  const idea = search.ideas[0] ?? { path: 'proposed', text: '' }
  const tried = evalTasks(search, { id: 'root-1', depth: 1, parent: 'root', number: 1, idea }, [node])
  const plan = firstPlan(search, { name: 'search', root: null })
  return { ...plan, tasks: [...plan.tasks, ...tried.tasks, ...proposeTask(search, node, '').tasks] }
}

/**
 * Settings about work that lands side by side do not apply: candidates all change the same files, none may see another, and the
 * branch moves once, to a judged result.
 */
export function searchSettings(settings: Settings): Settings {
  return {
    ...settings,
    ...{ claims: 'warn', schedule: 'eager' },
    landing: { ...settings.landing, verify: [] },
    learning: { ...settings.learning, enabled: false },
  }
}

/** With one eval at a time eagerness gains nothing. */
export function withEagerness<T extends Pick<ReadSearch, 'search' | 'eager'>>(
  read: T,
  { maxConcurrency }: Settings,
): T {
  const eager = read.eager ?? maxConcurrency > 1
  return { ...read, search: { ...read.search, eager } }
}

/** Sorted by path, independent of the folder's order. `file`: the search's own; globs are relative to its folder. */
export async function readIdeas(file: string, globs: readonly string[]): Promise<Result<Idea[]>> {
  const folder = dirname(resolve(file))
  const paths = new Set<string>()
  const problems: Problem[] = []
  for (const glob of globs) {
    const found = await matching(folder, glob)
    if (found.length === 0) problems.push(problem(`no file matches \`${glob}\` in ${folder}`, { file }))
    for (const path of found) paths.add(path)
  }
  if (paths.size > LIMITS.ideas)
    problems.push(problem(`${paths.size} ideas are more than a search may have (${LIMITS.ideas})`, { file }))
  if (problems.length > 0) return { ok: false, problems }
  const ideas: Idea[] = []
  // Independent of the machine's language.
  for (const path of [...paths].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    const full = join(folder, path)
    const { size } = await stat(full)
    if (size > LIMITS.ideaBytes) problems.push(problem(`an idea may have ${LIMITS.ideaBytes >> 10} kB`, { file: full }))
    else ideas.push({ path, text: await readFile(full, 'utf8') })
  }
  return problems.length > 0 ? { ok: false, problems } : ok(ideas)
}

async function matching(folder: string, glob: string): Promise<string[]> {
  const { base } = picomatch.scan(glob)
  const plain = posix.normalize(glob)
  if (base === glob && (await stat(join(folder, plain)).catch(() => null))?.isFile()) return [plain]
  const isMatch = picomatch(plain)
  const entries = await readdir(join(folder, base), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => posix.normalize(posix.relative(folder, posix.join(entry.parentPath, entry.name))))
    .filter((path) => isMatch(path))
}

/** Warnings, because a command may be meant to run a candidate's file. */
export async function unprotectedPaths(
  workspace: Workspace,
  { root, search }: Pick<ReadSearch, 'root' | 'search'>,
): Promise<Problem[]> {
  const user = await workspace.user()
  if (!user.ok) return []
  const base = root === null ? ok(user.value.head) : await resolveCommit(user.value, root)
  if (!base.ok) return []
  const files = new Set(await filesOfCommit(user.value, base.value))
  const isProtected = matcher(search.protected)
  const commands = [...search.gates, search.score.run]
  const used = commands.flatMap((command) => [
    ...command.split(/[\s"'`;&|()<>=]+/).map((word) => word.replace(/^\.\//, '')),
    ...RUNNERS.flatMap(([pattern, file]) => (pattern.test(command) ? [file] : [])),
  ])
  const named = [...new Set(used)].filter((path) => files.has(path) && !isProtected(path))
  const hasModules = [...files].some((path) => /(^|\/)node_modules\//.test(path)) && !isProtected('node_modules/x')
  const messages = [
    ...named.map((path) => {
      return `${path} is used to judge candidates and is not \`protected\`: one that changes it is judged with its own version`
    }),
    ...(hasModules
      ? ['node_modules is committed and not `protected`: a candidate may change what the evaluator loads from there']
      : []),
  ]
  return messages.map((message) => problem(message, { severity: 'warning' }))
}

/** Programs that read their commands from a file. */
const RUNNERS: [RegExp, string][] = [
  [/\b(npm|npx|pnpm|yarn|bun)\b/, 'package.json'],
  [/\bmake\b/, 'Makefile'],
  [/\bjust\b/, 'justfile'],
  [/\b(pytest|tox)\b/, 'pyproject.toml'],
  [/\bcargo\b/, 'Cargo.toml'],
]
