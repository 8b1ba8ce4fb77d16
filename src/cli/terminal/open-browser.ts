// Opens an address in the browser of whoever sits at this machine. Nothing depends on it: the address is printed, too.
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * By a page that only this user can read: the words of a command, and with them the code of a login link, can be read by
 * everybody on the machine.
 */
export async function openBrowser(url: string, home: string, env: Record<string, string | undefined>): Promise<void> {
  const page = join(home, 'server', 'open.html')
  await mkdir(join(home, 'server'), { recursive: true })
  await writeFile(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Espalier</title>\n`, {
    mode: 0o600,
  })
  const command = env.BROWSER || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = spawn(command, [pathToFileURL(page).href], { stdio: 'ignore', detached: true, env })
  child.on('error', () => {}) // a machine without one
  child.unref()
}
