// The commands for claims: list and check them, and hold paths yourself.
import type { Command } from 'commander'
import { actionOf, type Calls } from './calls.ts'
import { duration, filled } from './flag-values.ts'
import { withRepository } from './flags.ts'
import { help } from './help.ts'

export function addClaimsCommands(program: Command, calls: Calls): void {
  const { inWorkspace } = actionOf(calls)
  const claims = program
    .command('claims')
    .description('show which task has reserved which files, or reserve some yourself')
  withRepository(claims.command('list', { isDefault: true }).description('list who holds what, and who waits for it'))
    .option('--json', 'print {run, held, waiting, waitingCount, undeclared} as JSON')
    .addHelpText('after', HELP.list)
    .action(inWorkspace(async () => (await import('../commands/claims.ts')).list))
  withRepository(claims.command('check').description('ask whether paths are free to be changed').argument('<path...>'))
    .option('--as <who>', 'the task or person that asks; what they hold themselves does not count', filled('--as'))
    .option('--json', 'print {has_conflicts, conflicts, warnings, can_proceed} as JSON')
    .addHelpText('after', HELP.check)
    .action(inWorkspace(async () => (await import('../commands/claims.ts')).check))
  withRepository(claims.command('hold').description('keep agents out of files you edit').argument('<glob...>'))
    .option('--for <time>', 'for how long (30m, 2h), 24h at most; default: 1h', duration)
    .option('--name <name>', 'who holds it; default: your user name', filled('--name'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.hold)
    .action(inWorkspace(async () => (await import('../commands/claims.ts')).hold))
  withRepository(claims.command('release').description('release what you hold').argument('[glob...]'))
    .option('--all', 'everything that people hold')
    .option('--name <name>', 'only what is held under this name', filled('--name'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.release)
    .action(inWorkspace(async () => (await import('../commands/claims.ts')).release))
}

const HELP = {
  list: help(
    `Lists the claims of running tasks and of tasks that wait to land, and what people hold: holder, pattern, read or write,
since when, and whether it was added while the task ran. Then the tasks that wait for them.`,
    '0, or 2 outside of a repository.',
    'espalier claims',
    'espalier claims --json | jq \'.held[] | select(.holder.kind == "person")\'',
  ),
  check: help(
    `Answers as if a task that writes these paths were to start now. Without a running run only what people hold counts.
--json is one object: has_conflicts, conflicts (path, holder {kind, name}, glob, mode, since, until), warnings, can_proceed.
Warnings: running tasks without claims, and tasks that will claim a path later.`,
    '0 the paths are free, 1 somebody holds some of them, 2 wrong usage.',
    'espalier claims check src/auth/login.ts && $EDITOR src/auth/login.ts',
    'espalier claims check src/auth src/db/schema.sql --json',
  ),
  hold: help(
    `While you hold a pattern, no task that claims any of it starts, in this run and in later ones. A running run notices
within a second. Tasks that already work there continue and land; they are listed. The hold ends by itself; holding the
same pattern again extends it. A run in which only such tasks are left waits for the end.`,
    '0, or 2 if it is not a pattern or too long.',
    "espalier claims hold 'src/auth/**' --for 2h",
    "espalier claims hold package.json 'db/migrations/**' --name 'ana, release'",
  ),
  release: help(
    'Name the patterns as they were held. Tasks that waited for them start.',
    '0, or 2 if nobody holds it.',
    "espalier claims release 'src/auth/**'",
    'espalier claims release --all',
  ),
} as const
