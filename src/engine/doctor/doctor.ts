// `espalier doctor`: problems that a run would meet here.
import { accessSync, constants, existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DEFAULT_SETTINGS, type History, LIMITS, type Settings } from '../../config.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { type DiskUse, diskUse } from '../../files/disk-use.ts'
import { engineTrouble } from '../../git/engine/engine-trouble.ts'
import { gitText } from '../../git/run/git.ts'
import { isShortage, machineTroubleText } from '../../git/run/machine-trouble.ts'
import { listAside, listUnkept } from '../../git/slots/folders-set-aside.ts'
import { inspect, isAtLeast, OLDEST_GIT, type UserRepository } from '../../git/user/repository.ts'
import { storeName } from '../../store/place.ts'
import { count } from '../../text/figures.ts'
import type { RunSummary } from '../../view.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import { type OpenWorkspace, Workspace } from '../../workspace/workspace.ts'
import { checkSubmodules } from '../open/check-before-run.ts'
import { listNotes } from '../resolve/resolve-conflict-by-hand.ts'
import { readUpkeep } from '../upkeep/clean.ts'
import {
  endLeftovers,
  findLeftovers,
  type Leftover,
  leftPlanning,
  removeLeftPlanning,
} from '../upkeep/leftovers-of-killed-engine.ts'
import { historyText, howToRemove, howToSave, outdated } from '../upkeep/what-may-be-removed.ts'
import { agentChecks, check, type DiskPart, type DoctorCheck, probeAgents } from './agent-checks.ts'

/**
 * `fix`: ends processes that no engine looks after, and removes a plan that is half made. `probe`: asks each installed agent for one
 * word, which costs a little. `environment`: agents see a part of it; default: this process's.
 */
export async function diagnose(
  options: OpenWorkspace & {
    fix?: boolean | undefined
    probe?: boolean | undefined
    settings?: Settings | undefined
    environment?: NodeJS.ProcessEnv | undefined
  },
): Promise<DoctorCheck[]> {
  const { settings = DEFAULT_SETTINGS, environment = process.env, fix = false } = options
  const version = await gitText(['version']).catch((error: unknown) => ({ error }))
  const checks = [nodeCheck(process.versions.node), gitCheck(version)]
  if (checks.some(({ state }) => state === 'fail')) return checks
  const user = await inspect(options.repo)
  if (!user.ok) return [...checks, ...user.problems.map(({ message }) => check('repository', 'fail', message))]
  checks.push(...repositoryChecks(user.value, settings), ...(await agentChecks(settings, environment)))
  if (options.probe) checks.push(...(await probeAgents(settings, environment)))
  await using workspace = new Workspace(user.value.top, options.stateDir ?? null)
  const { folder, engine } = workspace
  checks.push(...(await folderChecks(folder)), ...(await upkeepChecks(folder)))
  checks.push(check('engine', 'ok', engine ? `process ${engine.pid} is working on a run` : 'no run is active'))
  if (!engine) checks.push(...(await leftoverChecks(folder, fix)))
  checks.push(...(await planningChecks(folder, fix)))
  const runs = await listRuns(workspace)
  if (!runs.ok) return [...checks, ...runs.problems.map(({ message }) => check('state', 'fail', message))]
  const damage = await workspace.readViews(null, (views) => views.damage())
  if (!damage.ok) checks.push(...damage.problems.map(({ message }) => check('state', 'fail', message)))
  else if (damage.value !== null) {
    const message = `${storeName(folder.database)} is damaged (${damage.value})`
    checks.push(check('state', 'fail', message, { fix: 'move it away: what has landed is safe in git' }))
  }
  const open = new Map(runs.value.flatMap((run) => (run.resumable ? [[run.run, run]] : [])))
  checks.push(...asideChecks(folder, open))
  if (!engine) checks.push(...[...open.values()].map(openRunCheck))
  for (const { run, path, answered } of await listNotes(folder)) {
    if (answered || !path || !existsSync(path) || open.has(run)) continue
    const message = `${path} was made to resolve a conflict of run ${run}, which is finished`
    const advice = `take what you need from it, then espalier clean --run ${run} --force`
    checks.push(check('runs', 'warn', message, { fix: advice }))
  }
  if (engine || open.size === 0) checks.push(check('runs', 'ok', count(runs.value.length, 'run')))
  return [...checks, ...(await historyChecks(folder, runs.value, settings.history))]
}

