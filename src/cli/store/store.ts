// `espalier store`: where runs are recorded, and moving them.

import { isAbsolute, resolve } from 'node:path'
import { copyStore } from '../../store/copy.ts'
import { migrateStore, storeName } from '../../store/open.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { json?: boolean }

/** Prepares the store of this repository, or the one that is named. */
export async function storeMigrate(url: string | undefined, flags: Flags, surroundings: Surroundings): Promise<Done> {
  const found = url === undefined ? await findWorkspace(surroundings, flags) : null
  if (found && !found.ok) return found
  const store = found ? found.value.workspace.folder.database : placeOf(url ?? '', surroundings)
  const applied = await migrateStore(store)
  if (!applied.ok) return applied
  if (flags.json) return printJson({ store: storeName(store), applied: applied.value }, surroundings)
  return printLines([`${storeName(store)} ${applied.value === 0 ? 'is up to date' : 'is ready'}`], surroundings)
}

export async function storeCopy(from: string, to: string, flags: Flags, surroundings: Surroundings): Promise<Done> {
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
