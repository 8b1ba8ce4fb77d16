// Opens a page with the person's own program for it. What goes wrong there is theirs to see.
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Surroundings } from '../surroundings.ts'

export function openFile(path: string, { env, err }: Pick<Surroundings, 'env' | 'err'>): void {
  const program = env.BROWSER || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = spawn(program, [path], { env, stdio: 'ignore', detached: true })
  child.on('error', (error) => err.write(`${program} could not be started: ${error.message}. Set $BROWSER\n`))
  child.unref()
}

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
