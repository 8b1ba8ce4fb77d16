// How long it takes with so many workers, what it costs, and the start.
import { useMemo, useState } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { FIRST_VIEW, go } from '../../app/router.ts'
import { useAction } from '../../data/actions.ts'
import type { PlanInput } from '../../data/project-queries.ts'
import { useMay } from '../../data/queries.ts'
import { Chart, type Line } from '../../parts/chart.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type Answer, formatDuration, money } from '../../shared.ts'

type Simulation = Answer<'plans.simulate'>
type Props = { project: string; plan: PlanInput; simulation: Simulation; slots: number }

export function Simulate({ project, plan, simulation, slots }: Props) {
  const { enough, costUsd, costKnown, tasks } = simulation
  // More workers than tasks change nothing.
  const rows = useMemo(
    () => simulation.rows.filter(({ workers }) => workers <= Math.max(LEAST, tasks)),
    [simulation, tasks],
  )
  const first = Math.max(
    0,
    rows.findLastIndex(({ workers }) => workers <= slots),
  )
  // Until somebody chooses, it is what the plan and the settings say.
  const [chosen, setChosen] = useState<number | null>(null)
  const index = Math.min(chosen ?? first, rows.length - 1)
  const row = rows[index]
  const by = (step: number) => setChosen(Math.max(0, Math.min(rows.length - 1, index + step)))
  useKeys([
    { keys: '+', what: 'More workers', run: () => by(1), group: 'Plan' },
    { keys: '-', what: 'Fewer workers', run: () => by(-1), group: 'Plan' },
  ])
  const chart = useMemo(() => chartOf(rows), [rows])
  if (!row) return null
  const { eager, workers } = row
  const idle = workers * eager.makespanMs > 0 ? eager.idleMs / (workers * eager.makespanMs) : 0
  return (
    <section className="panel simulate" aria-labelledby="simulate">
      <header>
        <h2 id="simulate">With so many workers</h2>
        <StartButton
          project={project}
          plan={plan}
          workers={chosen === null ? null : workers}
          tasks={tasks}
          row={row}
          costUsd={costUsd}
        />
      </header>
      <label className="slider">
        <input
          type="range"
          min={0}
          max={rows.length - 1}
          step={1}
          value={index}
          aria-label="Workers"
          aria-valuetext={`${workers} workers: ${formatDuration(eager.makespanMs)}`}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
        <output>
          <b>{workers}</b> {workers === 1 ? 'worker' : 'workers'}
        </output>
      </label>
      <dl className="figures">
        <div>
          <dt>Time</dt>
          <dd>
            {formatDuration(eager.makespanMs)}
            <small>at least {formatDuration(row.lowerBoundMs)}</small>
          </dd>
        </div>
        <div>
          <dt>In waves</dt>
          <dd>{formatDuration(row.waves.makespanMs)}</dd>
        </div>
        <div>
          <dt>Idle</dt>
          <dd>{Math.round(idle * 100)}%</dd>
        </div>
        <div>
          <dt>Cost, about</dt>
          <dd>
            {costUsd === null ? 'unknown' : money(costUsd)}
            <small>
              known of {costKnown} of {tasks}
            </small>
          </dd>
        </div>
        <div>
          <dt>Enough</dt>
          <dd>
            {enough ?? `more than ${rows.at(-1)?.workers}`}
            <small>workers</small>
          </dd>
        </div>
      </dl>
      <Chart
        label={`Time by the number of workers: ${rows.map((one) => `${one.workers}: ${formatDuration(one.eager.makespanMs)}`).join(', ')}`}
        xs={chart.xs}
        lines={chart.lines}
        x="count"
        yText={formatDuration}
        xText={(count) => `${count} workers`}
        ySteps={STEPS}
        height={150}
      />
    </section>
  )
}

const LEAST = 8
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800]
const STEPS = SECONDS.map((seconds) => seconds * 1000)

function chartOf(rows: Simulation['rows']): { xs: number[]; lines: Line[] } {
  const lines: Line[] = [
    { label: 'Time', tone: 'live', look: 'line', values: rows.map(({ eager }) => eager.makespanMs) },
    { label: 'In waves', tone: 'calm', look: 'dashes', values: rows.map(({ waves }) => waves.makespanMs) },
    { label: 'At least', tone: 'mute', look: 'dashes', values: rows.map(({ lowerBoundMs }) => lowerBoundMs) },
  ]
  return { xs: rows.map(({ workers }) => workers), lines }
}

type StartProps = {
  project: string
  plan: PlanInput
  /** Null: as the plan says. */
  workers: number | null
  tasks: number
  row: Simulation['rows'][number]
  costUsd: number | null
}

function StartButton({ project, plan, workers, tasks, row, costUsd }: StartProps) {
  const may = useMay('run')
  const [isAsking, setAsking] = useState(false)
  const start = useAction(async (client) => {
    const how = workers === null ? {} : { maxConcurrency: workers }
    const { run } = await client.runs.start({ project, plan, ...how })
    go({ kind: 'run', project, run, view: FIRST_VIEW, task: null, part: null })
    return `${run} has started.`
  })
  useKeys(may ? [{ keys: 's', what: 'Start the plan', run: () => setAsking(true), group: 'Plan' }] : [])
  if (!may) return null
  return (
    <>
      <button
        type="button"
        className="first"
        title="Start the plan (s)"
        disabled={start.isPending}
        onClick={() => setAsking(true)}
      >
        {start.isPending ? 'Starting …' : 'Start …'}
      </button>
      <Dialog title="Start the plan?" isOpen={isAsking} onClose={() => setAsking(false)}>
        <div className="confirm">
          <p>
            {tasks} tasks with {row.workers} {row.workers === 1 ? 'worker' : 'workers'}: about{' '}
            {formatDuration(row.eager.makespanMs)}
            {costUsd === null ? '.' : ` and ${money(costUsd)}.`}
          </p>
          <p className="soft">They land on a branch of their own. Your checkout stays as it is.</p>
          <div className="buttons">
            <button type="button" onClick={() => setAsking(false)}>
              Not yet
            </button>
            <button
              type="button"
              className="first"
              onClick={() => {
                setAsking(false)
                start.mutate()
              }}
            >
              Start
            </button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
