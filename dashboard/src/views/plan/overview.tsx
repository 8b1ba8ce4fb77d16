// A plan as it will run: waves, epics, the critical path, and what stands in the way of running at the same time.

import { useState } from 'react'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { type Answer, formatDuration, money } from '../../shared.ts'

type PlanOverview = Answer<'plans.show'>

export function Overview({ overview }: { overview: PlanOverview }) {
  const { name, objective, criticalPath, totalMs, epics, never } = overview
  const critical = new Set(criticalPath.tasks)
  return (
    <>
      <section className="panel" aria-label={`Plan ${name}`}>
        <h2>{name}</h2>
        {objective && <p className="soft">{objective}</p>}
        <p>
          Critical path {formatDuration(criticalPath.ms)} of {formatDuration(totalMs)} work:{' '}
          <Tasks tasks={criticalPath.tasks} critical={new Set()} arrow />
        </p>
        {never.length > 0 && (
          <ul>
            {never.map((one) => (
              <li key={one.task} className="bad">
                <code>{one.task}</code> never runs: {neverText(one)}
              </li>
            ))}
          </ul>
        )}
      </section>
      <Waves overview={overview} critical={critical} />
      <div className="pair">
        {epics.length > 0 && <Epics epics={epics} />}
        {overview.conflictCount > 0 && <Collisions overview={overview} />}
      </div>
    </>
  )
}

function neverText(one: PlanOverview['never'][number]): string {
  switch (one.why) {
    case 'outside-repository':
      return `${one.path} is outside the repository`
    case 'budget':
      return `its estimate of ${money(one.estimateUsd)} is over the budget of ${money(one.budgetUsd)}`
    case 'blocked':
      return `it needs ${one.by}`
    default:
      return one satisfies never
  }
}

function Waves({ overview, critical }: { overview: PlanOverview; critical: ReadonlySet<string> }) {
  return (
    <section className="panel" aria-labelledby="waves">
      <header>
        <h2 id="waves">Waves</h2>
        <span className="soft">
          <span className="critical-mark">bold</span>: on the critical path
        </span>
      </header>
      <ol className="waves">
        {overview.waves.map(({ number, tasks, heldBack }) => (
          <li key={number}>
            <span className="soft">{number}</span>
            <div>
              <Tasks tasks={tasks} critical={critical} />
              {heldBack.length > 0 && (
                <p className="soft">
                  later than their needs because of claims: {heldBack.map(({ task }) => task).join(', ')}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const MOST_SHOWN = 60

function Tasks({
  tasks,
  critical,
  arrow = false,
}: {
  tasks: readonly string[]
  critical: ReadonlySet<string>
  arrow?: boolean
}) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? tasks : tasks.slice(0, MOST_SHOWN)
  return (
    <span className={arrow ? 'way' : 'tasks'}>
      {shown.map((id) => (
        <code key={id} className={critical.has(id) ? 'critical' : ''}>
          {id}
        </code>
      ))}
      {shown.length < tasks.length && (
        <button type="button" className="plain" onClick={() => setAll(true)}>
          and {tasks.length - shown.length} more
        </button>
      )}
    </span>
  )
}

function Epics({ epics }: { epics: PlanOverview['epics'] }) {
  return (
    <section className="panel" aria-labelledby="epics">
      <h2 id="epics">Epics</h2>
      <TableScroll label="Epics">
        <table>
          <thead>
            <tr>
              <th>Epic</th>
              <th className="number">Tasks</th>
              <th className="number">Widest</th>
              <th className="number">At least</th>
            </tr>
          </thead>
          <tbody>
            {epics.map(({ id, title, tasks, widest, ms, waitsFor }) => (
              <tr key={id}>
                <th scope="row">
                  {title} {waitsFor.length > 0 && <span className="soft">after {waitsFor.join(', ')}</span>}
                </th>
                <td className="number">{tasks}</td>
                <td className="number">{widest}</td>
                <td className="number">{formatDuration(ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}

function Collisions({ overview: { conflicts, conflictCount } }: { overview: PlanOverview }) {
  const shown = conflicts.slice(0, 12)
  return (
    <section className="panel" aria-labelledby="collisions">
      <h2 id="collisions">
        Never at the same time <span className="soft">{conflictCount}</span>
      </h2>
      <ul>
        {shown.map(({ a, b, paths }) => (
          <li key={`${a} ${b}`} className="wrap">
            <code>{a}</code> <span className="soft">and</span> <code>{b}</code>{' '}
            <span className="soft">{paths.join(', ')}</span>
          </li>
        ))}
      </ul>
      {conflictCount > shown.length && <p className="soft">and {conflictCount - shown.length} more</p>}
    </section>
  )
}
