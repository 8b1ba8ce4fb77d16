// One sign and one colour per task status, the same in the live view, in `status` and in the summary.
import type { TaskStatus } from '../../status.ts'
import { STATUS_SIGN } from '../../text/status-sign.ts'
import type { Palette } from './palette.ts'

const PAINTS: Record<TaskStatus, keyof Palette | null> = {
  pending: 'dim',
  ready: null,
  running: 'busy',
  landing: 'busy',
  conflict: 'bad',
  landed: 'good',
  passed: 'good',
  failed: 'bad',
  blocked: 'bad',
  cancelled: 'dim',
}

export function glyph(status: TaskStatus, palette: Palette): string {
  return inColourOf(status, STATUS_SIGN[status], palette)
}

export function inColourOf(status: TaskStatus, text: string, palette: Palette): string {
  const paint = PAINTS[status]
  return paint ? palette[paint](text) : text
}
