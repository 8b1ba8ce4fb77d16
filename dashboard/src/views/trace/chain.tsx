// The chain of a task: objective, decisions, task, attempts with their sessions and commits, and the landing.
import type { ReactNode } from 'react'
import { Copy } from '../../parts/copy.tsx'
import { StatusSign } from '../../parts/status-sign.tsx'
import { Elapsed, Moment } from '../../parts/time.tsx'
import { costText, type TaskTrace, type Trace, tokensText } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'

export function Chain({ trace }: { trace: TaskTrace }) {
  const { hrefOfTask } = useRun()
  const { objective, epic, decisions, task, title, status, attempts, landing } = trace
  const own = decisions.filter((one) => !epic?.decisions.includes(one))
  return (
    <ol className="chain" aria-label={`Trace of ${task}`}>
      <Link kind="Objective">
        {objective ?? <span className="soft">The plan names no objective.</span>}
        {epic && (
          <p className="soft">
            Epic {epic.id}
            {epic.title !== epic.id && `: ${epic.title}`}
          </p>
        )}
      </Link>
      <Link kind={decisions.length === 1 ? 'Decision' : 'Decisions'}>
        {decisions.length === 0 && <span className="soft">None is named.</span>}
        <ul>
          {epic?.decisions.map((one) => (
            <li key={one}>
              {one} <span className="soft">of the epic</span>
            </li>
          ))}
          {own.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </Link>
      <Link kind="Task" sign={<StatusSign status={status} size={18} />}>
        <a href={hrefOfTask(task)} className="mono">
          {task}
        </a>{' '}
        {title !== task && <span>{title}</span>} <span className="soft">{status}</span>
      </Link>
      {attempts.map((attempt) => (
        <Attempt key={attempt.attempt} task={task} attempt={attempt} />
      ))}
      <Link kind="Landing" isEnd>
        {landing ? (
          <>
            <p>
              <Copy text={landing.commit.slice(0, 12)} /> {subjectOf(landing)} on <code>{trace.branch}</code>{' '}
              {landing.at !== null && (
                <span className="soft">
                  <Moment at={landing.at} />
                </span>
              )}
            </p>
            {landing.tasks.length > 1 && (
              <p className="soft">together with {landing.tasks.filter((one) => one !== task).join(', ')}</p>
            )}
            <Commits commits={landing.commits.filter(({ commit }) => commit !== landing.commit)} />
          </>
        ) : (
          <span className="soft">It has not landed.</span>
        )}
      </Link>
    </ol>
  )
}

type LinkProps = { kind: string; sign?: ReactNode; isEnd?: boolean; children: ReactNode }

function Link({ kind, sign, isEnd = false, children }: LinkProps) {
  return (
    <li className={isEnd ? 'end' : ''}>
      <span className="knot" aria-hidden="true">
        {sign ?? <i />}
      </span>
      <div>
        <h3>{kind}</h3>
        {children}
      </div>
    </li>
  )
}

function Attempt({ task, attempt }: { task: string; attempt: TaskTrace['attempts'][number] }) {
  const { hrefOfTask } = useRun()
  const { startedAt, finishedAt, outcome, failure, session, commits } = attempt
  return (
    <Link kind={`Attempt ${attempt.attempt}`}>
      <p>
        {failure ? (
          <b className="bad">{failure.reason}</b>
        ) : (
          <span>{outcome ?? <span className="live">running</span>}</span>
        )}{' '}
        <span className="soft">
          <Moment at={startedAt} />, <Elapsed from={startedAt} to={finishedAt} />
        </span>
      </p>
      {session && (
        <p className="inline">
          <span>
            Session of {session.agent}
            {session.model && ` with ${session.model}`}
          </span>
          {session.session && <code>{session.session}</code>}
          <span className="soft">
            {session.turns > 0 && `${session.turns} turns, ${session.toolCalls} tool calls, `}
            {session.usage ? `${costText(session.usage)}, ${tokensText(session.usage)}` : 'nothing counted'}
          </span>
          <a href={hrefOfTask(task, 'output')}>Output</a>
        </p>
      )}
      <Commits commits={commits} />
    </Link>
  )
}

/** Of the commit that landed. */
function subjectOf({ commit, commits }: NonNullable<TaskTrace['landing']>): string {
  return commits.find((one) => one.commit === commit)?.subject ?? ''
}

function Commits({ commits }: { commits: NonNullable<TaskTrace['landing']>['commits'] }) {
  if (commits.length === 0) return null
  return (
    <ul className="commits">
      {commits.map(({ commit, subject, author }) => (
        <li key={commit}>
          <code>{commit.slice(0, 10)}</code> {subject} <span className="soft">{author}</span>
        </li>
      ))}
    </ul>
  )
}

const PARTS = {
  landing: 'It brought the tasks below onto the branch.',
  landed: 'It came with the landing of the tasks below.',
  work: 'An attempt of the task below left it.',
  copy: 'Somebody made it of a landing: only what it says of itself tells.',
} as const

export function CommitPart({ commit }: { commit: NonNullable<Trace['commit']> }) {
  return (
    <section className="panel" aria-label="Commit">
      <p>
        <code>{commit.commit.slice(0, 12)}</code> <b>{commit.subject}</b> <span className="soft">{commit.author}</span>
      </p>
      <p className="soft">{PARTS[commit.part]}</p>
    </section>
  )
}
