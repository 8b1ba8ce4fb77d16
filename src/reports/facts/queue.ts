// The landing queue by the history of a run: its batches, verifications with their results, and the tasks it sent back.
import type { Batch, Culprit, PastVerification, RunHistory } from '../../facts/run-history.ts'

export type QueueFacts = {
  /** In order. */
  batches: BatchFacts[]
  culprits: Culprit[]
  verifications: number
  /** Of them: the tree was known to pass, it was halted, or it failed and then the same commit passed. */
  cached: number
  halted: number
  flakes: number
  verifyMs: number
}

export type BatchFacts = Omit<Batch, 'verifications'> & { verifications: VerificationFacts[] }

/** `tasks`: how many of the batch were in it, counted from the first that had not landed. */
export type VerificationFacts = Omit<PastVerification, 'tasks' | 'slot' | 'startedAt' | 'finishedAt'> & {
  at: number
  tasks: number
}

/** Null where nothing was verified. */
export function queueFacts({ verifications, batches, culprits }: RunHistory): QueueFacts | null {
  const all = [...verifications.values()]
  if (all.length === 0) return null
  return {
    batches: batches.map(({ commits: _, top: __, ...batch }) => {
      return { ...batch, verifications: batch.verifications.map(verificationFacts) }
    }),
    culprits,
    verifications: all.length,
    cached: all.filter(({ cached }) => cached).length,
    halted: all.filter(({ finishedAt, passed }) => finishedAt !== null && passed === null).length,
    flakes: all.filter(({ flake }) => flake).length,
    verifyMs: all.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
  }
}

function verificationFacts(one: PastVerification): VerificationFacts {
  const { verification, startedAt: at, commit, tasks, passed, cached, flake, durationMs, failure } = one
  return { verification, at, commit, tasks: tasks.length, passed, cached, flake, durationMs, failure }
}
