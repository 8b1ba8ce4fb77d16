// Paths that a task may not change because the plan says so, and paths that somebody should look at before the work is
// used: what is written there is run or obeyed by other programs, on other machines too.
import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'
import { coveringPaths } from '../scheduler/claims/covering-paths.ts'
import { covers, toClaims } from '../scheduler/claims/overlap.ts'
import type { PathList } from '../status.ts'
import type { Task } from '../task.ts'

type Guarded = Pick<Task, 'protected' | 'unprotected'>

/** For the person, who may take the protection away, and for the agent of the next attempt, who may not. */
export function protectedFailure(task: Guarded, paths: readonly string[]): Failure | null {
  if (!task.protected?.length) return null
  const isProtected = matcher(task.protected)
  const isFree = matcher(task.unprotected)
  const touched = paths.filter((path) => isProtected(path) && !isFree(path))
  if (touched.length === 0) return null
  const more = touched.length > SHOWN ? ` and ${touched.length - SHOWN} more` : ''
  const message = `it changed what the plan protects: ${touched.slice(0, SHOWN).join(', ')}${more}. These paths have to stay as they were; where the task is meant to change them, name them under its \`unprotected\` in the plan`
  return { reason: 'protected-path', message, paths: touched.slice(0, LIMITS.failurePaths) }
}

/** In the words of the journal: what is empty is not there. `hooks`: the folder the user's git takes hooks from. */
export function flaggedBy(
  task: Pick<Task, 'unprotected'>,
  paths: readonly string[],
  hooks: string | null,
): { flagged?: PathList } {
  const isFree = matcher(task.unprotected)
  const isHook = (path: string) => hooks !== null && path.startsWith(`${hooks}/`)
  const flagged = paths.filter((path) => (isObeyed(path) || isHook(path)) && !isFree(path))
  if (flagged.length === 0) return {}
  return { flagged: { paths: coveringPaths(flagged, LIMITS.failurePaths), count: flagged.length } }
}

/** Whether programs run or obey what is written there without being asked. Names are compared as any file system may. */
export function isObeyed(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.at(-1) ?? ''
  return OBEYED_FILES.has(name) || parts.some((part) => part.startsWith('.git') || OBEYED_FOLDERS.has(part))
}

/** Anywhere in the tree. Everything that begins with `.git` is besides: `.github`, `.gitattributes`, `.gitlab-ci.yml` … */
const OBEYED_FOLDERS = new Set([
  ...[
    '.husky',
    'git-hooks',
    'githooks',
    '.claude',
    '.codex',
    '.cursor',
    '.gemini',
    '.vscode',
    '.idea',
    '.devcontainer',
  ],
  ...['.circleci', '.buildkite', '.forgejo', '.gitea', '.espalier', '.teamcity', '.woodpecker'],
])

const OBEYED_FILES = new Set([
  ...['.mcp.json', '.envrc', '.pre-commit-config.yaml', 'lefthook.yml', 'lefthook.yaml', '.lefthook.yml'],
  ...['.travis.yml', '.drone.yml', '.woodpecker.yml', '.cirrus.yml', 'appveyor.yml', '.appveyor.yml', 'jenkinsfile'],
  ...['azure-pipelines.yml', 'bitbucket-pipelines.yml', 'buildspec.yml', 'cloudbuild.yaml'],
  ...['.worktreeinclude', 'espalier.yaml', 'espalier.yml', 'espalier.json'],
])

const SHOWN = 5

/** A pattern without a `/` counts in every folder, and names are compared as any file system may. */
function matcher(globs: readonly string[] | undefined): (path: string) => boolean {
  if (!globs?.length) return () => false
  const everywhere = globs
    .map((glob) => glob.toLowerCase())
    .flatMap((glob) => (glob.includes('/') ? [glob] : [glob, `**/${glob}`]))
  const claims = toClaims({ write: everywhere, read: [] })
  return (path) => covers(claims, path.toLowerCase())
}
