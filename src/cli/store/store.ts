// `espalier store`: where runs are recorded, and moving them.
import { isAbsolute, resolve } from 'node:path'
import { copyStore, migrateStore, storeName } from '../../internal.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { json?: boolean }

/** Prepares the store of this repository, or the one that is named. */
export async function storeMigrate(
  url: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const store =
    url === undefined ? await storeHere(flags, surroundings) : { ok: true as const, value: placeOf(url, surroundings) }
  if (!store.ok) return refuseWith(store.problems, surroundings)
  const applied = await migrateStore(store.value)
  if (!applied.ok) return refuseWith(applied.problems, surroundings)
  const name = storeName(store.value)
  if (flags.json) return printJson({ store: name, applied: applied.value }, surroundings)
  const what = applied.value === 0 ? 'is up to date' : 'is ready'
  printLines([`${name} ${what}`], surroundings)
  return EXIT.done
}

export async function storeCopy(
  from: string,
  to: string,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const copied = await copyStore(placeOf(from, surroundings), placeOf(to, surroundings))
  if (!copied.ok) return refuseWith(copied.problems, surroundings)
  if (flags.json) return printJson(copied.value, surroundings)
  const { runs, rows } = copied.value
  printLines([`Copied ${runs === 1 ? '1 run' : `${runs} runs`} (${rows} rows), and both are equal`], surroundings)
  return EXIT.done
}

async function storeHere(flags: Flags, surroundings: Surroundings) {
  const found = await findWorkspace(surroundings, flags)
  return found.ok ? { ok: true as const, value: found.value.workspace.folder.database } : found
}

/** A path is meant from the working directory; a folder is a state folder. */
function placeOf(url: string, { cwd }: Surroundings): string {
  if (/^[a-z][a-z0-9+.-]+:/i.test(url) && !isAbsolute(url)) return url
  return resolve(cwd, url)
}
