// The look of a status in reports: a colour, and a shape and a word for those who do not see the colour.
import type { AttemptView, Outcome, TaskStatus } from '../../status.ts'

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

/** What needs attention comes first. */
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

/** A sprite with one sign per status, for `<use href="#g-STATUS">`. */
export function statusSprite(): string {
  const symbols = Object.entries(SIGN).map(
    ([status, shape]) => `<symbol id="g-${status}" viewBox="0 0 16 16">${shape}</symbol>`,
  )
  return `<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>${symbols.join('')}${HATCH}</defs></svg>`
}

/** The sign itself; the word beside it or in a title speaks to screen readers. */
export function statusSign(status: TaskStatus): string {
  return `<svg class="sign ${STATUS_TONE[status]}" width="16" height="16" aria-hidden="true"><use href="#g-${status}"/></svg>`
}

const disc = '<circle cx="8" cy="8" r="7" fill="currentColor"/>'
const ring = '<circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5"/>'
const on = 'fill="none" stroke="var(--on)" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"'
const ink = 'fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"'

const SIGN: Record<TaskStatus, string> = {
  landed: `${disc}<path d="M4.8 8.3l2.2 2.2 4.3-4.7" ${on}/>`,
  passed: `${ring}<path d="M5 8.2l2 2 4-4.2" ${ink}/>`,
  failed: `<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor"/><path d="M5.5 5.5l5 5m0-5l-5 5" ${on}/>`,
  blocked: `<rect x="2" y="2" width="12" height="12" rx="2.5" fill="currentColor"/><path d="M5.2 10.8l5.6-5.6" ${on}/>`,
  cancelled: `${ring}<path d="M5 8h6" ${ink}/>`,
  running: `${disc}<path d="M6.3 4.9v6.2L11.2 8z" fill="var(--on)"/>`,
  landing: `${ring}<path d="M8 11.3v-6M5.4 7.8L8 5.2l2.6 2.6" ${ink}/>`,
  conflict: `${ring}<path d="M8 4.6v4M8 11.3v.1" ${ink}/>`,
  ready: `${ring}<circle cx="8" cy="8" r="2.4" fill="currentColor"/>`,
  pending:
    '<circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.2 2.2"/>',
}

/** Laid over what failed, so that red and green differ for everybody. */
const HATCH =
  '<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2.5" height="7" fill="var(--on)" opacity=".28"/></pattern>'
