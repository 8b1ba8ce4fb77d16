// Attempts under way that were started in another PID namespace: whether they still run cannot be known here, and a
// second agent must not work beside the first (I2).
import { join } from 'node:path'
import type { Event } from '../../event.ts'
import { isOutOfSight } from '../../process/supervise/supervise.ts'
import { shellWord } from '../../text/shell-word.ts'
import { attemptFolder, newestIteration, type StateFolder } from '../../workspace/state-folder.ts'

/** What to do about them; null: there are none. */
export function outOfSight(folder: StateFolder, run: string, events: readonly Event[]): string | null {
  const underWay = new Map<string, number>()
  for (const event of events)
    if (event.type === 'attempt.started') underWay.set(event.task, event.attempt)
    else if (event.type === 'attempt.finished') underWay.delete(event.task)
  const hidden = [...underWay].flatMap(([task, attempt]) => {
    const { work } = newestIteration(attemptFolder(folder, run, task, attempt))
    return isOutOfSight(work) ? [{ task, file: join(work, 'supervisor') }] : []
  })
  if (hidden.length === 0) return null
  const tasks = hidden.map(({ task }) => task).join(', ')
  const files = hidden.map(({ file }) => shellWord(file)).join(' ')
  return `${tasks} of run ${run} may still be at work in another PID namespace (a container, or \`unshare\`), which cannot be seen from here: resume it there. If that is gone, \`rm ${files}\` says so, and they start again`
}
