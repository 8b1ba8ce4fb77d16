import { userInfo } from 'node:os'
import { relative, resolve } from 'node:path'
import type { Result } from '../../index.ts'
import { checkPaths, formatDuration, holdClaims, readClaims, releaseClaims } from '../../internal.ts'
import { ok, refuse } from '../../problem.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { holdText } from '../status/waiting-lines.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { checkLines, heldClaimLines } from '../tables/claims.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function list(flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace) => {
    const read = await readClaims(workspace)
    if (!read.ok) return read
    const { held, undeclared, waitingCount } = read.value
    if (flags.json) return ok(printJson(read.value, surroundings))
    if (held.length + undeclared.length + waitingCount === 0) surroundings.err.write('no claims\n')
    else printLines(heldClaimLines(read.value, lookOf(surroundings)), surroundings)
    return ok(EXIT.done)
  })
}

export async function check(
  paths: readonly string[],
  flags: Flags & { as?: string },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace) => {
    const named = fromTop(paths, workspace, flags, surroundings)
    if (!named.ok) return named
    const checked = await checkPaths(workspace, { paths: named.value, as: flags.as })
    if (!checked.ok) return checked
    if (flags.json) printJson(checked.value, surroundings)
    else printLines(checkLines(checked.value, lookOf(surroundings)), surroundings)
    return ok(checked.value.can_proceed ? EXIT.done : EXIT.failed)
  })
}

export async function hold(
  globs: readonly string[],
  flags: Flags & { for?: number; name?: string },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace, repeat) => {
    const named = fromTop(globs, workspace, flags, surroundings)
    if (!named.ok) return named
    const name = flags.name ?? userName(surroundings.env)
    const held = await holdClaims(workspace, { globs: named.value, name, forMs: flags.for ?? DEFAULT_MS })
    if (!held.ok) return held
    if (flags.json) return ok(printJson(held.value, surroundings))
    const { holds, goingOn } = held.value
    for (const one of holds) surroundings.out.write(`${holdText(one)} for ${formatDuration(one.until - one.since)}\n`)
    for (const { holder, glob } of goingOn)
      surroundings.err.write(`${safeLine(`${holder.name} already works on ${glob}: it continues and lands`)}\n`)
    surroundings.err.write(
      `\`espalier claims release ${globs.map(shellWord).join(' ')}${repeat}\` releases it earlier\n`,
    )
    return ok(EXIT.done)
  })
}

export async function release(
  globs: readonly string[],
  flags: Flags & { all?: boolean; name?: string },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace) => {
    if ((globs.length === 0) !== (flags.all ?? false)) return refuse('name the globs to release, or --all')
    const named = fromTop(globs, workspace, flags, surroundings)
    if (!named.ok) return named
    const released = await releaseClaims(workspace, { globs: flags.all ? undefined : named.value, name: flags.name })
    if (!released.ok) return released
    if (flags.json) return ok(printJson({ released: released.value }, surroundings))
    const lines = released.value.map(({ name, glob }) => safeLine(`${name} released ${glob}`))
    return ok(printLines(lines.length > 0 ? lines : ['nothing was held'], surroundings))
  })
}

const DEFAULT_MS = 3_600_000

/** Services and containers often have neither variable, but the system still knows who they run as. */
function userName({ USER, LOGNAME }: Surroundings['env']): string {
  try {
    return USER || LOGNAME || userInfo().username
  } catch {
    // No account has this user id.
    return 'somebody'
  }
}

async function inWorkspace(
  flags: RepositoryFlags,
  surroundings: Surroundings,
  use: (workspace: Workspace, repeat: string) => Promise<Result<ExitStatus>>,
): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const status = await use(found.value.workspace, found.value.repeat)
  return status.ok ? status.value : refuseWith(status.problems, surroundings)
}

/** As claims are written: from the top of the repository. Where no --repo is given, they are named from this folder. */
function fromTop(
  paths: readonly string[],
  { repo }: Workspace,
  flags: RepositoryFlags,
  surroundings: Surroundings,
): Result<string[]> {
  const here = flags.repo === undefined ? surroundings.cwd : repo
  const named = paths.map((path) => relative(repo, resolve(here, path)))
  const outside = named.findIndex((path) => path === '..' || path.startsWith('../'))
  if (outside >= 0) return refuse(`${paths[outside]} is outside of the repository ${repo}`)
  return ok(named.map((path) => path || '**'))
}
