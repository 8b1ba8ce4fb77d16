// How a status looks, the same in the terminal, in reports, in the dashboard and in the documentation: a tone, and a sign or a
// word for those who do not see the colour.
import type { Outcome, TaskStatus } from '../status.ts'
import type { AttemptView } from '../view.ts'

export type Tone = 'good' | 'calm' | 'bad' | 'warn' | 'live' | 'mute'

/** Statuses that need attention come first. Signs have one character each. */
const LOOKS: Record<TaskStatus, { tone: Tone; sign: string }> = {
  failed: { tone: 'bad', sign: '✗' },
  conflict: { tone: 'warn', sign: '!' },
  blocked: { tone: 'warn', sign: '■' },
  cancelled: { tone: 'mute', sign: '–' },
  running: { tone: 'live', sign: '●' },
  landing: { tone: 'live', sign: '↑' },
  ready: { tone: 'mute', sign: '○' },
  pending: { tone: 'mute', sign: '·' },
  passed: { tone: 'calm', sign: '✓' },
  landed: { tone: 'good', sign: '✓' },
}

export const STATUS_ORDER = Object.keys(LOOKS) as readonly TaskStatus[]

export const STATUS_TONE = lookOf('tone')
export const STATUS_SIGN = lookOf('sign')

function lookOf<F extends 'tone' | 'sign'>(field: F) {
  return Object.fromEntries(STATUS_ORDER.map((status) => [status, LOOKS[status][field]])) as Record<
    TaskStatus,
    { tone: Tone; sign: string }[F]
  >
}

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

export function attemptWord({ outcome, failure }: AttemptView): string {
  if (outcome === null) return 'running'
  if (!failure || failure.reason === outcome) return outcome
  return outcome === 'failed' ? failure.reason : `${outcome}, ${failure.reason}`
}
