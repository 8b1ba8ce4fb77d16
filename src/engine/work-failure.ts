// What is wrong with an agent's work, before any command has checked it.
import type { AgentResult } from '../agents/agent.ts'
import { completionFailure } from '../agents/follow-up.ts'
import type { Failure } from '../failure.ts'
import type { Snapshot } from '../git/snapshot.ts'
import { touchedBy } from '../scheduler/undeclared.ts'
import type { AttemptSpec } from './attempt-spec.ts'
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

function claimsViolated({ task, settings }: AttemptSpec, { paths }: Snapshot): Failure | null {
  if (settings.claims !== 'enforce') return null
  const { undeclared } = touchedBy(task.claims, paths)
  return undeclared ? claimsFailure(task.claims, undeclared) : null
}
