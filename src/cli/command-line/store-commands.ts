// `espalier store`: preparing and copying what runs are recorded in.
import type { Command } from 'commander'
import { actionOf, type Calls } from './calls.ts'
import { withRepository } from './flags.ts'
import { help } from './help.ts'

export function addStoreCommands(program: Command, calls: Calls): void {
  const { call, inWorkspace } = actionOf(calls)
  const store = program.command('store').description('set up or copy the database that records runs')
  withRepository(store.command('migrate').description('prepare a store, or bring it up to date'))
    .argument('[store]', 'an SQLite file or postgres://…; default: the one of this repository')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.migrate)
    .action(inWorkspace(async () => (await import('../store/store.ts')).storeMigrate))
  store
    .command('copy')
    .description('copy all runs into an empty store, and compare')
    .argument('<from>', 'an SQLite file or postgres://…')
    .argument('<to>', 'another one, with nothing in it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.copy)
    .action(call(async () => (await import('../store/store.ts')).storeCopy))
}

const HELP = {
  migrate: help(
    `A run prepares its store by itself. This is for those who let a role with more rights do it, before a new version is used.
A password in a URL can be seen by others on the machine: PGPASSWORD, ~/.pgpass or the setting store: keep it away.`,
    '0 ready, 2 it cannot be used.',
    'espalier store migrate',
    'espalier store migrate postgres://db.example.com/espalier?schema=shop',
  ),
  copy: help(
    `Everything is copied: runs, journals, lessons, results of suites. Nothing is changed in FROM. Refused while an engine
works with either of them. The state folder keeps logs and worktrees, and is used with the new store as it was with the old.`,
    '0 copied and equal, 2 refused.',
    'espalier store copy ../shop.espalier/state.db postgres://db.example.com/espalier?schema=shop',
    'espalier store copy postgres://db.example.com/espalier?schema=shop ../shop.espalier/state.db',
  ),
} as const
