// The names of what stands beside a file of the user's while it is changed: they say whose it is, and a process that was
// killed in the middle leaves something behind that the next one knows and clears away.
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** `plan.json.espalier-0123456789ab.tmp`. Another one each time: whoever lost the lock must not meet the next holder's. */
export function scratchName(path: string): string {
  return `${path}.espalier-${randomBytes(6).toString('hex')}.tmp`
}

/** For whoever has the lock of the file: nobody else is in the middle of something then. */
export async function clearScratch(file: string): Promise<void> {
  const folder = dirname(file)
  const mine = [basename(file), `${basename(file)}.lock`]
  const names = await readdir(folder).catch(() => []) // whoever may write there need not be allowed to list it
  const found = names.filter((name) => mine.includes(name.replace(SCRATCH, '')) && SCRATCH.test(name))
  for (const name of found) await rm(join(folder, name), { recursive: true, force: true })
}

const SCRATCH = /\.espalier-[0-9a-f]{12}\.tmp$/
