// One sign and one colour per task status, the same in the live view, in `status` and in the summary.

import type { TaskStatus } from '../../status.ts'
import { STATUS_SIGN } from '../../text/status-sign.ts'
import { fit, hanging } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'
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

export function signedLine(status: TaskStatus, text: string, { width, palette }: Look): string {
  return `${glyph(status, palette)} ${fit(text, width - 2)}`
}

export function signedLines(sign: string, text: string, { width }: Look): string[] {
  const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
  return [`${sign} ${first}`, ...more.map((line) => `  ${line}`)]
}
