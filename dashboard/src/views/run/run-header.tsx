// The verdict first: how the run stands, what it took and cost, when it may be over, and what to do next.
import { useNow } from '../../data/now.ts'
import { useForecast, useNextSteps } from '../../data/queries.ts'
import { Copy } from '../../parts/copy.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { VERDICT_LOOK, VerdictSign } from '../../parts/verdict-sign.tsx'
import { atWorkMs, costText, formatDuration, money, type NextStep, verdictOf } from '../../shared.ts'
import { useRun } from './run-context.ts'
import { Slots } from './slots.tsx'

export function RunHeader() {
  const { ref, state, plan } = useRun()
  const { run } = state
  const next = useNextSteps(ref, run)
  const verdict = verdictOf(run, next.data?.landedOn ?? null)
  const objective = plan?.objective
  return (
    <header className={`run-head tone-${VERDICT_LOOK[verdict.kind].tone}`}>
      <div className="verdict">
        <VerdictSign kind={verdict.kind} size={30} />
        <div>
          <h1>{verdict.title}</h1>
          <p className="soft">{verdict.detail}</p>
          {objective && <p className="soft objective">{objective}</p>}
        </div>
        <Figures />
      </div>
      <ShareBar counts={run.counts} />
      <Steps steps={(next.data?.nextSteps ?? []).filter(({ kind }) => kind !== 'watch' && kind !== 'report')} />
    </header>
  )
}

function Figures() {
  const { ref, state } = useRun()
  const { run } = state
  const forecast = useForecast(ref, run)
  const now = useNow()
  const took = atWorkMs(run, run.engine ? now : (run.lastAt ?? now))
  const finish = forecast?.endsAt ?? null
  const toCome = forecast?.costUsd ?? 0
  const budget = run.budgets?.budgetUsd ?? null
  return (
    <dl className="figures">
      <div>
        <dt>Time</dt>
        <dd>
          {formatDuration(run.engine ? Math.floor(took / 1000) * 1000 : took)}
          {finish !== null && (
            <small>done about {new Date(finish).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}</small>
          )}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          {costText(run.usage)}
          {(budget !== null || toCome > 0) && (
            <small>
              {[budget === null ? '' : `of ${money(budget)}`, toCome > 0 ? `about ${money(toCome)} to come` : '']
                .filter(Boolean)
                .join(', ')}
            </small>
          )}
        </dd>
      </div>
      {run.engine && (
        <div>
          <dt>At work</dt>
          <dd>
            {run.counts.running} of <Slots />
          </dd>
        </div>
      )}
    </dl>
  )
}

function Steps({ steps }: { steps: readonly NextStep[] }) {
  const [first, ...rest] = steps
  if (!first) return null
  return (
    <details className="steps">
      <summary>
        Next: <span className="soft">{first.what}</span>
        {rest.length > 0 && <span className="soft"> and {rest.length} more</span>}
      </summary>
      <ul>
        {steps.map(({ command, what }) => (
          <li key={command}>
            <Copy text={command} />
            <span className="soft">{what}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
