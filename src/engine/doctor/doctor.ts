// `espalier doctor`: problems that a run would meet here.
import { existsSync } from 'node:fs'
import { DEFAULT_SETTINGS, type Settings } from '../../config.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { gitText } from '../../git/run/git.ts'
import { inspect, isAtLeast, OLDEST_GIT } from '../../git/user/repository.ts'
import { storeName } from '../../store/place.ts'
import type { RunSummary } from '../../view.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import { type OpenWorkspace, Workspace } from '../../workspace/workspace.ts'
import { listNotes } from '../resolve/conflict-worktree-notes.ts'
import { endLeftovers, findLeftovers, type Leftover } from '../upkeep/leftover-processes.ts'
import { leftPlanning, removeLeftPlanning } from '../upkeep/planning-folder.ts'
import { agentChecks, probeAgents } from './agent-checks.ts'
import { asideChecks, folderChecks, historyChecks, upkeepChecks } from './disk-checks.ts'
import type { DoctorCheck } from './doctor-check.ts'

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
  const { settings = DEFAULT_SETTINGS, environment = process.env } = options
  const version = await gitText(['version']).catch(() => null)
  const checks: DoctorCheck[] = [nodeCheck(process.versions.node), gitCheck(version)]
  if (checks.some(({ state }) => state === 'fail')) return checks
  const user = await inspect(options.repo)
  if (!user.ok)
    return [
      ...checks,
      ...user.problems.map((p): DoctorCheck => ({ name: 'repository', state: 'fail', message: p.message })),
    ]
  const repo = user.value
  const say = (name: string, state: DoctorCheck['state'], message: string, fix?: string) =>
    checks.push({ name, state, message, ...(fix === undefined ? {} : { fix }) })
  const checkedOut = repo.headBranch ? `on ${repo.headBranch}` : 'with a detached HEAD'
  say(
    'repository',
    'ok',
    `${repo.top}, ${checkedOut}${repo.objectFormat === 'sha256' ? ', SHA-256' : ''}${repo.shallow ? ', shallow' : ''}`,
  )
  for (const warning of repo.warnings) say('repository', 'warn', warning.message)
  if (repo.bare) say('repository', 'fail', 'it is bare', 'run espalier in a checkout of it')
  if (repo.sparse) say('repository', 'ok', 'sparse checkout: worktrees have all files')
  checks.push(...(await agentChecks(settings, environment)))
  if (options.probe) checks.push(...(await probeAgents(settings, environment)))
  await using workspace = new Workspace(repo.top, options.stateDir ?? null)
  const { folder } = workspace
  checks.push(...(await folderChecks(folder)), ...(await upkeepChecks(folder)))
  const engine = workspace.engine
  say('engine', 'ok', engine ? `process ${engine.pid} is working on a run` : 'no run is active')
  if (!engine) checks.push(...(await leftoverChecks(folder, options.fix ?? false)))
  checks.push(...(await planningChecks(folder, options.fix ?? false)))
  const runs = await listRuns(workspace)
  if (!runs.ok) {
    for (const { message } of runs.problems) say('state', 'fail', message)
    return checks
  }
  const damage = await workspace.readViews(null, (views) => views.damage())
  if (!damage.ok) for (const { message } of damage.problems) say('state', 'fail', message)
  else if (damage.value !== null)
    say(
      'state',
      'fail',
      `${storeName(folder.database)} is damaged (${damage.value})`,
      'move it away: what has landed is safe in git',
    )
  const resumable = runs.value.filter((run) => run.resumable)
  checks.push(...asideChecks(folder, new Set(resumable.map(({ run }) => run))))
  const open = engine ? [] : resumable
  for (const summary of open) {
    const { run, status, counts } = summary
    if (status === 'waiting' && counts.conflict > 0) {
      const conflicts = counts.conflict === 1 ? 'a conflict' : `${counts.conflict} conflicts`
      const fix = `\`espalier status ${run}\` shows which, \`espalier resolve TASK --run ${run}\` resolves one`
      say('runs', 'warn', `run ${run} waits for you to resolve ${conflicts}`, fix)
      continue
    }
    const why = status === 'waiting' ? `waits for ${awaited(summary)}` : 'was interrupted before it finished'
    say('runs', 'warn', `run ${run} ${why}`, nextSteps({ ...summary, engine: null, tasks: [] })[0]?.command)
  }
  const isOpen = (id: string) => runs.value.some(({ run, resumable }) => run === id && resumable)
  for (const { run, path, answered } of await listNotes(folder)) {
    if (answered || !path || !existsSync(path) || isOpen(run)) continue
    const fix = `take what you need from it, then espalier clean --run ${run} --force`
    say('runs', 'warn', `${path} was made to resolve a conflict of run ${run}, which is finished`, fix)
  }
  if (open.length === 0) say('runs', 'ok', runs.value.length === 1 ? '1 run' : `${runs.value.length} runs`)
  checks.push(...(await historyChecks(folder, runs.value, settings.history)))
  return checks
}

