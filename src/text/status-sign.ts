// One character per task status, the same in the terminal, in the documentation and in reports.
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
