// Looks at the machine now and then, for runs with `autoConcurrency`. The consequences are decided in
// scheduler/dispatch/auto-slots.ts.

import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os'
import { LIMITS } from '../../config.ts'
import { autoSlots, type MachineFacts } from '../../scheduler/dispatch/auto-slots.ts'
import type { RunContext } from './run-context.ts'

/** Null: a fixed number of slots, or only workers execute. */
export function watchMachine(
  { settings, state, machine: { folder } }: RunContext,
  changed: (slots: { slots: number; why: string }) => void,
): Disposable | null {
  if (!settings.autoConcurrency || settings.workersOnly) return null
  let before = times()
  const look = async () => {
    const now = times()
    const machine = await factsOf(folder.root, before, now)
    before = now
    const { running, ready } = state.counts
    const queue = { slots: state.limits.slots, running, ready, most: settings.maxConcurrency }
    const change = machine && autoSlots(queue, machine)
    if (change) changed(change)
  }
  const timer = setInterval(() => void look(), LIMITS.machineLookMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

type Times = { idle: number; all: number }

function times(): Times {
  const each = cpus().map((cpu) => cpu.times)
  const sum = (times: number[]) => times.reduce((total, time) => total + time, 0)
  return { idle: sum(each.map((one) => one.idle)), all: sum(each.flatMap((one) => Object.values(one))) }
}

/** `folder`: on the disk that counts. Null: the disk does not answer, and nothing is changed. */
async function factsOf(folder: string, before: Times, now: Times): Promise<MachineFacts | null> {
  const disk = await statfs(folder).catch(() => null)
  if (!disk) return null
  const passed = now.all - before.all
  const busy = passed > 0 ? 1 - (now.idle - before.idle) / passed : 0
  return {
    cpus: availableParallelism(),
    busy: Math.min(1, Math.max(0, busy)),
    load: loadavg()[0] ?? 0,
    freeMemory: freeBytes() / totalmem(),
    freeDiskBytes: disk.bavail * disk.bsize,
  }
}

/** Cached memory can be reclaimed: Linux says how much. */
function freeBytes(): number {
  try {
    const [, kb] = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
    return kb === undefined ? freemem() : Number(kb) * 1024
  } catch {
    return freemem()
  }
}
