// `espalier store`: where runs are recorded.
import { isAbsolute, resolve } from 'node:path'
import { migrateStore } from '../../store/open.ts'
import { storeName } from '../../store/place.ts'
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
} as const
