// Tasks of plan files, for tests that ask for them.
import type { FileTask } from '../../src/store/plan-tasks.ts'

export function fileTask(facts: Partial<FileTask> = {}): FileTask & { task: string } {
  const { source = 'A' } = facts
  const names = { file: 'plan.json', format: 'implementation-plan', part: null, source }
  return { ...names, says: '5:words', task: `task-${source.toLowerCase()}`, ...facts }
}
