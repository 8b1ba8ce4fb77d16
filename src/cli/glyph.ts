// One sign and one colour per task status, the same in the live view, in `status` and in the summary.
import type { TaskStatus } from '../status.ts'
import type { Palette } from './palette.ts'

const GLYPHS: Record<TaskStatus, { sign: string; paint: keyof Palette | null }> = {
  pending: { sign: '·', paint: 'dim' },
  ready: { sign: '○', paint: null },
  running: { sign: '●', paint: 'busy' },
  landing: { sign: '↑', paint: 'busy' },
  landed: { sign: '✓', paint: 'good' },
  passed: { sign: '✓', paint: 'good' },
  failed: { sign: '✗', paint: 'bad' },
  blocked: { sign: '■', paint: 'bad' },
  cancelled: { sign: '–', paint: 'dim' },
}

export function glyph(status: TaskStatus, palette: Palette): string {
  return inColourOf(status, GLYPHS[status].sign, palette)
}

export function inColourOf(status: TaskStatus, text: string, palette: Palette): string {
  const { paint } = GLYPHS[status]
  return paint ? palette[paint](text) : text
}
