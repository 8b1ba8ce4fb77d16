// Failures of an agent's work that show before any command has checked it, and paths that a person should look at.
import type { AgentResult } from '../agents/agent.ts'
import { KNOWN_AGENTS } from '../agents/list.ts'
import { LIMITS } from '../config.ts'
import type { Failure, PathList } from '../event.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import { covers, toClaims } from '../scheduler/claims/overlap.ts'
import { pathList, touchedBy } from '../scheduler/claims/touched-paths.ts'
import type { Claims, Task } from '../task.ts'
import { cut } from '../text/cut.ts'
import { firstNames } from '../text/name-list.ts'
import type { Note } from '../view.ts'
import type { AttemptContext } from './attempt-context.ts'

export function workFailure(context: AttemptContext, said: AgentResult, snapshot: Snapshot): Failure | null {
  const { task } = context.order
  return (
    said.failure ??
    (snapshot.commit === null ? said.denied : null) ??
    (snapshot.ok || isOnlyForLanding(task, snapshot.failure) ? null : snapshot.failure) ??
    protectedFailure(task, snapshot.paths) ??
    claimsViolated(context, snapshot) ??
    completionFailure(task.completion, said.final ?? said.summary)
  )
}

/**
 * The failure of an agent that changed nothing without anything to show that this is right: an empty answer, a refusal
 * and work that was done before look the same. Asked after the verify commands: if there are some, they have passed.
 */
export function unchangedFailure({ order }: AttemptContext, said: AgentResult, { commit }: Snapshot): Failure | null {
  const { task, resolves } = order
  const isMeant = task.allowNoChange || task.verify.length > 0 || resolves !== null
  if (commit !== null || task.work.kind !== 'prompt' || isMeant) return null
  const words = (said.final ?? said.summary ?? '').trim()
  // A task that does not land is done by its words: a review, a report.
  if (!task.land && words !== '') return null
  const did =
    words === '' ? 'its agent changed nothing and said nothing' : `its agent changed nothing; it said: ${words}`
  const advice =
    'Where that is right, write `allowNoChange: true` for the task, or `verify` commands that show it is done'
  return { reason: 'no-change', message: `${cut(did, NO_CHANGE_CHARS)}. ${advice}` }
}

const NO_CHANGE_CHARS = 800

/** Work that never lands may leave links, submodules and a rewritten history. */
function isOnlyForLanding({ land }: Task, { reason }: Failure): boolean {
  return !land && (reason === 'symlink-escapes' || reason === 'submodule-changed' || reason === 'history-rewritten')
}

function claimsViolated({ order, claims }: AttemptContext, { paths }: Snapshot): Failure | null {
  if (order.settings.claims !== 'enforce') return null
  const { undeclared } = touchedBy(claims, paths)
  return undeclared ? claimsFailure(claims, undeclared) : null
}

/** `said`: the agent's last message. */
function completionFailure(completion: string | undefined, said: string | null): Failure | null {
  if (completion === undefined || said?.includes(completion)) return null
  return { reason: 'incomplete', message: `its agent ended without having said \`${completion}\`` }
}

