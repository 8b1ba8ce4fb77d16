// One sign and one colour per task status, the same in the live view, in `status` and in the summary.

import type { TaskStatus } from '../../status.ts'
import { STATUS_SIGN, STATUS_TONE, type Tone } from '../../text/status-look.ts'
import { fit, hanging } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'
import type { Palette } from './palette.ts'

export const PAINTS: Record<Tone, keyof Palette> = {
  ...{ good: 'good', calm: 'good', bad: 'bad', warn: 'bad', live: 'busy', mute: 'dim' },
}

export function glyph(status: TaskStatus, palette: Palette): string {
  return inColourOf(status, STATUS_SIGN[status], palette)
}

export function inColourOf(status: TaskStatus, text: string, palette: Palette): string {
  return palette[PAINTS[STATUS_TONE[status]]](text)
}

export function signedLine(status: TaskStatus, text: string, { width, palette }: Look): string {
  return `${glyph(status, palette)} ${fit(text, width - 2)}`
}

export function signedLines(sign: string, text: string, { width }: Look): string[] {
  const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
  return [`${sign} ${first}`, ...more.map((line) => `  ${line}`)]
}
