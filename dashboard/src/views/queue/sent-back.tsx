// Work that the queue refused: who, why, and whether it was done again.

import type { RunState } from '../../data/queries.ts'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { Moment } from '../../parts/time.tsx'
import { type Answer, messageParts, tellingLine } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { TaskLinks } from './task-links.tsx'

type Refusal = Answer<'runs.queue'>['refusals'][number]

export function SentBack({ refusals }: { refusals: readonly Refusal[] }) {
  const { state } = useRun()
  return (
    <section className="panel" aria-labelledby="sent-back">
      <header>
        <h2 id="sent-back">Sent back</h2>
        <span className="soft">did not land as it was</span>
      </header>
      <TableScroll label="Sent back">
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>Tasks</th>
              <th>Why</th>
              <th>Then</th>
            </tr>
          </thead>
          <tbody>
            {refusals.toReversed().map((one) => (
              <tr key={`${one.at} ${one.tasks.join()}`}>
                <td className="nowrap">
                  <Moment at={one.at} />
                </td>
                <td>
                  <TaskLinks tasks={one.tasks} />
                </td>
                <td className="wrap">
                  <b className={one.waitsForPerson ? 'warn' : 'bad'}>{one.failure.reason}</b>{' '}
                  <Why message={one.failure.message} />
                </td>
                <td className="nowrap">{thenOf(one, state)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}

/** An attempt that began later is the answer to it. */
function thenOf({ at, tasks, waitsForPerson }: Refusal, { byId }: RunState): string {
  const views = tasks.flatMap((id) => byId.get(id) ?? [])
  if (views.some(({ history }) => history.some(({ startedAt }) => startedAt >= at))) return 'tried again'
  if (views.some(({ status }) => status === 'conflict')) return 'waits for you'
  if (views.some(({ status }) => status === 'failed' || status === 'cancelled')) return 'given up'
  if (waitsForPerson) return 'you resolved it'
  return views.some(({ status }) => status === 'landed') ? 'landed later' : 'to be tried again'
}

function Why({ message }: { message: string }) {
  const { said, output } = messageParts(message)
  const line = tellingLine(output)
  if (!output) return <span>{said}</span>
  return (
    <details>
      <summary>
        {said} {line && <span className="soft">{line}</span>}
      </summary>
      <pre>{output}</pre>
    </details>
  )
}