/** The reason a run waits for, other than a conflict. */
function awaited({ paused, unplaced }: RunSummary): string {
  if (paused?.some(({ needsLogin }) => needsLogin)) return 'a login'
  return unplaced?.length ? 'a worker' : 'a larger budget'
}

async function leftoverChecks(folder: StateFolder, fix: boolean): Promise<DoctorCheck[]> {
  if (!existsSync(folder.root)) return []
  const what = ({ processes, task, run }: Leftover) =>
    `${processes} ${processes === 1 ? 'process' : 'processes'} of task ${task} of run ${run}`
  if (fix) {
    const ended = (await endLeftovers(folder, DEFAULT_SETTINGS.graceMs)) ?? []
    return ended.map((leftover): DoctorCheck => {
      const { survivors } = leftover
      if (survivors.length === 0) return { name: 'processes', state: 'ok', message: `ended ${what(leftover)}` }
      const message = `found ${what(leftover)}, and could not end ${survivors.join(', ')}`
      return { name: 'processes', state: 'warn', message, fix: 'end them as root: they are another user’s, or stuck' }
    })
  }
  return findLeftovers(folder).map((leftover): DoctorCheck => {
    const message = `${what(leftover)} ${leftover.processes === 1 ? 'goes' : 'go'} on without an engine`
    const fix = `espalier resume ${leftover.run} takes over, espalier doctor --fix ends them`
    return { name: 'processes', state: 'warn', message, fix }
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
    return [{ name: 'planning', state: 'ok', message: `removed ${path}, ${by}` }]
  }
  const running = processes === 0 ? '' : `: ${processes} ${processes === 1 ? 'process goes' : 'processes go'} on there`
  const advice = 'espalier doctor --fix removes it, and ends what runs there'
  return [{ name: 'planning', state: 'warn', message: `${path} is left ${by}${running}`, fix: advice }]
}

function nodeCheck(version: string): DoctorCheck {
  const message = `Node ${version}`
  if (isAtLeast(version, OLDEST_NODE)) return { name: 'node', state: 'ok', message }
  const fix = `install Node ${OLDEST_NODE.join('.')} or newer`
  return { name: 'node', state: 'warn', message: `${message} is older than what Espalier is tested with`, fix }
}

/** `output`: of `git version`; null: git could not be started. */
function gitCheck(output: string | null): DoctorCheck {
  const fix = `install git ${OLDEST_GIT.join('.')} or newer`
  if (output === null) return { name: 'git', state: 'fail', message: 'git could not be started', fix }
  const version = /\d+\.\d+\S*/.exec(output)?.[0] ?? ''
  if (isAtLeast(version, OLDEST_GIT)) return { name: 'git', state: 'ok', message: `git ${version}` }
  return { name: 'git', state: 'fail', message: `${output} is too old: landings need \`git merge-tree\``, fix }
}

const OLDEST_NODE = [22, 13] as const
