// The report: figures, what went wrong, and the tables that the Markdown report has, too.
import './summary.css'
import { useSummary } from '../../data/queries.ts'
import { useData } from '../../data/source.ts'
import { Failure } from '../../parts/failure.tsx'
import { Sections } from '../../parts/sections.tsx'
import { StatusSign } from '../../parts/status-sign.tsx'
import type { FailedTask, Summary } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { FailureNote } from '../task/failure-note.tsx'

export default function SummaryView() {
  const { ref, state, hrefOfTask } = useRun()
  const { recording } = useData()
  const { run } = state
  const summary = useSummary(ref, run)
  if (summary.error && !summary.data) return <Failure error={summary.error} onRetry={() => void summary.refetch()} />
  if (!summary.data) return <p className="quiet pad">Loading …</p>
  const { figures, failures, failuresLeftOut, sections, notes } = summary.data
  return (
    <div className="summary">
      {recording?.kind !== 'simulation' && <FigureList figures={figures} />}
      {failures.length > 0 && (
        <section>
          <h2>What went wrong</h2>
          {failures.map((failed) => (
            <Failed key={failed.task} failed={failed} />
          ))}
          {failuresLeftOut > 0 && <p className="soft">And {failuresLeftOut} more, in the list.</p>}
        </section>
      )}
      <Sections sections={sections} hrefOf={(task) => (state.byId.has(task) ? hrefOfTask(task) : null)} />
      {notes.length > 0 && (
        <section>
          <h2>Session notes</h2>
          {notes.map((note) => (
            <details key={note.title}>
              <summary>{note.title}</summary>
              <Sections sections={[{ ...note, title: '' }]} hrefOf={hrefOfTask} />
            </details>
          ))}
        </section>
      )}
      <footer className="soft">
        {run.branch !== '' && (
          <p>
            Branch <code>{run.branch}</code> at <code>{run.head}</code>, from base <code>{run.base}</code>, schedule{' '}
            {run.schedule}.
          </p>
        )}
        {recording && <p>Written {new Date(recording.at).toLocaleString()}. This file loads nothing from anywhere.</p>}
      </footer>
    </div>
  )
}

function FigureList({ figures }: Pick<Summary, 'figures'>) {
  return (
    <dl className="figure-grid">
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Failed({ failed }: { failed: FailedTask }) {
  const { hrefOfTask } = useRun()
  const { task, title, status, attempts, failure, blocks, log } = failed
  const tried = attempts === 0 ? 'never started' : `after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  return (
    <div className="failed-task">
      <h3>
        <StatusSign status={status} />
        <a className="mono" href={hrefOfTask(task)}>
          {task}
        </a>
        <span>{title}</span>
        <span className="soft">
          {status} {tried}
        </span>
      </h3>
      {failure && <FailureNote failure={failure} />}
      {blocks.length > 0 && (
        <p className="soft">
          Blocked:{' '}
          {blocks.slice(0, 20).map((id) => (
            <a key={id} href={hrefOfTask(id)}>
              {id}{' '}
            </a>
          ))}
          {blocks.length > 20 && `and ${blocks.length - 20} more`}
        </p>
      )}
      {log !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre tabIndex={0}>{log}</pre>
      )}
    </div>
  )
}
