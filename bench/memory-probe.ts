// Run by memory.ts in a process of its own: an engine with so many sleeping attempts.
// Usage: memory-probe.ts REPOSITORY COUNT; prints one JSON object.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SUPERVISOR_NAME } from '../src/process/supervise/supervisor-script.ts'
import { commandPlan, open } from './espalier-run.ts'

export type Weighed = { engineKb: number; heapKb: number; supervisorsKb: number }

if (import.meta.main) {
  const [, , repo = '', number = '0'] = process.argv
  const count = Number(number)
  // One short task more: an engine that has done something has its code loaded.
  const plan = commandPlan(['true', ...Array<string>(count).fill('touch awake && exec sleep 600')])
  const run = await open(repo, plan, { maxConcurrency: count + 1 })
  const state = `${repo}.espalier`
  const first = Promise.withResolvers<void>()
  void (async () => {
    for await (const event of run.events()) if (event.type === 'attempt.finished') first.resolve()
  })()
  const ended = run.execute()
  await first.promise
  while (awake(state, count) < count) await new Promise((resolve) => setTimeout(resolve, 50))
  globalThis.gc?.()
  await new Promise((resolve) => setTimeout(resolve, 500))
  globalThis.gc?.()
  const { heapUsed } = process.memoryUsage()
  const engineKb = process.memoryUsage.rss() / 1024
  const supervisorsKb = supervisors(state).reduce((sum, pid) => sum + pss(pid), 0)
  process.stdout.write(`${JSON.stringify({ engineKb, heapKb: heapUsed / 1024, supervisorsKb })}\n`)
  run.cancel()
  await ended
  await run[Symbol.asyncDispose]()
}

function awake(state: string, count: number): number {
  const slots = Array.from({ length: count + 1 }, (_, n) => `${state}/slots/${n + 1}/awake`)
  return slots.filter((file) => existsSync(file)).length
}

/** The shells and the log writers of this state folder's supervisors, not what they run. */
function supervisors(state: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const args = read(`/proc/${pid}/cmdline`).split('\0')
      if (!args.some((arg) => arg.startsWith(`${state}/`))) return false
      return args.includes(SUPERVISOR_NAME) || args[0]?.endsWith('split')
    })
    .map(Number)
}

/** Shared pages count by their share. */
function pss(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // ended meanwhile
  }
}