/** For the person, who may widen the claims, and for the agent of the next attempt, who may not. */
export function claimsFailure({ write }: Claims, { paths, count }: PathList): Failure {
  const may = write.length === 0 ? 'it has claimed nothing for writing' : `it has claimed ${firstNames(write, SHOWN)}`
  const did = count === 1 ? 'it changed a path outside its claims' : `it changed ${count} paths outside its claims`
  const message = `${did}: ${firstNames(paths, SHOWN)}, and ${may}. Add what belongs to the task to its \`claims\` in the plan; everything else must stay as it was`
  return { reason: 'claims-violated', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

const SHOWN = 5

/** The last note counts: an agent that was blocked and continued is not blocked any more. */
export function blockedFailure(notes: readonly Note[]): Failure | null {
  const last = notes.findLast(({ kind }) => kind === 'progress' || kind === 'done' || kind === 'blocked')
  if (last?.kind !== 'blocked') return null
  const details = last.details === undefined ? '' : `\n${last.details}`
  const message = cut(`its agent said that it cannot continue: ${last.text}${details}`, LIMITS.messageChars)
  return { reason: 'agent-blocked', message }
}

/** Null: none. */
export function doneText(notes: readonly Note[]): string | null {
  return notes.findLast(({ kind }) => kind === 'done')?.text ?? null
}

// The failure of a task whose plan names paths outside of the repository: no worktree holds them, and a change would be
// one of the machine.

export function outsideFailure(paths: readonly string[]): Failure {
  const message =
    `its plan names ${firstNames(paths, 1)}, which is outside of the repository: ` +
    'paths are relative to the top of the repository and stay inside it'
  return { reason: 'outside-repository', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

type Guarded = Pick<Task, 'protected' | 'unprotected'>

/** For the person, who may take the protection away, and for the agent of the next attempt, who may not. */
export function protectedFailure(task: Guarded, paths: readonly string[]): Failure | null {
  if (!task.protected?.length) return null
  const isProtected = matcher(task.protected)
  const isFree = matcher(task.unprotected)
  const touched = paths.filter((path) => isProtected(path) && !isFree(path))
  if (touched.length === 0) return null
  const message = `it changed what the plan protects: ${firstNames(touched, SHOWN)}. These paths have to stay as they were; where the task is meant to change them, name them under its \`unprotected\` in the plan`
  return { reason: 'protected-path', message, paths: touched.slice(0, LIMITS.failurePaths) }
}

/**
 * Paths that a person should look at before the work is used: other programs run or obey their content, also on other
 * machines. `hooks`: the folder from which the user's git takes hooks.
 */
export function flaggedBy(
  task: Pick<Task, 'unprotected'>,
  paths: readonly string[],
  hooks: string | null,
): { flagged?: PathList } {
  const isFree = matcher(task.unprotected)
  const isHook = (path: string) => hooks !== null && path.startsWith(`${hooks}/`)
  const flagged = paths.filter((path) => (isObeyed(path) || isHook(path)) && !isFree(path))
  if (flagged.length === 0) return {}
  return { flagged: pathList(flagged, LIMITS.failurePaths) }
}

/** Whether programs run or obey a file without being asked. Names are compared as any file system may. */
function isObeyed(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.at(-1) ?? ''
  return OBEYED_FILES.has(name) || PART_OF_GITLAB_CI.test(name) || parts.some((part) => OBEYED_FOLDERS.has(part))
}

/** Anywhere in the tree. */
const OBEYED_FOLDERS = new Set([
  ...['.git', '.github', '.gitlab', '.gitlab-ci', '.githooks'],
  ...KNOWN_AGENTS.map((name) => `.${name}`),
  ...['.husky', 'git-hooks', 'githooks', '.cursor', '.vscode', '.idea'],
  ...['.devcontainer', '.circleci', '.buildkite', '.forgejo', '.gitea', '.espalier', '.teamcity', '.woodpecker'],
])

const OBEYED_FILES = new Set([
  ...['.gitattributes', '.gitignore', '.gitmodules', '.gitconfig', '.gitlab-ci.yml', '.gitlab-ci.yaml'],
  ...['.gitpod.yml', '.gitpod.dockerfile', '.gitleaks.toml', '.gitleaksignore'],
  ...['.mcp.json', '.envrc', '.pre-commit-config.yaml', 'lefthook.yml', 'lefthook.yaml', '.lefthook.yml'],
  ...['.travis.yml', '.drone.yml', '.woodpecker.yml', '.cirrus.yml', 'appveyor.yml', '.appveyor.yml', 'jenkinsfile'],
  ...['azure-pipelines.yml', 'bitbucket-pipelines.yml', 'buildspec.yml', 'cloudbuild.yaml'],
  ...['.worktreeinclude', 'espalier.yaml', 'espalier.yml', 'espalier.json'],
])

/** A file that others include: `.gitlab-ci.build.yml`. */
const PART_OF_GITLAB_CI = /^\.gitlab-ci\..*\.ya?ml$/

/** A pattern without a `/` counts in every folder. */
export function matcher(globs: readonly string[] | undefined): (path: string) => boolean {
  if (!globs?.length) return () => false
  const everywhere = globs
    .map((glob) => glob.toLowerCase())
    .flatMap((glob) => (glob.includes('/') ? [glob] : [glob, `**/${glob}`]))
  const claims = toClaims({ write: everywhere, read: [] })
  return (path) => covers(claims, path.toLowerCase())
}
