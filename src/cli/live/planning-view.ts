// `espalier plan new` while its agent runs: a line for each of its messages, on standard error. Its run is not shown.

import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { Run } from '../../engine/run/run.ts'
import { agentsOf } from '../../task.ts'
import { safeLine } from '../../text/safe.ts'
import type { Surroundings } from '../surroundings.ts'
import { writeLine } from '../terminal/write-line.ts'
import { silentFor } from './event-line.ts'
import { type Viewer, withPauses } from './viewer.ts'

export function planningView(run: Run, { err }: Surroundings): Viewer {
  const agent = nameOf(run.plan.tasks.flatMap(({ work }) => agentsOf(work))[0])
  void writeLine(err, `${agent} is writing the plan`)
  const view: Viewer = {
    event(event: RunEvent) {
      if (event.type === 'attempt.progress') return writeLine(err, `  ${progressText(event.message)}`)
      if (event.type === 'attempt.stalled') return writeLine(err, `${agent}: ${silentFor(event.since, event.at)}`)
    },
    note: (text) => void writeLine(err, text),
    close: () => {},
  }
  return withPauses(view, () => run.summary().paused)
}

/** What `--command` starts has no other name. */
function nameOf(agent: string | undefined): string {
  return agent === 'command' ? 'the command' : (agent ?? 'an agent')
}

/** An agent that is asked to continue has written no plan, or one with problems; the message about that is for the agent. */
function progressText(message: string): string {
  const [, turn] = /^continues (\(\d+ of \d+\)):/.exec(message) ?? []
  return turn === undefined ? safeLine(message) : `the plan has problems, the agent continues ${turn}`
}
