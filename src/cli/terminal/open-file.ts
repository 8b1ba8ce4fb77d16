// Opens a page with the person's own program for it. What goes wrong there is theirs to see.
import { spawn } from 'node:child_process'
import type { Surroundings } from '../surroundings.ts'

export function openFile(path: string, { env, err }: Pick<Surroundings, 'env' | 'err'>): void {
  const program = env.BROWSER || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = spawn(program, [path], { env, stdio: 'ignore', detached: true })
  child.on('error', (error) => err.write(`${program} could not be started: ${error.message}. Set $BROWSER\n`))
  child.unref()
}
