// Opens an address in the browser of whoever sits at this machine. Nothing depends on it: the address is printed, too.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Surroundings } from '../surroundings.ts'
import { openFile } from './open-file.ts'

/**
 * By a page that only this user can read: the words of a command, and with them the code of a login link, can be read by
 * everybody on the machine.
 */
export async function openBrowser(url: string, home: string, surroundings: Surroundings): Promise<void> {
  const page = join(home, 'server', 'open.html')
  await mkdir(join(home, 'server'), { recursive: true })
  const text = `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Espalier</title>\n`
  await writeFile(page, text, { mode: 0o600 })
  openFile(page, surroundings)
}
