// One character per task status, the same in the terminal, in the documentation and in reports. All of them are in the
// usual fonts; where there is colour or room for a word, that says more.
import type { TaskStatus } from '../status.ts'

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
