// Run by probe.ts in a process of its own, so that its peak memory is that of one plan.
// Usage: plan-probe.ts decide|dispatch PLAN [REPOSITORY]; prints one JSON object.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { DEFAULT_SETTINGS, type Plan, readPlan, type Settings } from '../src/index.ts'
import { apply } from '../src/scheduler/apply/apply.ts'
import { decide } from '../src/scheduler/decide.ts'
import { emptyState } from '../src/scheduler/state.ts'
import { open } from './espalier-run.ts'
import { newLimits, virtualStart } from './virtual-run.ts'

export type Step = 'decide' | 'dispatch'
export type Probed = { readMs: number; stateMs: number; totalMs: number; peakMb: number }

if (import.meta.main) {
  const [, , step, file, repo] = process.argv
  if (file === undefined) throw new Error('which plan?')
  const start = performance.now()
  const read = readPlan(readFileSync(file, 'utf8'), basename(file), DEFAULT_SETTINGS)
  if (!read.ok) throw new Error(read.problems[0]?.message)
  const { plan, settings } = read.value
  const readMs = performance.now() - start
  if (step === 'dispatch') await firstAttempt(plan, repo ?? '')
  else firstDecision(plan, settings.schedule ?? 'eager')
  const totalMs = performance.now() - start
  const peakMb = process.resourceUsage().maxRSS / 1024
  process.stdout.write(`${JSON.stringify({ readMs, stateMs: totalMs - readMs, totalMs, peakMb })}\n`)
  process.exit(0)
}

function firstDecision(plan: Plan, schedule: Settings['schedule']): void {
  const limits = newLimits(4, { schedule })
  const state = apply(emptyState(plan, limits), { ...virtualStart(limits), seq: 1, at: 0 })
  if (decide(state, 0)?.type !== 'attempt.started') throw new Error('nothing to start')
}

/** Until the event is in the journal and out to whoever watches. */
async function firstAttempt(plan: Plan, repo: string): Promise<void> {
  // A state folder for each: a run that was let go keeps others from its worktrees until it is resumed.
  const run = await open(repo, plan, { maxConcurrency: 2, stateDir: `${repo}.state-${process.pid}` })
  const started = Promise.withResolvers<void>()
  void (async () => {
    for await (const event of run.events()) if (event.type === 'attempt.started') started.resolve()
  })()
  const ended = run.execute()
  await started.promise
  run.abandon()
  await ended
}
