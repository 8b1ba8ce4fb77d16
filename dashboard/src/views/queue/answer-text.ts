// What came of an answer to a conflict.
import type { Answer } from '../../shared.ts'

export function answerText(given: Answer<'tasks.answerConflict'>, answer: 'resolved' | 'give-up'): string {
  const { run, task, delivered, pid } = given
  const what = answer === 'resolved' ? `Taking ${task} as you resolved it.` : `${task} is given up.`
  // No engine could be started, as when another run is at work in the repository.
  const isLater = delivered === 'recorded' && pid === null
  return isLater ? `${what} That happens when ${run} continues.` : what
}
