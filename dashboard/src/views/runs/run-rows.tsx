// Runs of a project, the newest first, a row each: verdict, progress, time, cost.
import { FIRST_VIEW, hrefTo } from '../../app/router.ts'
import { useForecast, useRuns } from '../../data/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { Elapsed, Moment } from '../../parts/time.tsx'
import { VerdictSign } from '../../parts/verdict-sign.tsx'
import { type Answer, costText, verdictOf } from '../../shared.ts'

type ListedRun = Answer<'runs.list'>['items'][number]

export function RunRows({ project, atMost }: { project: string; atMost: number }) {
  const runs = useRuns(project)
  const shown = (runs.data ?? []).slice(0, atMost)
  if (runs.error && !runs.data) return <Failure error={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <p className="quiet">Loading …</p>
  if (shown.length === 0)
    return (
      <p className="quiet">
        No runs yet. <code>espalier run</code> starts one.
      </p>
    )
  return (
    <>
      <ul className="runs">
        {shown.map((run) => (
          <RunRow key={run.run} project={project} run={run} />
        ))}
      </ul>
      {runs.data.length > shown.length && (
        <a className="more" href={hrefTo({ kind: 'project', project, view: null })}>
          All {runs.data.length} runs
        </a>
      )}
    </>
  )
}

function RunRow({ project, run }: { project: string; run: ListedRun }) {
  const verdict = verdictOf(run, null)
  const { counts } = run
  const needs = counts.conflict + counts.failed
  const end = run.finishedAt ?? (run.engine ? null : (run.lastAt ?? run.startedAt))
  return (
    <li>
      <a href={hrefTo(placeOf(project, run.run))}>
        <VerdictSign kind={verdict.kind} size={20} />
        <span className="what">
          <b>{verdict.title}</b>
          <span className="soft">
            {run.name} · <span className="mono">{run.run}</span>
          </span>
        </span>
        <span className="bar">
          <ShareBar counts={counts} />
        </span>
        <span className="needs">
          {needs > 0 && (
            <span className={counts.conflict > 0 ? 'warn' : 'bad'}>
              {counts.conflict > 0
                ? `${counts.conflict} ${counts.conflict === 1 ? 'waits' : 'wait'} for you`
                : `${counts.failed} failed`}
            </span>
          )}
        </span>
        <span className="number">
          <Elapsed from={run.startedAt + (run.idleMs ?? 0)} to={end} />
          {run.engine && <Finish project={project} run={run} />}
        </span>
        <span className="number">{costText(run.usage)}</span>
        <span className="number soft">
          <Moment at={run.startedAt} />
        </span>
      </a>
    </li>
  )
}

function Finish({ project, run }: { project: string; run: ListedRun }) {
  const forecast = useForecast({ project, run: run.run }, run)
  if (!forecast?.endsAt) return null
  const time = new Date(forecast.endsAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return <small className="soft">until about {time}</small>
}

function placeOf(project: string, run: string) {
  return { kind: 'run', project, run, view: FIRST_VIEW, task: null, part: null } as const
}
