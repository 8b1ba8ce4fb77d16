// The circuit breaker of a task: an agent that goes round in circles, or does more than its task lets it, is ended.
import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { Task } from '../task.ts'

/** Of all processes of the attempt together; `repeats` of the one that runs. */
export type Done = { turns: number; toolCalls: number; repeats: number }

export function loopingFailure(limits: Limits, done: Done): Failure | null {
  const { maxTurns, maxToolCalls, maxRepeats = LIMITS.repeatedCalls } = limits
  if (maxTurns !== undefined && done.turns > maxTurns) return looping(`took more than ${maxTurns} turns`, 'maxTurns')
  if (maxToolCalls !== undefined && done.toolCalls > maxToolCalls)
    return looping(`used its tools more than ${maxToolCalls} times`, 'maxToolCalls')
  if (maxRepeats === 0 || done.repeats < maxRepeats) return null
  const message = `its agent made the same call of a tool ${maxRepeats} times in a row, so it was ended; \`espalier logs\` shows which. If that is normal for it, give it more with \`maxRepeats:\``
  return { reason: 'agent-looping', message }
}

type Limits = Pick<Task, 'maxTurns' | 'maxToolCalls' | 'maxRepeats'>

function looping(what: string, field: string): Failure {
  return { reason: 'agent-looping', message: `its agent ${what}, so it was ended; give it more with \`${field}:\`` }
}
