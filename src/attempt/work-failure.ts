// What is wrong with an agent's work, before any command has checked it.
import type { AgentResult } from '../agents/agent.ts'
import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import { touchedBy } from '../scheduler/claims/undeclared.ts'
import type { Note, PathList } from '../status.ts'
import type { Claims } from '../task.ts'
import { cut } from '../text/cut.ts'
import type { AttemptContext } from './context.ts'
import { protectedFailure } from './protected-paths.ts'

export function workFailure(context: AttemptContext, said: AgentResult, snapshot: Snapshot): Failure | null {
  const { task } = context.order
  return (
    said.failure ??
    (snapshot.commit === null ? said.denied : null) ??
    (snapshot.ok ? null : snapshot.failure) ??
    protectedFailure(task, snapshot.paths) ??
    claimsViolated(context, snapshot) ??
    completionFailure(task.completion ?? null, said.final ?? said.summary)
  )
}

function claimsViolated({ order, claims }: AttemptContext, { paths }: Snapshot): Failure | null {
  if (order.settings.claims !== 'enforce') return null
  const { undeclared } = touchedBy(claims, paths)
  return undeclared ? claimsFailure(claims, undeclared) : null
}

/** `said`: the agent's last message. */
export function completionFailure(completion: string | null, said: string | null): Failure | null {
  if (completion === null || said?.includes(completion)) return null
  return { reason: 'incomplete', message: `its agent ended without having said \`${completion}\`` }
}

// An attempt that changed more than its task had claimed fails where the run does not allow that.

/** For the person, who may widen the claims, and for the agent of the next attempt, who may not. */
export function claimsFailure({ write }: Claims, { paths, count }: PathList): Failure {
  const may = write.length === 0 ? 'it has claimed nothing for writing' : `it has claimed ${named(write)}`
  const did = count === 1 ? 'it changed a path outside its claims' : `it changed ${count} paths outside its claims`
  const message = `${did}: ${named(paths)}, and ${may}. What belongs to the task is to be added to its \`claims\` in the plan; everything else has to stay as it was`
  return { reason: 'claims-violated', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

function named(paths: readonly string[]): string {
  const more = paths.length - SHOWN
  return more > 0 ? `${paths.slice(0, SHOWN).join(', ')} and ${more} more` : paths.join(', ')
}

const SHOWN = 5

// What follows, at the end of an agent, from what it told the task manager about its task.

/** The agent's last word counts: one that was blocked and continued is not blocked any more. */
export function blockedFailure(notes: readonly Note[]): Failure | null {
  const last = notes.findLast(({ kind }) => kind === 'progress' || kind === 'done' || kind === 'blocked')
  if (last?.kind !== 'blocked') return null
  const details = last.details === undefined ? '' : `\n${last.details}`
  const message = cut(`its agent said that it cannot go on: ${last.text}${details}`, LIMITS.messageChars)
  return { reason: 'agent-blocked', message }
}

/** What the agent said it did; null: nothing. */
export function doneText(notes: readonly Note[]): string | null {
  return notes.findLast(({ kind }) => kind === 'done')?.text ?? null
}

// A task whose plan names paths outside of the repository fails: a worktree holds none of them, and whatever was done to
// them would be done to the machine.

export function outsideFailure(paths: readonly string[]): Failure {
  const [first = '', ...more] = paths
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const message =
    `its plan names ${first}${others}, which is outside of the repository: ` +
    'paths are relative to the top of the repository and stay inside it'
  return { reason: 'outside-repository', message, paths: paths.slice(0, LIMITS.failurePaths) }
}
