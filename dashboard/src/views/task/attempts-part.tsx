// The overview of a task: what it needs and claims, and each attempt with its checks, cost and notes.
import { Elapsed, Moment } from '../../parts/time.tsx'
import {
  type AttemptView,
  attemptAgent,
  attemptTone,
  attemptWord,
  costText,
  formatDuration,
  tokensText,
} from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { FailureNote } from './failure-note.tsx'
import type { PartProps } from './task-panel.tsx'

export function AttemptsPart({ task }: PartProps) {
  const { plan, state, hrefOfTask } = useRun()
  const planned = plan?.tasks.find(({ id }) => id === task.id)
  const needed = plan?.tasks.filter(({ needs }) => needs.includes(task.id)).map(({ id }) => id) ?? []
  const link = (id: string) => (
    <a key={id} href={hrefOfTask(id)} className={`mono need ${state.byId.get(id)?.status ?? ''}`}>
      {id}
    </a>
  )
  const claims = planned ? [...planned.claims.write, ...planned.claims.read.map((glob) => `${glob} (read)`)] : []
  return (
    <>
      <dl className="facts">
        {task.needs.length > 0 && (
          <div>
            <dt>Needs</dt>
            <dd>{task.needs.map(link)}</dd>
          </div>
        )}
        {needed.length > 0 && (
          <div>
            <dt>Needed by</dt>
            <dd>{needed.slice(0, MOST_LINKS).map(link)}</dd>
          </div>
        )}
        {claims.length > 0 && (
          <div>
            <dt>Claims</dt>
            <dd>
              {claims.map((glob) => (
                <code key={glob}>{glob}</code>
              ))}
            </dd>
          </div>
        )}
        {planned && planned.verify.length > 0 && (
          <div>
            <dt>Checks</dt>
            <dd>
              {planned.verify.map((command) => (
                <code key={command}>{command}</code>
              ))}
            </dd>
          </div>
        )}
        {task.landedCommit !== null && (
          <div>
            <dt>Landed</dt>
            <dd>
              <code>{task.landedCommit.slice(0, 10)}</code> {task.landedAt !== null && <Moment at={task.landedAt} />}
            </dd>
          </div>
        )}
      </dl>
      {task.history.length === 0 && <p className="quiet">It has not started yet.</p>}
      {task.history.toReversed().map((attempt) => (
        <Attempt key={attempt.attempt} attempt={attempt} isLast={attempt.attempt === task.attempts} />
      ))}
    </>
  )
}

const MOST_LINKS = 40

function Attempt({ attempt, isLast }: { attempt: AttemptView; isLast: boolean }) {
  const { usage, checks = [], notes = [], touched, undeclared, flagged } = attempt
  return (
    <section className="attempt">
      <h3>
        <span>Attempt {attempt.attempt}</span>
        <span className={attemptTone(attempt)}>{attemptWord(attempt)}</span>
        <span className="soft">
          {[attemptAgent(attempt), `slot ${attempt.slot}`].filter(Boolean).join(' · ')} ·{' '}
          <Elapsed from={attempt.startedAt} to={attempt.finishedAt} />
          {usage && ` · ${costText(usage)}`}
        </span>
      </h3>
      {attempt.failure && !isLast && <FailureNote failure={attempt.failure} />}
      {attempt.summary && <p>{attempt.summary}</p>}
      <dl className="facts">
        {checks.length > 0 && (
          <div>
            <dt>Checks</dt>
            <dd>
              {checks.map(({ command, passed, durationMs }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same command may run twice, in this order
                <span key={index} className="check">
                  <span className={passed ? 'good' : 'bad'}>{passed ? '✓' : '✗'}</span> <code>{command}</code>{' '}
                  <span className="soft">{formatDuration(durationMs)}</span>
                </span>
              ))}
            </dd>
          </div>
        )}
        {usage && (
          <div>
            <dt>Tokens</dt>
            <dd>{tokensText(usage)}</dd>
          </div>
        )}
        {touched && <Paths title="Changed" {...touched} />}
        {undeclared && <Paths title="Outside its claims" {...undeclared} />}
        {flagged && <Paths title="Obeyed by programs" {...flagged} />}
        {notes.map(({ kind, text, at }) => (
          <div key={`${kind} ${at}`}>
            <dt>{kind}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Paths({ title, paths, count }: { title: string; paths: readonly string[]; count: number }) {
  const shown = paths.slice(0, MOST_PATHS)
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {shown.map((path) => (
          <code key={path}>{path}</code>
        ))}
        {count > shown.length && <span className="soft">{count} in all</span>}
      </dd>
    </div>
  )
}

const MOST_PATHS = 12
