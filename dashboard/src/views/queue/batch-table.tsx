// Batches, the newest first: what was merged together, how each verification went, and what came of the tasks.
import { TableScroll } from '../../parts/table-scroll.tsx'
import { Moment } from '../../parts/time.tsx'
import { type BatchFacts, formatDuration, type VerificationFacts } from '../../shared.ts'
import { TaskLinks } from './task-links.tsx'

export function BatchTable({ batches }: { batches: readonly BatchFacts[] }) {
  return (
    <section className="panel" aria-labelledby="batches">
      <header>
        <h2 id="batches">Batches</h2>
        <span className="soft">merged and verified together</span>
      </header>
      <TableScroll label="Batches">
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>Tasks</th>
              <th>Verifications</th>
              <th className="number">Landed</th>
            </tr>
          </thead>
          <tbody>
            {batches.toReversed().map((batch) => (
              <tr key={`${batch.at} ${batch.tasks[0]}`}>
                <td className="nowrap">
                  <Moment at={batch.at} />
                </td>
                <td>
                  <TaskLinks tasks={batch.tasks} />
                </td>
                <td>
                  <ul className="verdicts">
                    {batch.verifications.map((one) => (
                      <Verdict key={one.verification} of={one} all={batch.tasks.length} />
                    ))}
                  </ul>
                </td>
                <td className="number">
                  {batch.landed.length}/{batch.tasks.length}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}

function Verdict({ of, all }: { of: VerificationFacts; all: number }) {
  const { word, mark, tone } = lookOf(of)
  const part = of.tasks < all ? ` of the first ${of.tasks}` : ''
  const took = of.durationMs === null ? '' : `, ${formatDuration(of.durationMs)}`
  const title = `${word}${part}${took}, commit ${of.commit.slice(0, 10)}${of.failure ? `: ${of.failure.message}` : ''}`
  return (
    <li className={tone} title={title}>
      <span aria-hidden="true">{mark}</span> {word}
      <span className="soft">
        {part}
        {took}
      </span>
    </li>
  )
}

function lookOf({ passed, cached, flake, durationMs }: VerificationFacts): {
  word: string
  mark: string
  tone: 'good' | 'bad' | 'warn' | 'mute' | 'live'
} {
  if (flake) return { word: 'flaky', mark: '≈', tone: 'warn' }
  if (passed === true) return { word: cached ? 'passed, known before' : 'passed', mark: '✓', tone: 'good' }
  if (passed === false) return { word: 'failed', mark: '✗', tone: 'bad' }
  return durationMs === null
    ? { word: 'running or halted', mark: '–', tone: 'mute' }
    : { word: 'halted', mark: '–', tone: 'mute' }
}
