// What a run has cost: so far, at its end by the estimates, over time, and on what; what did not land apart.
import '../panels.css'
import './spending.css'
import { useMemo } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { useCostForecast, useSpending } from '../../data/run-queries.ts'
import { Chart } from '../../parts/chart.tsx'
import { Failure } from '../../parts/failure.tsx'
import { type Answer, costText, money } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { chartOf } from './cost-lines.ts'
import { SpentTable } from './spent-table.tsx'

const GROUPS = { tasks: 'Task', epics: 'Epic', agents: 'Agent', models: 'Model' } as const
type Group = keyof typeof GROUPS

export default function SpendingView() {
  const { ref, state } = useRun()
  const spending = useSpending(ref, state.run)
  const forecast = useCostForecast(ref, state.run)
  const [by, setBy] = useQueryWord('by', 'tasks')
  useKeys(
    (Object.keys(GROUPS) as Group[]).map((group, index) => ({
      keys: String(index + 1),
      what: `Spending by ${GROUPS[group].toLowerCase()}`,
      run: () => setBy(group),
      group: 'Spending',
    })),
  )
  if (spending.error && !spending.data)
    return <Failure error={spending.error} onRetry={() => void spending.refetch()} />
  if (!spending.data) return <p className="quiet pad">Loading …</p>
  const group = by in GROUPS ? (by as Group) : 'tasks'
  return (
    <div className="sheet spending">
      <Figures spending={spending.data} forecast={forecast.data ?? null} />
      <Budgets budgets={spending.data.budgets} />
      <OverTime spending={spending.data} forecast={forecast.data ?? null} />
      <section className="panel" aria-labelledby="spent-on">
        <header>
          <h2 id="spent-on">Spent on</h2>
          <span className="choice" role="group" aria-label="Spent on what">
            {(Object.keys(GROUPS) as Group[]).map((one) => (
              <button key={one} type="button" aria-pressed={one === group} onClick={() => setBy(one)}>
                {GROUPS[one]}
              </button>
            ))}
          </span>
        </header>
        <SpentTable spent={spending.data[group]} title={GROUPS[group]} isTasks={group === 'tasks'} />
      </section>
    </div>
  )
}

type Spending = Answer<'runs.spending'>
type Forecast = Answer<'runs.forecast'>

function Figures({ spending, forecast }: { spending: Spending; forecast: Forecast | null }) {
  const { usage, notLanded } = spending.run
  const budget = spending.budgets?.budgetUsd ?? null
  const rest = forecast?.costUsd ?? null
  const share = usage.costUsd > 0 ? Math.round((notLanded.costUsd / usage.costUsd) * 100) : 0
  return (
    <section className="panel" aria-label="Cost">
      <dl className="figures">
        <div>
          <dt>Spent so far</dt>
          <dd>
            {costText(usage)}
            {budget !== null && (
              <small>
                {Math.round((usage.costUsd / budget) * 100)}% of the budget of {money(budget)}
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>At the end, about</dt>
          <dd>
            {forecast === null
              ? '…'
              : forecast.left === 0
                ? costText(usage)
                : rest === null
                  ? 'unknown'
                  : money(usage.costUsd + rest)}
            {forecast !== null && (
              <small>
                {forecast.left === 0
                  ? 'nothing is left to do'
                  : `${forecast.left} left, cost known of ${forecast.costKnown}`}
              </small>
            )}
          </dd>
        </div>
        <div>
          <dt>Cost, not landed</dt>
          <dd className={notLanded.costUsd > 0 ? 'warn' : ''}>
            {costText(notLanded)}
            <small>{share}% of all</small>
          </dd>
        </div>
      </dl>
    </section>
  )
}

function Budgets({ budgets }: { budgets: Spending['budgets'] }) {
  if (!budgets || (budgets.reached.length === 0 && budgets.holding.length === 0)) return null
  return (
    <section className="panel warn-edge" aria-label="Budgets">
      <ul>
        {budgets.reached.map(({ scope, name, budgetUsd, spentUsd, share }) => (
          <li key={`${scope} ${name} ${share}`}>
            <b className="warn">{share}%</b> of the budget of {scope === 'run' ? 'the run' : `${scope} ${name}`}{' '}
            reached: {money(spentUsd)} of {money(budgetUsd)}
          </li>
        ))}
        {budgets.holding.map(({ scope, name, budgetUsd }) => (
          <li key={`${scope} ${name} held`}>
            <b className="bad">Nothing more starts</b> in {scope === 'run' ? 'the run' : `${scope} ${name}`}: its budget
            of {money(budgetUsd)} is used up or reserved
          </li>
        ))}
      </ul>
    </section>
  )
}

function OverTime({ spending, forecast }: { spending: Spending; forecast: Forecast | null }) {
  const { startedAt, engine } = useRun().state.run
  const rest = engine ? forecast : null
  const chart = useMemo(() => chartOf(spending, rest, startedAt), [spending, rest, startedAt])
  if (!chart) return <p className="quiet">Nothing has been spent yet.</p>
  const label = `Spent over time: ${money(spending.run.usage.costUsd)} by now`
  return (
    <section className="panel" aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <Chart label={label} xs={chart.xs} lines={chart.lines} x="time" yText={money} />
    </section>
  )
}
