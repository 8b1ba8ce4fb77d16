// `espalier store`: where runs are recorded, and moving them.

import { isAbsolute, resolve } from 'node:path'
import { copyStore } from '../../store/copy.ts'
import { migrateStore, storeName } from '../../store/open.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, withArguments, withRepository } from '../command-line/flags.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands: Commands = {
  migrate: (migrate, { inWorkspace }) =>
    withRepository(withArguments(migrate, 'an SQLite file or postgres://…; default: the one of this repository'))
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP.migrate)
      .action(inWorkspace(storeMigrate)),
  copy: (copy, { call }) =>
    withArguments(copy, 'an SQLite file or postgres://…', 'another one, with nothing in it')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP.copy)
      .action(call(storeCopy)),
}

type Flags = RepositoryFlags & { json?: boolean }

/** Prepares the store of this repository, or the one that is named. */
async function storeMigrate(url: string | undefined, flags: Flags, surroundings: Surroundings): Promise<Done> {
  const found = url === undefined ? await findWorkspace(surroundings, flags) : null
  if (found && !found.ok) return found
  const store = found ? found.value.workspace.folder.database : placeOf(url ?? '', surroundings)
  const applied = await migrateStore(store)
  if (!applied.ok) return applied
  if (flags.json) return printJson({ store: storeName(store), applied: applied.value }, surroundings)
  return printLines([`${storeName(store)} ${applied.value === 0 ? 'is up to date' : 'is ready'}`], surroundings)
}

async function storeCopy(from: string, to: string, flags: Flags, surroundings: Surroundings): Promise<Done> {
  const copied = await copyStore(placeOf(from, surroundings), placeOf(to, surroundings))
  if (!copied.ok) return copied
  if (flags.json) return printJson(copied.value, surroundings)
  const { runs, rows } = copied.value
  return printLines(
    [`Copied ${runs === 1 ? '1 run' : `${runs} runs`} (${rows} rows), and both are equal`],
    surroundings,
  )
}

/** A path is meant from the working directory; a folder is a state folder. */
function placeOf(url: string, { cwd }: Surroundings): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(url) && !isAbsolute(url)) return url
  return resolve(cwd, url)
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
