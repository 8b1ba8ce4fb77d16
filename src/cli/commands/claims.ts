import { userInfo } from 'node:os'
import { relative, resolve } from 'node:path'
import { checkPaths, holdClaims, readClaims, releaseClaims } from '../../engine/requests/claims-of-people.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { flag, help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { duration, filled } from '../command-line/flag-values.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { holdText } from '../status/waiting-lines.ts'
import { lookOf } from '../surroundings.ts'
import { checkLines, heldClaimLines } from '../tables/claims-table.ts'

export const commands = {
  list: inWorkspace(
    { json: flag('--json', 'print {run, held, waiting, waitingCount, undeclared} as JSON') },
    help(
      `Lists the claims of running tasks and of tasks that wait to land, and what people hold: holder, pattern, read or write,
since when, and whether it was added while the task ran. Then the tasks that wait for them.`,
      '0, or 2 outside of a repository.',
      'espalier claims',
      'espalier claims --json | jq \'.held[] | select(.holder.kind == "person")\'',
    ),
    async (here) => {
      const read = await readClaims(here.workspace)
      if (!read.ok) return read
      return { json: read.value, lines: heldClaimLines(read.value, lookOf(here)), none: 'no claims' }
    },
  ),
  check: inWorkspace(
    {
      as: flag('--as <who>', 'the task or person that asks; what they hold themselves does not count', filled('--as')),
      json: flag('--json', 'print {has_conflicts, conflicts, warnings, can_proceed} as JSON'),
    },
    help(
      `Answers as if a task that writes these paths were to start now. Without a running run only what people hold counts.
--json is one object: has_conflicts, conflicts (path, holder {kind, name}, glob, mode, since, until), warnings, can_proceed.
Warnings: running tasks without claims, and tasks that will claim a path later.`,
      '0 the paths are free, 1 somebody holds some of them, 2 wrong usage.',
      'espalier claims check src/auth/login.ts && $EDITOR src/auth/login.ts',
      'espalier claims check src/auth src/db/schema.sql --json',
    ),
    async (here, flags, paths: readonly string[]) => {
      const named = fromTop(paths, flags, here)
      if (!named.ok) return named
      const checked = await checkPaths(here.workspace, { paths: named.value, as: flags.as })
      if (!checked.ok) return checked
      const status = checked.value.can_proceed ? EXIT.done : EXIT.failed
      return { json: checked.value, lines: checkLines(checked.value, lookOf(here)), status }
    },
  ),
  hold: inWorkspace(
    {
      for: flag('--for <time>', 'for how long (30m, 2h), 24h at most; default: 1h', duration),
      name: flag('--name <name>', 'who holds it; default: your user name', filled('--name')),
      json: ONE_OBJECT,
    },
    help(
      `While you hold a pattern, no task that claims any of it starts, in this run and in later ones. A running run notices
within a second. Tasks that already work there continue and land; they are listed. The hold ends by itself; holding the
same pattern again extends it. A run in which only such tasks are left waits for the end.`,
      '0, or 2 if it is not a pattern or too long.',
      "espalier claims hold 'src/auth/**' --for 2h",
      "espalier claims hold package.json 'db/migrations/**' --name 'ana, release'",
    ),
    async (here, flags, globs: readonly string[]) => {
      const named = fromTop(globs, flags, here)
      if (!named.ok) return named
      const name = flags.name ?? userName(here.env)
      if (safeLine(name) === '') return refuse('say who holds it with --name')
      const held = await holdClaims(here.workspace, { globs: named.value, name, forMs: flags.for ?? DEFAULT_MS })
      if (!held.ok) return held
      const { holds, goingOn } = held.value
      const release = `\`espalier claims release ${globs.map(shellWord).join(' ')}${here.repeat}\` releases it earlier`
      const going = goingOn.map(({ holder, glob }) =>
        safeLine(`${holder.name} already works on ${glob}: it continues and lands`),
      )
      if (!flags.json) here.err.write([...going, release, ''].join('\n'))
      return {
        json: held.value,
        lines: holds.map((one) => `${holdText(one)} for ${formatDuration(one.until - one.since)}`),
      }
    },
  ),
  release: inWorkspace(
    {
      all: flag('--all', 'everything that people hold'),
      name: flag('--name <name>', 'only what is held under this name', filled('--name')),
      json: ONE_OBJECT,
    },
    help(
      'Name the patterns as they were held. Tasks that waited for them start.',
      '0, or 2 if nobody holds it.',
      "espalier claims release 'src/auth/**'",
      'espalier claims release --all',
    ),
    async (here, flags, globs: readonly string[]) => {
      if ((globs.length === 0) !== (flags.all ?? false)) return refuse('name the globs to release, or --all')
      const named = fromTop(globs, flags, here)
      if (!named.ok) return named
      const released = await releaseClaims(here.workspace, {
        globs: flags.all ? undefined : named.value,
        name: flags.name,
      })
      if (!released.ok) return released
      const lines = released.value.map(({ name, glob }) => safeLine(`${name} released ${glob}`))
      return { json: { released: released.value }, lines: lines.length > 0 ? lines : ['nothing was held'] }
    },
  ),
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

/** Makes paths relative to the top of the repository. Without --repo they are given relative to the current folder. */
function fromTop(
  paths: readonly string[],
  flags: { repo?: string },
  { cwd, workspace: { repo } }: InWorkspace,
): Result<string[]> {
  const named = paths.map((path) => relative(repo, resolve(flags.repo === undefined ? cwd : repo, path)))
  const outside = named.findIndex((path) => path === '..' || path.startsWith('../'))
  if (outside >= 0) return refuse(`${paths[outside]} is outside of the repository ${repo}`)
  return ok(named.map((path) => path || '**'))
}
