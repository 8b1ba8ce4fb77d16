// A run in which every kind of event is written, and the person who makes it so: cancels a task, interrupts the run,
// resumes it with another plan, cancels it. Used by the engine that is to die and by the one that takes over.
import type { EventType } from '../../src/event.ts'
import { openRun, type Plan, type Run, type RunResult, resumeRun, type Settings } from '../../src/index.ts'
import { makePlan, makeSettings, type TaskDraft } from './plan.ts'

const BEFORE: TaskDraft[] = [
  { id: 'plain', run: 'echo plain > plain; echo plain >> "$RAN"', verify: ['true'] },
  // Both make the same file: one conflicts and is done again.
  { id: 'left', run: 'sleep 0.3; echo left > both', retries: 1 },
  { id: 'right', run: 'sleep 0.3; echo right > both', retries: 1 },
  { id: 'bad', run: 'exit 1', retries: 1 },
  { id: 'slow', run: 'sleep 60', timeoutMs: 700 },
  { id: 'quiet', run: 'sleep 0.8; echo said; echo quiet > quiet; echo quiet >> "$RAN"' },
  { id: 'unwanted', run: 'sleep 60' },
  { id: 'gate', run: '[ "$ESPALIER_ATTEMPT" -gt 1 ] || sleep 60; echo gate > gate', needs: ['plain'] },
]

export const SETTINGS: Settings = makeSettings({ maxConcurrency: 8, graceMs: 500, stallAfterMs: 300 })

export const EXPECTED = [
  'plain landed',
  'left landed',
  'right landed',
  'bad failed',
  'slow failed',
  'quiet landed',
  'unwanted cancelled',
  'gate landed',
  'late landed',
]

export function planBefore(ran: string): Plan {
  return makePlan(BEFORE.map((task) => ({ ...task, env: { RAN: ran } })))
}

export function planAfter(ran: string): Plan {
  const late = { id: 'late', run: 'echo late > late', needs: ['gate'] }
  return makePlan([...BEFORE, late].map((task) => ({ ...task, env: { RAN: ran } })))
}

/** A run that is cancelled as a whole has a plan of its own. */
export function planToCancel(): Plan {
  return makePlan([{ id: 'endless', run: 'sleep 60' }])
}

export async function begin(repo: string, ran: string, kind: EventType): Promise<void> {
  const plan = kind === 'run.cancelled' ? planToCancel() : planBefore(ran)
  const opened = await openRun({ repo, plan, settings: SETTINGS })
  if (!opened.ok) throw new Error(JSON.stringify(opened))
  await watch(opened.value)
  await goOn(repo, ran, kind)
}

/** Resumes it until it is over; null if there is nothing to resume. */
export async function goOn(repo: string, ran: string, kind: EventType): Promise<RunResult | null> {
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const replan = kind === 'run.cancelled' ? undefined : planAfter(ran)
    const resumed = await resumeRun({ repo, replan })
    if (!resumed.ok) return null
    const result = await watch(resumed.value)
    if (!result.interrupted) return result
  }
  throw new Error('the run does not come to an end')
}

const MAX_ROUNDS = 6

async function watch(opened: Run): Promise<RunResult> {
  await using run = opened
  const going = run.execute()
  for await (const event of run.events()) {
    if (event.type !== 'attempt.started' && event.type !== 'run.resumed') continue
    const running = new Map(run.status().tasks.map((task) => [task.id, task.status === 'running' ? task.attempts : 0]))
    if (running.get('endless')) run.cancel()
    if (running.get('unwanted')) run.cancel('unwanted')
    if (running.get('gate') === 1) run.interrupt()
  }
  return going
}
