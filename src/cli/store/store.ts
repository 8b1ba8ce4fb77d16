// `espalier store`: where runs are recorded.

import { isAbsolute, resolve } from 'node:path'
import { migrateStore } from '../../store/open.ts'
import { storeName } from '../../store/place.ts'
import { help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import type { Surroundings } from '../surroundings.ts'

export const commands = {
  migrate: inWorkspace(
    { json: ONE_OBJECT },
    help(
      `A run prepares its store by itself. This is for those who let a role with more rights do it, before a new version is used.
A password in a URL can be seen by others on the machine: PGPASSWORD, ~/.pgpass or the setting store: keep it away.`,
      '0 ready, 2 it cannot be used.',
      'espalier store migrate',
      'espalier store migrate postgres://db.example.com/espalier?schema=shop',
    ),
    async (here, _, url: string | undefined) => {
      const store = url === undefined ? here.workspace.folder.database : placeOf(url, here)
      const applied = await migrateStore(store)
      if (!applied.ok) return applied
      const [name, steps] = [storeName(store), applied.value]
      return { json: { store: name, applied: steps }, lines: [`${name} ${steps === 0 ? 'is up to date' : 'is ready'}`] }
    },
    { args: ['an SQLite file or postgres://…; default: the one of this repository'] },
  ),
}

/** Resolves a path from the working directory; an address stays as it is. */
function placeOf(url: string, { cwd }: Surroundings): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(url) && !isAbsolute(url)) return url
  return resolve(cwd, url)
}
