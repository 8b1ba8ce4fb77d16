// `espalier plan new` while its agent runs: a line for each of its messages, on standard error. Its run is not shown.

import type { Plan, RunEvent } from '../../index.ts'
import { agentsOf } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import type { Surroundings } from '../surroundings.ts'
import { writeLine } from '../terminal/write-line.ts'
import type { Viewer } from './viewer.ts'

export function planningView(plan: Plan, { err }: Surroundings): Viewer {
  const agent = nameOf(plan.tasks.flatMap(({ work }) => agentsOf(work))[0])
  return {
    event(event: RunEvent) {
      const line = lineOf(event, agent)
      if (line !== null) return writeLine(err, line)
    },
    note: (text) => void writeLine(err, text),
    close: () => {},
  }
}

/** What `--command` starts has no other name. */
function nameOf(agent: string | undefined): string {
  return agent === 'command' ? 'the command' : (agent ?? 'an agent')
}

function lineOf(event: RunEvent, agent: string): string | null {
  switch (event.type) {
    case 'attempt.started':
      return `${agent} is writing the plan`
    case 'attempt.progress':
      return `  ${progressText(event.message)}`
    case 'attempt.stalled':
      return `${agent} has been silent for ${formatDuration(Math.max(0, event.at - event.since))}`
    case 'attempt.finished':
      // Then it waits, and nothing else would say why.
      if (event.failure?.reason === 'login-failed' || event.failure?.reason === 'provider-unreachable')
        return `${agent} waits: ${safeLine(event.failure.message)}`
      if (typeof event.limitedUntil !== 'number') return null
      return `${agent} is rate-limited for ${formatDuration(Math.max(0, event.limitedUntil - event.at))}`
    default:
      return null
  }
}

/** An agent that is asked to continue has written no plan, or one with problems; the message about that is for the agent. */
function progressText(message: string): string {
  const [, turn] = /^continues (\(\d+ of \d+\)):/.exec(message) ?? []
  return turn === undefined ? safeLine(message) : `the plan has problems, the agent continues ${turn}`
}
