// Waiting for the lead: a second coordinator that takes over when the first is gone, on the same machine or on another.
import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '../config.ts'
import { ok, type Result } from '../problem.ts'
import { lockHolder } from '../process/lock.ts'
import type { Workspace } from './workspace.ts'

type LeadHolder = { pid: number; host: string | null }

/** The current leader; null: none. */
export async function isLed(workspace: Workspace): Promise<Result<LeadHolder | null>> {
  const here = lockHolder(workspace.folder.lock)
  if (here) return ok({ pid: here.pid, host: null })
  return workspace.readViews<LeadHolder | null>(null, (views) => views.leading())
}

/**
 * Resolves when nobody leads, or the signal comes. A leader that was cut off for a moment, by a server that was restarted for
 * example, is given the time to come back first.
 */
export async function awaitLead(
  workspace: Workspace,
  { signal, tell }: { signal?: AbortSignal | undefined; tell: (holder: LeadHolder) => void },
): Promise<void> {
  let freeSince: number | null = null
  let told: LeadHolder | null = null
  for (let isFirst = true; !signal?.aborted; isFirst = false) {
    const led = await isLed(workspace)
    const now = performance.now()
    if (!led.ok) freeSince = null
    else if (led.value === null) {
      freeSince ??= now
      if (isFirst || now - freeSince >= LIMITS.standbyGraceMs) return
    } else {
      freeSince = null
      // Other commands here find the store from now on: it was named once.
      if (told === null) await workspace.write(async () => ok(undefined))
      const isNew = led.value.pid !== told?.pid || led.value.host !== told.host
      told = led.value
      if (isNew) tell(told)
    }
    await wait(LIMITS.standbyPollMs, null, { signal }).catch(() => {})
  }
}
