// Runs of suites: how each entry fared by variant, two variants or two trees side by side, what is flaky, and how it was before.
import '../panels.css'
import './suites.css'
import { moveFocus, useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { useSuite, useSuiteRuns } from '../../data/project-queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { RunChoice, RunLinks } from '../../parts/run-choice.tsx'
import { Moment } from '../../parts/time.tsx'
import { formatDuration, type SuiteStatus } from '../../shared.ts'
import { Compare } from './compare.tsx'
import { Entries } from './entries.tsx'
import { History } from './history.tsx'
import { Matrix } from './matrix.tsx'
import { TreeComparison } from './tree-comparison.tsx'

export default function SuitesView({ project }: { project: string }) {
  const runs = useSuiteRuns(project)
  const [chosen, setChosen] = useQueryWord('run')
  const run = chosen === '' ? (runs.data?.[0]?.run ?? '') : chosen
  const suite = useSuite(project, run, runs.data?.find((one) => one.run === run) ?? null)
  const places = runs.data?.map((one) => one.run) ?? []
  const by = (step: number) => {
    const next = places[places.indexOf(run) + step]
    if (next !== undefined) setChosen(next)
  }
  useKeys([
    { keys: '[', what: 'Older run of a suite', run: () => by(1), group: 'Suites' },
    { keys: ']', what: 'Newer run of a suite', run: () => by(-1), group: 'Suites' },
    { keys: 'j', what: 'Next entry', run: () => moveFocus('.suites summary', 1), group: 'Suites' },
    { keys: 'k', what: 'Entry before', run: () => moveFocus('.suites summary', -1), group: 'Suites' },
  ])
  if (runs.error && !runs.data) return <Failure error={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <p className="quiet">Loading …</p>
  if (runs.data.length === 0)
    return (
      <p className="quiet">
        No suite has run yet. <code>espalier suite run</code> runs the one in <code>suite.yaml</code>.
      </p>
    )
  return (
    <div className="sheet suites">
      <div className="inline">
        <RunChoice label="Run" runs={runs.data} run={run} onChoose={setChosen} />
        <RunLinks project={project} run={run} />
      </div>
      {suite.error && <Failure error={suite.error} onRetry={() => void suite.refetch()} />}
      {suite.data && <Suite project={project} suite={suite.data} />}
      <History project={project} newest={runs.data[0] ?? null} />
    </div>
  )
}

function Suite({ project, suite }: { project: string; suite: SuiteStatus }) {
  const { report } = suite
  return (
    <>
      <Summary suite={suite} />
      {report.matrix && <Matrix matrix={report.matrix} />}
      {report.matrix && report.matrix.variants.length > 1 && <Compare matrix={report.matrix} />}
      {report.comparison && <TreeComparison comparison={report.comparison} compared={report.compared} />}
      <Entries project={project} report={report} />
    </>
  )
}

function Summary({ suite: { report, progress, leftMs } }: { suite: SuiteStatus }) {
  const { summary, ok, status, name, base } = report
  const isOver = status !== 'running'
  return (
    <section className="panel" aria-label="Result">
      <dl className="figures">
        <div>
          <dt>Passed</dt>
          <dd className={ok ? 'good' : isOver ? 'bad' : ''}>
            {ok ? '✓ ' : isOver ? '✗ ' : ''}
            {summary.passed + summary.flaky} of {summary.total}
            <small>{partsOf(summary)}</small>
          </dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>
            {formatDuration(summary.durationMs)}
            <small>
              {leftMs === null
                ? `${formatDuration(summary.sequentialMs)} one after the other`
                : `${formatDuration(leftMs)} left`}
            </small>
          </dd>
        </div>
        <div>
          <dt>Workers</dt>
          <dd>
            {summary.workers}
            <small>
              {summary.speedUp === null ? '' : `${summary.speedUp.toFixed(1)} times as fast`}
              {summary.efficiency === null ? '' : `, ${Math.round(summary.efficiency * 100)}% used`}
            </small>
          </dd>
        </div>
        {!isOver && (
          <div>
            <dt>Progress</dt>
            <dd>
              {progress.completed}/{progress.total}
              <small>{progress.running} running</small>
            </dd>
          </div>
        )}
        <div>
          <dt>Started</dt>
          <dd>
            <Moment at={summary.startedAt} />
            <small>
              {name} at <code>{base.slice(0, 12)}</code>
            </small>
          </dd>
        </div>
      </dl>
    </section>
  )
}

function partsOf({ flaky, failed, blocked, cancelled, quarantined }: SuiteStatus['report']['summary']): string {
  const parts = Object.entries({ flaky, failed, blocked, cancelled, 'in quarantine': quarantined })
  return (
    parts
      .filter(([, count]) => count > 0)
      .map(([word, count]) => `${count} ${word}`)
      .join(', ') || 'at the first try'
  )
}
