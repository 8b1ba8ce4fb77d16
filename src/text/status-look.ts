// How a status looks, the same in the terminal, in reports, in the dashboard and in the documentation: a tone, and a sign or a
// word for those who do not see the colour.
import type { Outcome, TaskStatus } from '../status.ts'
import type { AttemptView } from '../view.ts'

export type Tone = 'good' | 'calm' | 'bad' | 'warn' | 'live' | 'mute'

export const STATUS_TONE: Record<TaskStatus, Tone> = {
  pending: 'mute',
  ready: 'mute',
  running: 'live',
  landing: 'live',
  conflict: 'warn',
  landed: 'good',
  passed: 'calm',
  failed: 'bad',
  blocked: 'warn',
  cancelled: 'mute',
}

/** One character each. */
export const STATUS_SIGN: Record<TaskStatus, string> = {
  pending: '·',
  ready: '○',
  running: '●',
  landing: '↑',
  conflict: '!',
  landed: '✓',
  passed: '✓',
  failed: '✗',
  blocked: '■',
  cancelled: '–',
}

/** Statuses that need attention come first. */
export const STATUS_ORDER: readonly TaskStatus[] = [
  'failed',
  'conflict',
  'blocked',
  'cancelled',
  'running',
  'landing',
  'ready',
  'pending',
  'passed',
  'landed',
]

export function attemptTone({ outcome, failure }: AttemptView): Tone {
  if (outcome === null) return 'live'
  const tone = OUTCOME_TONE[outcome]
  return failure && (tone === 'good' || tone === 'calm') ? 'warn' : tone
}

const OUTCOME_TONE: Record<Outcome, Tone> = {
  changed: 'good',
  'no-change': 'calm',
  refused: 'warn',
  'rate-limited': 'warn',
  budget: 'warn',
  failed: 'bad',
  timeout: 'bad',
  crashed: 'bad',
  cancelled: 'mute',
}

/** The agent, and which one it replaced. Empty for a shell command. */
export function attemptAgent({ agent, session, insteadOf }: AttemptView): string {
  const name = session?.agent ?? agent ?? ''
  return insteadOf ? `${name} instead of ${insteadOf.agent}` : name
}

export function attemptWord(attempt: AttemptView): string {
  if (attempt.outcome === null) return 'running'
  const failed = attempt.failure && attempt.failure.reason !== attempt.outcome
  if (!failed) return attempt.outcome
  return attempt.outcome === 'failed'
    ? (attempt.failure?.reason ?? 'failed')
    : `${attempt.outcome}, ${attempt.failure?.reason}`
}
