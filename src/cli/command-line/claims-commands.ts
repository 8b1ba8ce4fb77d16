// The commands about claims: who holds what, and holding something oneself.
import type { Command } from 'commander'
import type { Calls } from './calls.ts'
import { duration, filled } from './flag-values.ts'
import { withRepository } from './flags.ts'

export function addClaimsCommands(program: Command, { surroundings, finish }: Calls): void {
  const claims = program.command('claims').description('show who holds which paths, or hold some yourself')
  withRepository(claims.command('list', { isDefault: true }).description('list who holds what, and who waits for it'))
    .option('--json', 'print {run, held, waiting, waitingCount, undeclared} as JSON')
    .addHelpText('after', HELP.list)
    .action(async (flags) => finish(await (await import('../commands/claims.ts')).list(flags, surroundings)))
  withRepository(claims.command('check').description('ask whether paths are free to be changed').argument('<path...>'))
    .option('--as <who>', 'the task or person that asks: what they hold themselves does not count', filled('--as'))
    .option('--json', 'print {has_conflicts, conflicts, warnings, can_proceed} as JSON')
    .addHelpText('after', HELP.check)
    .action(async (paths, flags) =>
      finish(await (await import('../commands/claims.ts')).check(paths, flags, surroundings)),
    )
  withRepository(claims.command('hold').description('keep agents out of what you edit').argument('<glob...>'))
    .option('--for <time>', 'for how long (30m, 2h), 24h at most; default: 1h', duration)
    .option('--name <name>', 'whose it is, for others to read; default: your user name', filled('--name'))
    .addHelpText('after', HELP.hold)
    .action(async (globs, flags) =>
      finish(await (await import('../commands/claims.ts')).hold(globs, flags, surroundings)),
    )
  withRepository(claims.command('release').description('let go of what you hold').argument('[glob...]'))
    .option('--all', 'of everything that people hold')
    .option('--name <name>', 'only what is held under this name', filled('--name'))
    .addHelpText('after', HELP.release)
    .action(async (globs, flags) =>
      finish(await (await import('../commands/claims.ts')).release(globs, flags, surroundings)),
    )
}

const HELP = {
  list: `
Lists the claims of the tasks at work and of those whose work waits to land, and what people hold: who, the pattern,
whether to write or only to read, since when, and whether it came to it while it worked. Then what waits for them.

Exit status: 0, or 2 where there is no repository.

Examples:
  espalier claims
  espalier claims --json | jq '.held[] | select(.holder.kind == "person")'`,

  check: `
Answers as if a task that writes these paths were to start now. Without a run at work only what people hold counts.
--json is one object: has_conflicts, conflicts (path, holder {kind, name}, glob, mode, since, until), warnings, can_proceed.
Warnings are of tasks at work that have claimed nothing, and of tasks that will want a path later.

Exit status: 0 they are free, 1 somebody holds some of it, 2 wrong usage.

Examples:
  espalier claims check src/auth/login.ts && $EDITOR src/auth/login.ts
  espalier claims check src/auth src/db/schema.sql --json`,

  hold: `
While you hold a pattern, no task starts that claims some of it, in this run and in those after it. A run at work takes
it in within a second. Tasks that work there already go on and land: you are told which. It ends by itself. Holding the
same again moves its end. A run in which only such tasks are left waits for the end.

Exit status: 0, or 2 where it is no pattern of paths or for too long.

Examples:
  espalier claims hold 'src/auth/**' --for 2h
  espalier claims hold package.json 'db/migrations/**' --name 'ana, release'`,

  release: `
Names the patterns as they were held. What waited for them starts.

Exit status: 0, or 2 where nobody holds it.

Examples:
  espalier claims release 'src/auth/**'
  espalier claims release --all`,
} as const
