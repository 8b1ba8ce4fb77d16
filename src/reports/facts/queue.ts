// The landing queue by the journal: its batches, verifications with their results, and the tasks it sent back.
import type { Event, EventOf } from '../../event.ts'
import type { Failure } from '../../failure.ts'

export type QueueFacts = {
  /** In order. What was merged on top of a batch during its verification belongs to it. */
  batches: BatchFacts[]
  /** Work that failed verification on the branch. `again`: it was done again. */
  culprits: { tasks: string[]; at: number; failure: Failure; again: boolean }[]
  verifications: number
  /** Of them: the tree was known to pass, it was halted, or it failed and then the same commit passed. */
  cached: number
  halted: number
  flakes: number
  verifyMs: number
}

export type BatchFacts = {
  at: number
  tasks: string[]
  verifications: VerificationFacts[]
  landed: string[]
  sentBack: string[]
}

export type VerificationFacts = {
  verification: number
  at: number
  commit: string
  /** How many tasks of the batch were in it, counted from the first that had not landed. */
  tasks: number
  /** Null: it was halted, or has not ended. */
  passed: boolean | null
  cached: boolean
  flake: boolean
  durationMs: number | null
  failure: Failure | null
}

type Open = BatchFacts & { commits: Set<string>; top: string }

/** Null where nothing was verified. */
export function queueFacts(events: readonly Event[]): QueueFacts | null {
  const batches: Open[] = []
  const facts: QueueFacts = { batches, culprits: [], verifications: 0, cached: 0, halted: 0, flakes: 0, verifyMs: 0 }
  const byNumber = new Map<number, VerificationFacts>()
  for (const event of events) {
    const batch = batches.at(-1)
    if (event.type === 'landing.built') build(batches, event)
    else if (event.type === 'landing.verifying') {
      const started = begun(event)
      byNumber.set(event.verification, started)
      batch?.verifications.push(started)
      facts.verifications++
    } else if (event.type === 'landing.verified') end(facts, byNumber, event)
    else if (event.type === 'landing.landed' && batch?.commits.has(event.commit)) batch.landed.push(...event.tasks)
    else if (event.type === 'landing.refused' && event.failure.reason === 'landing-failed') {
      const { tasks, at, failure } = event
      facts.culprits.push({ tasks, at, failure, again: false })
      batch?.sentBack.push(...tasks)
    } else if (event.type === 'attempt.started')
      for (const culprit of facts.culprits) if (culprit.tasks.includes(event.task)) culprit.again = true
  }
  if (facts.verifications === 0) return null
  return { ...facts, batches: batches.map(({ commits: _, top: __, ...batch }) => batch) }
}

function build(batches: Open[], { items, onto, at }: EventOf<'landing.built'>): void {
  const top = items.at(-1)?.commit
  if (top === undefined) return
  const batch = batches.at(-1)
  const tasks = items.flatMap((item) => item.tasks)
  const commits = items.map((item) => item.commit)
  if (batch?.top !== onto || batch.landed.length === batch.tasks.length)
    batches.push({ at, tasks, verifications: [], landed: [], sentBack: [], commits: new Set(commits), top })
  else {
    batch.tasks.push(...tasks)
    for (const commit of commits) batch.commits.add(commit)
    batch.top = top
  }
}

function begun({ verification, at, commit, tasks }: EventOf<'landing.verifying'>): VerificationFacts {
  const open = { passed: null, cached: false, flake: false, durationMs: null, failure: null }
  return { verification, at, commit, tasks: tasks.length, ...open }
}

function end(facts: QueueFacts, byNumber: Map<number, VerificationFacts>, event: EventOf<'landing.verified'>): void {
  const found = byNumber.get(event.verification)
  if (!found) return
  if (!event.verdict) {
    facts.halted++
    return
  }
  const { passed, cached, durationMs, failure } = event.verdict
  Object.assign(found, { passed, cached, durationMs, failure })
  facts.verifyMs += durationMs
  if (cached) facts.cached++
  if (!passed) return
  for (const earlier of byNumber.values()) {
    if (earlier.commit !== found.commit || earlier.passed !== false || earlier.flake) continue
    earlier.flake = true
    facts.flakes++
  }
}
