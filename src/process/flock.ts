// A lock as flock(2) makes them, on a file that is there. Node has none, so a small program holds it for as long as
// this process lives or wants it. Not every system has that program: those who lock this way are not waited for there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** `missing`: there is no such program here, or a smaller one that cannot wait. */
export type Flock = { status: 'held'; lock: AsyncDisposable } | { status: 'busy' } | { status: 'missing' }

/** How it is to end where somebody else has the lock; any other end means that it did not understand. */
const BUSY = 75

/** Busy where somebody else still has it after `waitMs`. */
export async function holdFlock(path: string, waitMs: number): Promise<Flock> {
  const seconds = (Math.max(0, waitMs) / 1_000).toFixed(3)
  // It runs `cat` while it has the lock, and that ends with its input: also when this process is killed.
  const holder = spawn('flock', ['-x', '-w', seconds, '-E', String(BUSY), path, 'cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  holder.stdin.on('error', () => {}) // it did not get the lock
  const ended = once(holder, 'close').catch(() => {}) // it could not be started
  const outcome = await new Promise<Flock['status']>((resolve) => {
    holder.once('error', () => resolve('missing'))
    holder.once('exit', (code) => resolve(code === BUSY ? 'busy' : 'missing'))
    holder.stdout.once('data', () => resolve('held'))
    holder.stdin.write('.')
  })
  if (outcome !== 'held') return { status: outcome }
  return {
    status: 'held',
    lock: {
      [Symbol.asyncDispose]: async () => {
        holder.stdin.end()
        await ended
      },
    },
  }
}
