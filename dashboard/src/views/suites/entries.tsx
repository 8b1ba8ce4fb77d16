// The entries of a run of a suite: what failed first, each with its tries, and what a person needs to repeat it.
import { useMemo, useState } from 'react'
import { hrefTo } from '../../app/router.ts'
import { Copy } from '../../parts/copy.tsx'
import { StatusSign } from '../../parts/status-sign.tsx'
import {
  formatDuration,
  messageParts,
  type ReportedEntry,
  type SuiteReport,
  stabilityText,
  type TaskStatus,
  testsText,
} from '../../shared.ts'

type Verdict = ReportedEntry['verdict']

const ORDER: readonly Verdict[] = ['failed', 'flaky', 'running', 'blocked', 'cancelled', 'pending', 'passed']

export const VERDICT_SIGN: Record<Verdict, TaskStatus> = {
  passed: 'landed',
  flaky: 'conflict',
  failed: 'failed',
  blocked: 'blocked',
  cancelled: 'cancelled',
  running: 'running',
  pending: 'pending',
}

const MOST = 200

export function Entries({ project, report }: { project: string; report: SuiteReport }) {
  const [isAll, setAll] = useState(false)
  const [isSlowest, setSlowest] = useState(false)
  const sorted = useMemo(
    () => report.entries.toSorted(isSlowest ? byTime : (a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict)),
    [report, isSlowest],
  )
  const shown = isAll ? sorted : sorted.slice(0, MOST)
  return (
    <section className="panel" aria-labelledby="entries">
      <header>
        <h2 id="entries">
          Entries <span className="soft">{report.entries.length}</span>
        </h2>
        <label>
          <input type="checkbox" checked={isSlowest} onChange={({ target }) => setSlowest(target.checked)} /> slowest
          first
        </label>
      </header>
      <ul className="entries">
        {shown.map((entry) => (
          <li key={entry.id}>
            <Entry project={project} run={report.run} entry={entry} />
          </li>
        ))}
      </ul>
      {sorted.length > shown.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {sorted.length}
        </button>
      )}
    </section>
  )
}

function byTime(a: ReportedEntry, b: ReportedEntry): number {
  return (b.durationMs ?? -1) - (a.durationMs ?? -1)
}

function Entry({ project, run, entry }: { project: string; run: string; entry: ReportedEntry }) {
  const { id, verdict, tries, durationMs, failure, stability, newlyFailing, quarantined, environment, kept } = entry
  const tests = testsText(entry)
  return (
    <details>
      <summary>
        <StatusSign status={VERDICT_SIGN[verdict]} size={15} />
        <span className="mono id">{id}</span>
        <span className="soft">{verdict}</span>
        {tries.length > 1 && <span className="soft">{tries.length} tries</span>}
        {newlyFailing && <span className="tag bad">newly failing</span>}
        {stability.kind === 'flaky' && (
          <span className="tag warn" title={stabilityText(entry)}>
            flaky
          </span>
        )}
        {quarantined && <span className="tag mute">in quarantine</span>}
        <span className="grow" />
        <span className="soft">{durationMs === null ? '' : formatDuration(durationMs)}</span>
      </summary>
      <div className="entry">
        {failure && (
          <p className="wrap">
            <b className="bad">{failure.reason}</b> {messageParts(failure.message).said}
          </p>
        )}
        {entry.output && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          <pre tabIndex={0}>{entry.output}</pre>
        )}
        {stability.kind === 'flaky' && <p className="soft">It {stabilityText(entry)}.</p>}
        <p className="inline">
          <span className="soft">{entry.runs.kind === 'command' ? 'Command' : 'Plan'}</span>
          <code className="wrap">{entry.runs.kind === 'command' ? entry.runs.command : entry.runs.file}</code>
        </p>
        {tests && (
          <p className="inline">
            <span className="soft">Tests</span> {tests}
          </p>
        )}
        {environment.length > 0 && (
          <p className="inline">
            <span className="soft">Variables</span> <code className="wrap">{environment.join(' ')}</code>
          </p>
        )}
        {kept && (
          <p className="inline">
            <span className="soft">Its worktree as it was</span> <Copy text={kept} />
          </p>
        )}
        {entry.repeat && (
          <p className="inline">
            <span className="soft">Repeat it</span> <Copy text={entry.repeat} />
          </p>
        )}
        <p className="inline">
          {entry.tasks.map((task) => (
            <a
              key={task}
              href={hrefTo({ kind: 'run', project, run, view: 'list', task, part: 'output' })}
            >{`Output of ${task}`}</a>
          ))}
        </p>
      </div>
    </details>
  )
}
