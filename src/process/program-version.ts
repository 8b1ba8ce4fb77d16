import { spawn } from 'node:child_process'

/** The first line a program prints for `--version`; null if it says nothing, cannot be started or takes too long. */
export async function programVersion(
  program: string,
  env: Readonly<Record<string, string>>,
  limitMs = LIMIT_MS,
): Promise<string | null> {
  // A group of its own: what it started itself is ended with it, and does not hold its output open.
  const child = spawn(program, ['--version'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env })
  let text = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (piece: string) => {
    if (text.length < MAX_CHARS) text += piece
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.on('error', () => resolve(false))
  child.on('close', (code) => resolve(code === 0))
  const timer = setTimeout(() => {
    endGroup(child.pid)
    child.stdout.destroy()
    resolve(false)
  }, limitMs)
  const told = await promise
  clearTimeout(timer)
  return told ? text.split('\n')[0]?.trim().slice(0, MAX_CHARS) || null : null
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

const LIMIT_MS = 5_000
const MAX_CHARS = 100
