// Expected failures are values. The reason is the same string in the journal, the API and the reports.

export const FAILURE_REASONS = [
  'agent-failed', // the agent exited with a status other than 0, or said that it failed
  'command-failed', // the command of a `run:` task exited with a status other than 0, or was ended by a signal
  'agent-crashed', // it was ended by a signal nobody here sent
  'agent-looping', // it did the same again and again, or more than `maxTurns` or `maxToolCalls` let it
  'agent-blocked', // the agent said that it cannot go on, and why; it is not tried again
  'no-change', // it changed nothing, and nobody said that this may be right
  'incomplete', // it ended without having said what the plan has it say when it is done (`completion`)
  'spawn-failed', // it could not be started at all
  'verify-failed', // the task's own verify commands did not pass
  'gate-failed', // of a search: the candidate did not pass a gate; it is not tried again
  'score-failed', // of a search: the score command failed, or gave no number
  'tampered', // of a search: the score cannot be trusted; it is not tried again
  'setup-failed', // the setup commands of the worktree did not pass
  'refused', // the agent was not allowed to do what it wanted to do
  'rate-limited', // the provider is limited or overloaded
  'provider-unreachable', // no connection to the provider, or it is broken for the moment
  'login-failed', // the provider does not accept the agent's login or key
  'budget', // it used up the money it had
  'timeout',
  'stalled', // its agent printed nothing for too long, and the run is set to try again then
  'cancelled', // somebody asked for it
  'dropped', // it was dropped: it is gone from the plan, or another run has done it
  'interrupted', // the engine was asked to stop; the task goes back to the queue
  'supervisor-lost', // the attempt's supervisor is gone and left no exit status
  'worker-lost', // its worker was gone for too long, or was cut off; the task starts again elsewhere
  'resume-failed', // the agent could not continue its conversation; the next attempt begins a new one
  'worktree-broken', // the worktree vanished, git cannot keep what is in it, or the files of the attempt were spoilt
  'engine-failed', // the engine made a mistake
  'history-rewritten', // the agent's HEAD does not descend from the commit it was given
  'submodule-changed', // a landing moves a submodule only if the settings allow it, and never adds a nested repository
  'claims-violated', // it changed paths that its claims do not cover, and the run is set to refuse that
  'symlink-escapes', // a landing never adds a symbolic link that leads out of the repository
  'outside-repository', // its plan names paths outside of the repository: nothing was started
  'protected-path', // it changed a path that the plan says may not be changed
  'conflict', // the work does not merge with what has landed meanwhile
  'landing-failed', // with its work on the branch, the `landing.verify` commands did not pass
  'landing-refused', // the merged result would change paths the task never touched
  'need-failed', // something it needs did not land
  'epic-failed', // another task of the epic it lands with failed
  'strict-stop', // another task failed and the run is strict
] as const

export type FailureReason = (typeof FAILURE_REASONS)[number]
type Ended = { reason: FailureReason }

/**
 * Number of ends by each reason, none of them the task's fault, that are spared before they count against its retries.
 * A missing login does not return by itself, so it is spared few times. scheduler/apply/attempt.ts decides whether an
 * attempt counts; it spares every `interrupted`, and every `budget` that is not the task's own.
 */
export const SPARED_ATTEMPTS: Partial<Record<FailureReason, number>> = {
  'supervisor-lost': 20,
  'worker-lost': 50,
  'resume-failed': 3,
  'engine-failed': 10,
  'rate-limited': 50,
  'provider-unreachable': 20,
  'login-failed': 2,
}

/**
 * Ends that say nothing against the work done so far: the next attempt continues it, in the same conversation where the
 * agent can do that. Some of them count as a try all the same.
 */
export const INTERRUPTIONS: ReadonlySet<FailureReason> = new Set([
  'interrupted',
  'rate-limited',
  'provider-unreachable',
  'login-failed',
  'budget',
  'supervisor-lost',
  'worker-lost',
  'agent-crashed',
  'stalled',
  'resume-failed',
])

/** True if the output of the agent and its commands can explain the failure. It knows nothing of a failed merge. */
export function isToldInLog(failure: Ended | null): boolean {
  return failure?.reason !== 'conflict' && failure?.reason !== 'landing-refused'
}

/** A message is a line; where a command failed, the end of what it printed stands below that. */
export function messageParts(message: string): { said: string; output: string } {
  const text = message.trim()
  const end = text.indexOf('\n')
  if (end < 0) return { said: text, output: '' }
  return { said: text.slice(0, end).trimEnd().replace(/:$/, ''), output: text.slice(end + 1).replace(/^\s*\n/, '') }
}

/** A guess for rows of older versions, which did not keep whether an attempt counts as a try; now apply/attempt.ts decides. */
export function probablyCounted(failure: Ended | null): boolean {
  return !failure || !(failure.reason in SPARED_ATTEMPTS || PROBABLY_NO_TRY.has(failure.reason))
}

const PROBABLY_NO_TRY: ReadonlySet<FailureReason> = new Set(['interrupted', 'cancelled', 'strict-stop', 'budget'])
