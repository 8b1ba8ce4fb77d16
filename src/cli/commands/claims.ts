import { userInfo } from 'node:os'
import { relative, resolve } from 'node:path'
import { checkPaths, holdClaims, readClaims, releaseClaims } from '../../engine/requests/claims.ts'
import type { Result } from '../../problem.ts'
import { ok, refuse } from '../../problem.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { holdText } from '../status/waiting-lines.ts'
import { lookOf } from '../surroundings.ts'
import { checkLines, heldClaimLines } from '../tables/claims.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = { repo?: string; json?: boolean }

export async function list(flags: Flags, here: InWorkspace): Promise<Done> {
  const read = await readClaims(here.workspace)
  if (!read.ok) return read
  const { held, undeclared, waitingCount } = read.value
  if (flags.json) return printJson(read.value, here)
  if (held.length + undeclared.length + waitingCount > 0)
    return printLines(heldClaimLines(read.value, lookOf(here)), here)
  here.err.write('no claims\n')
  return EXIT.done
}

export async function check(
  paths: readonly string[],
  flags: Flags & { as?: string },
  here: InWorkspace,
): Promise<Done> {
  const named = fromTop(paths, flags, here)
  if (!named.ok) return named
  const checked = await checkPaths(here.workspace, { paths: named.value, as: flags.as })
  if (!checked.ok) return checked
  if (flags.json) printJson(checked.value, here)
  else printLines(checkLines(checked.value, lookOf(here)), here)
  return checked.value.can_proceed ? EXIT.done : EXIT.failed
}

export async function hold(
  globs: readonly string[],
  flags: Flags & { for?: number; name?: string },
  here: InWorkspace,
): Promise<Done> {
  const named = fromTop(globs, flags, here)
  if (!named.ok) return named
  const name = flags.name ?? userName(here.env)
  const held = await holdClaims(here.workspace, { globs: named.value, name, forMs: flags.for ?? DEFAULT_MS })
  if (!held.ok) return held
  if (flags.json) return printJson(held.value, here)
  const { holds, goingOn } = held.value
  for (const one of holds) here.out.write(`${holdText(one)} for ${formatDuration(one.until - one.since)}\n`)
  for (const { holder, glob } of goingOn)
    here.err.write(`${safeLine(`${holder.name} already works on ${glob}: it continues and lands`)}\n`)
  here.err.write(`\`espalier claims release ${globs.map(shellWord).join(' ')}${here.repeat}\` releases it earlier\n`)
  return EXIT.done
}

export async function release(
  globs: readonly string[],
  flags: Flags & { all?: boolean; name?: string },
  here: InWorkspace,
): Promise<Done> {
  if ((globs.length === 0) !== (flags.all ?? false)) return refuse('name the globs to release, or --all')
  const named = fromTop(globs, flags, here)
  if (!named.ok) return named
  const released = await releaseClaims(here.workspace, { globs: flags.all ? undefined : named.value, name: flags.name })
  if (!released.ok) return released
  if (flags.json) return printJson({ released: released.value }, here)
  const lines = released.value.map(({ name, glob }) => safeLine(`${name} released ${glob}`))
  return printLines(lines.length > 0 ? lines : ['nothing was held'], here)
}

const DEFAULT_MS = 3_600_000

/** Services and containers often have neither variable, but the system still knows who they run as. */
function userName({ USER, LOGNAME }: InWorkspace['env']): string {
  try {
    return USER || LOGNAME || userInfo().username
  } catch {
    // No account has this user id.
    return 'somebody'
  }
}

/** As claims are written: from the top of the repository. Where no --repo is given, they are named from this folder. */
function fromTop(paths: readonly string[], flags: Flags, { cwd, workspace: { repo } }: InWorkspace): Result<string[]> {
  const named = paths.map((path) => relative(repo, resolve(flags.repo === undefined ? cwd : repo, path)))
  const outside = named.findIndex((path) => path === '..' || path.startsWith('../'))
  if (outside >= 0) return refuse(`${paths[outside]} is outside of the repository ${repo}`)
  return ok(named.map((path) => path || '**'))
}
