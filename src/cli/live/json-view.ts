// A run for programs: one JSON event per line. The last line is `run.finished`, also when the run was interrupted;
// the journal's own `run.finished` waits for it and comes with the result. First and last line name the run, so that a
// program can ask `status` and `logs` from the start.
import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { RunResult } from '../../engine/run/run-result.ts'
import { JSON_VERSION, jsonText } from '../../text/json.ts'
import type { Output } from '../surroundings.ts'
import { writeLine } from '../terminal/print.ts'
import type { Viewer } from './viewer.ts'

type JsonView = Viewer & { finish(result: RunResult | AbandonedRun): void }

/** Of a run whose process left after the second Ctrl-C. */
type AbandonedRun = Pick<RunResult, 'run' | 'status' | 'interrupted' | 'branch' | 'counts'> & { abandoned: true }

export function jsonView(run: string, out: Output, err: Output, now: () => number): JsonView {
  let last: RunEvent | null = null
  let isBegun = false
  const line = (value: object) => writeLine(out, jsonText(value))
  return {
    event(event, news) {
      if (event.type === 'run.finished') last = event
      else if (news) {
        // That of a start, or of a run that goes on, has its limits.
        const isFirst = !isBegun
        isBegun = true
        return line(isFirst || event.type === 'run.resumed' ? { version: JSON_VERSION, ...event, run } : event)
      }
    },
    note: (text) => void err.write(`${text}\n`),
    close: () => {},
    finish: (result) => void line({ version: JSON_VERSION, type: 'run.finished', at: now(), ...last, ...result }),
  }
}
