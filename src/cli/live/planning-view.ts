// `espalier plan new` while its agent is at work: a line for what it says, on standard error. Its run is nobody's business.

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
      return `${agent} is at work on the plan`
    case 'attempt.progress':
      return `  ${said(event.message)}`
    case 'attempt.stalled':
      return `${agent} has said nothing for ${formatDuration(Math.max(0, event.at - event.since))}`
    case 'attempt.finished':
      // Then it waits, and nothing else would say what for.
      if (event.failure?.reason === 'login-failed' || event.failure?.reason === 'provider-unreachable')
        return `${agent} waits: ${safeLine(event.failure.message)}`
      if (typeof event.limitedUntil !== 'number') return null
      return `${agent} is limited by its provider for ${formatDuration(Math.max(0, event.limitedUntil - event.at))}`
    default:
      return null
  }
}

/** An agent that is asked to go on has made none, or one that is not sound: how that was found out says nothing to a person. */
function said(message: string): string {
  const [, turn] = /^goes on (\(\d+ of \d+\)):/.exec(message) ?? []
  return turn === undefined ? safeLine(message) : `there is no sound plan yet, it goes on ${turn}`
}
