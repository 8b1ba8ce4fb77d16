// The landing queue: what waits for a person first, what is verified now, what was sent back and why, and every batch.
import { TableScroll } from '../../parts/table-scroll.tsx'
import '../panels.css'
import './queue.css'
import { useRef } from 'react'
import { moveFocus, useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { useNow } from '../../data/now.ts'
import { useLandings, useQueue } from '../../data/run-queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Elapsed, Moment } from '../../parts/time.tsx'
import { type Answer, formatDuration } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { BatchTable } from './batch-table.tsx'
import { Conflict } from './conflict.tsx'
import { SentBack } from './sent-back.tsx'
import { TaskLinks } from './task-links.tsx'

type Queue = Answer<'runs.queue'>

export default function QueueView() {
  const { ref, state } = useRun()
  const queue = useQueue(ref, state.run)
  useKeys([
    { keys: 'j', what: 'Next task', run: () => moveFocus('.queue a, .queue summary', 1), group: 'Landing' },
    { keys: 'k', what: 'Task before', run: () => moveFocus('.queue a, .queue summary', -1), group: 'Landing' },
  ])
  if (queue.error && !queue.data) return <Failure error={queue.error} onRetry={() => void queue.refetch()} />
  if (!queue.data) return <p className="quiet pad">Loading …</p>
  const { facts, conflicts, refusals, waiting } = queue.data
  return (
    <div className="sheet queue">
      {conflicts.map((conflict) => (
        <Conflict key={`${conflict.task} ${conflict.since}`} conflict={conflict} />
      ))}
      <Now queue={queue.data} />
      {refusals.length > 0 && <SentBack refusals={refusals} />}
      {facts && <BatchTable batches={facts.batches} />}
      <Landings />
      {!facts && waiting.length === 0 && (
        <p className="quiet">
          Nothing is verified on the branch: work lands as soon as it is merged. <code>landing.verify</code> in the plan
          names commands that have to pass first.
        </p>
      )}
    </div>
  )
}

function Now({ queue: { now, waiting, facts } }: { queue: Queue }) {
  const { run } = useRun().state
  const isBusy = waiting.length > 0 || (now?.verifying.length ?? 0) > 0
  return (
    <section className="panel" aria-label="Now">
      <dl className="figures">
        <div>
          <dt>Landed</dt>
          <dd>
            {run.counts.landed} <small>of {run.counts.total} tasks</small>
          </dd>
        </div>
        <div>
          <dt>Waiting</dt>
          <dd>
            {waiting.length} <small>{waiting.length === 1 ? 'task' : 'tasks'}</small>
          </dd>
        </div>
        {facts && (
          <>
            <div>
              <dt>Verifications</dt>
              <dd>
                {facts.verifications} <small>{detailOf(facts)}</small>
              </dd>
            </div>
            <div>
              <dt>Time verifying</dt>
              <dd>
                {formatDuration(facts.verifyMs)}
                <small>{formatDuration(facts.verifyMs / Math.max(1, facts.verifications))} each</small>
              </dd>
            </div>
          </>
        )}
      </dl>
      {isBusy && (
        <ul className="verifying">
          {now?.verifying.map(({ verification, tasks, commit, since }) => (
            <li key={verification} className="inline">
              <span className="live">Verifying</span> {tasks} {tasks === 1 ? 'task' : 'tasks'} as{' '}
              <code>{commit.slice(0, 10)}</code>
              <span className="soft">
                for <Elapsed from={since} to={null} />
              </span>
            </li>
          ))}
          {waiting.length > 0 && (
            <li className="inline">
              <span className="soft">Waiting to land</span> <TaskLinks tasks={waiting} />
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function detailOf({ cached, halted, flakes }: NonNullable<Queue['facts']>): string {
  const parts = [
    ...[cached > 0 ? `${cached} known before` : '', halted > 0 ? `${halted} halted` : ''],
    flakes > 0 ? `${flakes} flaky` : '',
  ].filter(Boolean)
  return parts.join(', ') || 'all run'
}

const HOUR_MS = 3_600_000

function Landings() {
  const { ref, state } = useRun()
  const { data } = useLandings(ref, state.run)
  const panel = useRef<HTMLElement>(null)
  const [since, setSince] = useQueryWord('landed')
  const now = useNow()
  const isRecent = since === 'hour'
  const change = () => {
    setSince(isRecent ? '' : 'hour')
    panel.current?.scrollIntoView({ block: 'nearest' })
  }
  useKeys([{ keys: 'h', what: 'What landed in the last hour, or ever', run: change, group: 'Landing' }])
  if (!data || data.length === 0) return null
  const recent = data.filter(({ at }) => at > now - HOUR_MS)
  const tasks = recent.reduce((sum, landing) => sum + landing.tasks.length, 0)
  const shown = isRecent ? recent : data
  return (
    <section className="panel" aria-labelledby="landings" ref={panel}>
      <header>
        <h2 id="landings">Landed</h2>
        <button type="button" className="chip" aria-pressed={isRecent} title="In the last hour (h)" onClick={change}>
          in the last hour <b>{tasks}</b>
        </button>
      </header>
      {shown.length === 0 && <p className="quiet">Nothing landed in the last hour.</p>}
      {shown.length > 0 && (
        <TableScroll label="Landed">
          <table>
            <thead>
              <tr>
                <th>When</th>
                <th>Commit</th>
                <th>Tasks</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ at, commit, tasks: landed }) => (
                <tr key={commit}>
                  <td className="nowrap">
                    <Moment at={at} />
                  </td>
                  <td>
                    <code>{commit.slice(0, 10)}</code>
                  </td>
                  <td>
                    <TaskLinks tasks={landed} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </section>
  )
}
