// Number of slots for `-j auto`, from the waiting tasks and the free resources of the machine. Pure: measurements come in, and
// `slots.changed` records the result, so a replay needs no machine. Fewer slots end nothing that runs: the next task starts
// when enough have ended.

/** Shares from 0 to 1. */
export type MachineFacts = { cpus: number; busy: number; load: number; freeMemory: number; freeDiskBytes: number }

/** Changes the number by one at a time, or by more if memory or disk is scarce; null: no change. */
export function autoSlots(
  { slots, running, ready, most }: { slots: number; running: number; ready: number; most: number },
  machine: MachineFacts,
): { slots: number; why: string } | null {
  const { cpus, busy, load, freeMemory, freeDiskBytes } = machine
  const fewer = (to: number, why: string) => (to < slots ? { slots: to, why } : null)
  if (freeDiskBytes < SCARCE.diskBytes) return fewer(1, `${Math.floor(freeDiskBytes / 2 ** 20)} MB of disk are left`)
  if (freeMemory < SCARCE.memory) return fewer(Math.max(1, slots >> 1), `${percent(freeMemory)} of memory is left`)
  if (load > cpus * CROWDED.load && busy > CROWDED.busy)
    return fewer(Math.max(1, slots - 1), `the processors are busy, with a load of ${load.toFixed(1)}`)
  if (ready === 0) return fewer(Math.max(1, running), 'nothing waits')
  const hasRoom = busy < ROOM.busy && freeMemory > ROOM.memory && freeDiskBytes > ROOM.diskBytes
  if (running < slots || slots >= most || !hasRoom) return null
  return { slots: slots + 1, why: `${ready} wait, and the processors are ${percent(busy)} busy` }
}

const SCARCE = { memory: 0.05, diskBytes: 512 << 20 }
const CROWDED = { load: 1.5, busy: 0.95 }
const ROOM = { busy: 0.85, memory: 0.15, diskBytes: 2 * 2 ** 30 }

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