function repositoryChecks(repo: UserRepository, settings: Settings): DoctorCheck[] {
  const where = repo.headBranch ? `on ${repo.headBranch}` : 'with a detached HEAD'
  const special = [...(repo.objectFormat === 'sha256' ? ['SHA-256'] : []), ...(repo.shallow ? ['shallow'] : [])]
  const bare = check('repository', 'fail', 'it is bare', { fix: 'run espalier in a checkout of it' })
  return [
    check('repository', 'ok', [repo.top, where, ...special].join(', ')),
    ...[...repo.warnings, ...checkSubmodules(repo.submodules, settings)].map(({ message }) =>
      check('repository', 'warn', message),
    ),
    ...(repo.bare ? [bare] : []),
    ...(repo.sparse ? [check('repository', 'ok', 'sparse checkout: worktrees have all files')] : []),
  ]
}

/** A run that can be resumed, and that no engine works on. */
function openRunCheck(summary: RunSummary): DoctorCheck {
  const { run, status, counts, paused, unplaced } = summary
  if (status === 'waiting' && counts.conflict > 0) {
    const conflicts = counts.conflict === 1 ? 'a conflict' : `${counts.conflict} conflicts`
    const fix = `\`espalier status ${run}\` shows which, \`espalier resolve TASK --run ${run}\` resolves one`
    return check('runs', 'warn', `run ${run} waits for you to resolve ${conflicts}`, { fix })
  }
  const needsLogin = paused?.some((one) => one.needsLogin)
  const awaited = needsLogin ? 'a login' : unplaced?.length ? 'a worker' : 'a larger budget'
  const why = status === 'waiting' ? `waits for ${awaited}` : 'was interrupted before it finished'
  const fix = nextSteps({ ...summary, engine: null, tasks: [] })[0]?.command
  return check('runs', 'warn', `run ${run} ${why}`, fix === undefined ? {} : { fix })
}

async function leftoverChecks(folder: StateFolder, fix: boolean): Promise<DoctorCheck[]> {
  if (!existsSync(folder.root)) return []
  const what = ({ processes, task, run }: Leftover) =>
    `${count(processes, 'process', 'processes')} of task ${task} of run ${run}`
  if (!fix)
    return findLeftovers(folder).map((leftover) => {
      const message = `${what(leftover)} ${leftover.processes === 1 ? 'goes' : 'go'} on without an engine`
      const advice = `espalier resume ${leftover.run} takes over, espalier doctor --fix ends them`
      return check('processes', 'warn', message, { fix: advice })
    })
  const ended = (await endLeftovers(folder, DEFAULT_SETTINGS.graceMs)) ?? []
  return ended.map((leftover) => {
    const { survivors } = leftover
    if (survivors.length === 0) return check('processes', 'ok', `ended ${what(leftover)}`)
    const message = `found ${what(leftover)}, and could not end ${survivors.join(', ')}`
    return check('processes', 'warn', message, { fix: 'end them as root: they are another user’s, or stuck' })
  })
}

/** Plans can be made while an engine works, so these may be there then, too. */
async function planningChecks(folder: StateFolder, fix: boolean): Promise<DoctorCheck[]> {
  const left = leftPlanning(folder)
  if (!left) return []
  const { path, processes } = left
  const by = 'of an `espalier plan new` that was killed'
  if (fix) {
    await removeLeftPlanning(folder, DEFAULT_SETTINGS.graceMs)
    return [check('planning', 'ok', `removed ${path}, ${by}`)]
  }
  const running = processes === 0 ? '' : `: ${processes} ${processes === 1 ? 'process goes' : 'processes go'} on there`
  const advice = 'espalier doctor --fix removes it, and ends what runs there'
  return [check('planning', 'warn', `${path} is left ${by}${running}`, { fix: advice })]
}

function nodeCheck(version: string): DoctorCheck {
  if (isAtLeast(version, OLDEST_NODE)) return check('node', 'ok', `Node ${version}`)
  const fix = `install Node ${OLDEST_NODE.join('.')} or newer`
  return check('node', 'warn', `Node ${version} is older than what Espalier is tested with`, { fix })
}

/** `output`: of `git version`, or why git could not be started. */
function gitCheck(output: string | { error: unknown }): DoctorCheck {
  const fix = `install git ${OLDEST_GIT.join('.')} or newer`
  if (typeof output !== 'string')
    return isShortage(output.error)
      ? check('git', 'fail', machineTroubleText(output.error))
      : check('git', 'fail', 'git could not be started', { fix })
  const version = /\d+\.\d+\S*/.exec(output)?.[0] ?? ''
  if (isAtLeast(version, OLDEST_GIT)) return check('git', 'ok', `git ${version}`)
  return check('git', 'fail', `${output} is too old: landings need \`git merge-tree\``, { fix })
}

const OLDEST_NODE = [22, 13] as const

// The disk: size of the state folder, kept runs, trouble of the last upkeep, worktrees that were set aside.

