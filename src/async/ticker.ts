// One timer for all that wait for a change on disk, running only while somebody waits.

/** A waiting loop. `wake` ends its pause early; null while it does not pause. */
export type Sleeper = { wake: (() => void) | null }

const TICK_MS = 100

export function pause(sleeper: Sleeper): Promise<void> {
  return new Promise((resolve) => {
    sleeper.wake = () => {
      sleepers.delete(sleeper)
      sleeper.wake = null
      if (sleepers.size === 0) stopTimer()
      resolve()
    }
    sleepers.add(sleeper)
    timer ??= setTimeout(tick, TICK_MS)
  })
}

const sleepers = new Set<Sleeper>()
let timer: NodeJS.Timeout | null = null

function tick(): void {
  timer = null
  for (const sleeper of [...sleepers]) sleeper.wake?.()
}

/** So that a process with nothing else to do can end. */
function stopTimer(): void {
  if (timer) clearTimeout(timer)
  timer = null
}
