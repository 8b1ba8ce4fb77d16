// What is wrong with an agent's work, before any command has checked it.
import type { AgentResult } from '../agents/agent.ts'
import type { Failure } from '../failure.ts'
import type { Snapshot } from '../git/snapshot.ts'
import { touchedBy } from '../scheduler/undeclared.ts'
import { type AttemptSpec, claimsOf } from './attempt-spec.ts'
import { claimsFailure } from './claims-failure.ts'
import { protectedFailure } from './protected-paths.ts'

export function workFailure(spec: AttemptSpec, said: AgentResult, snapshot: Snapshot): Failure | null {
  return (
    said.failure ??
    (snapshot.commit === null ? said.denied : null) ??
    (snapshot.ok ? null : snapshot.failure) ??
    protectedFailure(spec.task, snapshot.paths) ??
    claimsViolated(spec, snapshot) ??
    completionFailure(spec.task.completion ?? null, said.final ?? said.summary)
  )
}

function claimsViolated(spec: AttemptSpec, { paths }: Snapshot): Failure | null {
  if (spec.settings.claims !== 'enforce') return null
  const claims = claimsOf(spec)
  const { undeclared } = touchedBy(claims, paths)
  return undeclared ? claimsFailure(claims, undeclared) : null
}

/** `said`: its last message. */
export function completionFailure(completion: string | null, said: string | null): Failure | null {
  if (completion === null || said?.includes(completion)) return null
  return { reason: 'incomplete', message: `its agent ended without having said \`${completion}\`` }
}
