// How a run stands, as the sign of the status that says it.
import type { RunVerdict, TaskStatus, Tone } from '../shared.ts'
import { StatusSign } from './status-sign.tsx'

export function VerdictSign({ kind, size }: { kind: RunVerdict['kind']; size: number }) {
  return <StatusSign status={VERDICT_LOOK[kind].sign} size={size} />
}

export const VERDICT_LOOK: Record<RunVerdict['kind'], { tone: Tone; sign: TaskStatus }> = {
  landed: { tone: 'good', sign: 'landed' },
  partly: { tone: 'bad', sign: 'failed' },
  nothing: { tone: 'bad', sign: 'failed' },
  running: { tone: 'live', sign: 'running' },
  waiting: { tone: 'warn', sign: 'conflict' },
  interrupted: { tone: 'warn', sign: 'cancelled' },
  cancelled: { tone: 'mute', sign: 'cancelled' },
  empty: { tone: 'mute', sign: 'pending' },
}
