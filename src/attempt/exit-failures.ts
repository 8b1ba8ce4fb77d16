// Failures that follow from the exit of a process or from a stop, and how exits are told.
import type { ProcessEnd } from '../agents/agent.ts'
import { LIMITS } from '../config.ts'
import type { Failure, StopReason } from '../event.ts'
import type { Ending, Exit } from '../process/supervise/exit.ts'
import { cut } from '../text/cut.ts'
import { formatDuration } from '../text/duration.ts'

/**
 * The failure that follows from the exit alone; null: the agent's reader decides. `isWaiting`: the engine ended the
 * program because it waited for its provider. A supervisor that could not note that end, on a busy machine, is no
 * crash.
 */
export function exitFailure(exit: Exit, isWaiting = false): Failure | null {
  switch (exit.kind) {
    case 'lost':
      if (isWaiting) return null
      return { reason: 'supervisor-lost', message: 'its supervisor is gone and left no exit status' }
    case 'no-cwd':
      return { reason: 'worktree-broken', message: 'its worktree vanished before it could start' }
    case 'spawn-failed':
      return { reason: 'spawn-failed', message: exit.message }
    default:
      return null
  }
}

/** The failure of an attempt that is stopped. `budget`: the budget that is used up, in words. */
export function stopped(reason: StopReason, { timeoutMs = 0, silentMs = 0, budget = '' } = {}): Failure {
  switch (reason) {
    case 'timeout': {
      const advice = 'give it more with `--timeout`, or with `timeout:` where the plan has it'
      return { reason, message: `it ran longer than its timeout, ${formatDuration(timeoutMs)}; ${advice}` }
    }
    case 'stalled': {
      const advice = 'if that is normal for it, give it more with `stallAfter:`, or let it be with `onStall: report`'
      return { reason, message: `its agent printed nothing for ${formatDuration(silentMs)}; ${advice}` }
    }
    case 'cancelled':
      return { reason, message: 'cancelled on request' }
    case 'interrupted':
      return { reason, message: '`espalier resume` starts it again' }
    case 'strict-stop':
      return { reason, message: 'another task failed and the run is strict' }
    case 'budget':
      return { reason, message: budget || 'a budget that it counts for was used up' }
    default:
      return reason satisfies never
  }
}

/**
 * Whether the agent ended because an interrupted engine asked it to: it had ended within the grace period when the next
 * engine found it, whatever its status says. An agent that still ran then continued by itself.
 */
export function endedOnRequest(
  { endedAt }: Exit,
  asked: { askedAt: number | null; byOthers: number | null; foundAt: number; graceMs: number },
): Failure | null {
  const { askedAt, byOthers, foundAt, graceMs } = asked
  const byEngine = askedAt !== null && endedAt >= askedAt && endedAt <= askedAt + graceMs + SLACK_MS
  const isAsked = byEngine || (byOthers !== null && endedAt >= byOthers)
  return isAsked && endedAt < foundAt ? stopped('interrupted') : null
}

/** A busy machine is slow. */
const SLACK_MS = 1_000

export function processEnd(exit: Ending): ProcessEnd {
  if (exit.kind === 'exited') return { code: exit.code, signal: null }
  return { code: null, signal: exit.kind === 'signalled' ? exit.signal : null }
}

/** `exited with status 1` */
export function describeExit(exit: Exit): string {
  if (exit.kind === 'exited') return `exited with status ${exit.code}`
  return exit.kind === 'signalled' ? `was ended by ${exit.signal}` : `could not be run (${exit.kind})`
}

export function leftoversText(count: number): string {
  return count === 1 ? 'ended a process it had left running' : `ended ${count} processes it had left running`
}

/** Trouble around a command that is not its failure, but that a person should know. */
export function notesOf({ survivors, outputLost }: Pick<Exit, 'survivors' | 'outputLost'>): string[] {
  const notes: string[] = []
  const which = `${survivors.length === 1 ? 'process' : 'processes'} ${survivors.join(', ')}`
  if (survivors.length > 0) notes.push(`${which} outlived SIGKILL and may still write to the worktree`)
  if (outputLost) notes.push('a part of its output could not be written, so the log is incomplete')
  return notes
}

/** Adds the notes to the failure or, if there is none, to the summary. */
export function withNotes(
  end: { failure: Failure | null; summary: string | null },
  notes: readonly string[],
): { failure: Failure | null; summary: string | null } {
  const failure = end.failure && trim(end.failure)
  if (notes.length === 0) return { failure, summary: end.summary }
  const said = `(${[...new Set(notes)].join('; ')})`
  if (failure) return { failure: { ...failure, message: noted(failure.message, said) }, summary: end.summary }
  return { failure, summary: end.summary ? `${end.summary} ${said}` : said }
}

/** Adds a note to the line that says what happened, not to the command's output. */
function noted(message: string, note: string): string {
  const end = message.indexOf('\n')
  return end < 0 ? `${message} ${note}` : `${message.slice(0, end).replace(/:$/, '')} ${note}:${message.slice(end)}`
}

function trim(failure: Failure): Failure {
  const message = cut(failure.message, LIMITS.messageChars)
  const paths = failure.paths?.slice(0, LIMITS.failurePaths)
  return { ...failure, message, ...(paths ? { paths } : {}) }
}
