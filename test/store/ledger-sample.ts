// Tasks of plan files, for tests that ask for them.
import type { FileTask, PlanTask } from '../../src/store/ledger.ts'

export function fileTask(facts: Partial<FileTask> = {}): FileTask & { task: string } {
  const { source = 'A' } = facts
  const names = { file: 'plan.json', format: 'implementation-plan', part: null, source }
  return { ...names, says: '5:words', numberless: null, task: `task-${source.toLowerCase()}`, ...facts }
}

export function planTask(facts: Partial<PlanTask> = {}): PlanTask {
  const { run = 'r' } = facts
  const state = { status: 'landed' as const, commit: 'c'.repeat(40), begunAt: 10, endedAt: 20 }
  return { ...fileTask(facts), run, runAt: 1, branch: `espalier/${run}`, ...state, ...facts }
}
