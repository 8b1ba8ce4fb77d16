import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { until } from '../rig/until.ts'
import type { WriterProcess } from './contract.ts'

const WRITER = fileURLToPath(new URL('writer-process.ts', import.meta.url))

/** A process that appends to run `r` of a store, by its path or URL. */
export function startWriter(store: string): WriterProcess {
  const child = spawn(process.execPath, ['--no-warnings', WRITER, store], { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledged: number[] = []
  createInterface({ input: child.stdout }).on('line', (line) => acknowledged.push(Number(line)))
  return {
    acknowledged,
    saw: async (seq) => void (await until(`event ${seq}`, () => (acknowledged.at(-1) ?? 0) >= seq)),
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