async function folderChecks(folder: StateFolder): Promise<DoctorCheck[]> {
  const isThere = existsSync(folder.root)
  const place = isThere ? folder.root : dirname(folder.root)
  try {
    accessSync(place, constants.W_OK)
  } catch {
    const fix = 'name another folder with --state-dir or `stateDir:` in .espalier/config.yaml'
    return [check('state', 'fail', `${place} cannot be written`, { fix })]
  }
  const gitDir = join(folder.root, 'engine.git')
  const trouble = existsSync(join(gitDir, 'HEAD')) ? engineTrouble({ gitDir }) : null
  if (trouble !== null) return [check('state', 'fail', trouble.message, { fix: trouble.advice })]
  const parts = await partsOf(folder)
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const message = `${folder.root} (${sizeText(sum(parts))} used, ${size(free)} free)`
  const state =
    free < LOW_DISK_BYTES
      ? check('state', 'warn', message, { fix: 'free some disk, or `espalier clean --worktrees`' })
      : check('state', 'ok', message)
  if (!isThere) return [state]
  const texts = parts.map((part) => `${part.name} ${sizeText(part)}`)
  return [state, check('disk', 'ok', texts.join(', '), { parts })]
}

const LOW_DISK_BYTES = 2 * 1024 ** 3

async function historyChecks(
  folder: StateFolder,
  runs: readonly RunSummary[],
  history: History,
): Promise<DoctorCheck[]> {
  const over = runs.filter((run) => !run.resumable)
  if (over.length === 0) return []
  const past = outdated(runs, history, Date.now())
  const parts = await Promise.all(past.map(({ run }) => measured(run, [join(folder.runs, run)])))
  const all = count(over.length, 'finished run')
  const kept = historyText(history)
  if (past.length === 0) return [check('history', 'ok', `${all} (${kept})`)]
  const message = `${all}, ${past.length} can be removed (${sizeText(sum(parts))} of logs; ${kept})`
  return [check('history', 'ok', message, { fix: '`espalier clean` removes them, --dry-run shows them', parts })]
}

async function upkeepChecks(folder: StateFolder): Promise<DoctorCheck[]> {
  const { tidyTrouble = null, removalTrouble = null } = (await readUpkeep(folder)) ?? {}
  const fix = 'fix that, then `espalier clean` does it again'
  return [
    ...(tidyTrouble === null ? [] : [`engine.git could not be tidied up: ${tidyTrouble}`]),
    ...(removalTrouble === null ? [] : [`old runs could not be removed: ${removalTrouble}`]),
  ].map((message) => check('upkeep', 'warn', message, { fix }))
}

/** `open`: runs that can be resumed, whose worktrees are where they should be. */
function asideChecks({ root }: StateFolder, open: ReadonlyMap<string, unknown>): DoctorCheck[] {
  const aside = listAside({ stateDir: root })
  const left = aside.filter(({ work }) => work === null).map(({ path }) => path)
  const unkept = listUnkept({ stateDir: root }).filter(({ path, work }) => {
    return !open.has(work.run) || aside.some((one) => one.path === path)
  })
  const warn = (message: string, fix: string) => check('worktrees', 'warn', message, { fix })
  return [
    ...left.map((path) => warn(`${path} is left of a worktree that could not be removed`, howToRemove(path))),
    ...unkept.map(({ path, work }) => {
      return warn(`${path} is the worktree of task ${work.task} of run ${work.run}`, howToSave(work))
    }),
  ]
}

async function partsOf(folder: StateFolder): Promise<DiskPart[]> {
  const { root, database } = folder
  // These are mostly empty.
  const sometimes = [await measured('resolving', [folder.resolving]), await measured('planning', [folder.planning])]
  return [
    await measured('worktrees', [join(root, 'slots')]),
    await measured('logs', [folder.runs]),
    await measured('engine.git', [join(root, 'engine.git')]),
    await measured('database', [database, `${database}-wal`, `${database}-shm`]),
    await measured('reports', [folder.reports]),
    ...sometimes.filter(({ bytes }) => bytes > WORTH_TELLING_BYTES),
  ]
}

const WORTH_TELLING_BYTES = 64 * 1024

async function measured(name: string, paths: [string, ...string[]]): Promise<DiskPart> {
  const uses = await Promise.all(paths.map((path) => diskUse(path, LIMITS.countedFiles)))
  return { name, path: paths[0], ...sum(uses) }
}

function sum(uses: readonly DiskUse[]): DiskUse {
  return {
    bytes: uses.reduce((all, { bytes }) => all + bytes, 0),
    complete: uses.every(({ complete }) => complete),
  }
}

function sizeText({ bytes, complete }: DiskUse): string {
  return complete ? size(bytes) : `more than ${size(bytes)}`
}

function size(bytes: number): string {
  const megabytes = bytes / 1024 ** 2
  if (megabytes < 10) return `${Math.round(megabytes * 10) / 10} MB`
  if (bytes < 1024 ** 3) return `${Math.round(megabytes)} MB`
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}
