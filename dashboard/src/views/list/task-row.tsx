// A task in a line: what it is, what it is doing or waits for, and what it took.
import { type CSSProperties, memo } from 'react'
import { useProgress } from '../../data/live.ts'
import { StatusSign } from '../../parts/status-sign.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { messageParts, money, type TaskView, tellingLine, type Wait, waitText } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { costOf } from './order.ts'

type Props = {
  task: TaskView
  index: number
  wait: Wait | null
  isOpen: boolean
  isCursor: boolean
  style: CSSProperties
}

export const TaskRow = memo(function TaskRow({ task, index, wait, isOpen, isCursor, style }: Props) {
  const { hrefOfTask } = useRun()
  const last = task.history.at(-1)
  const cost = costOf(task)
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      className={`row${isOpen ? ' open' : ''}${isCursor ? ' cursor' : ''}`}
      style={style}
    >
      <span role="cell" className="status">
        <StatusSign status={task.status} />
        <span className="word">{task.status}</span>
      </span>
      <span role="cell" className="name">
        <a href={hrefOfTask(task.id)} className="mono" aria-current={isOpen ? 'true' : undefined}>
          {task.id}
        </a>
        <span className="title">{task.title === task.id ? '' : task.title}</span>
      </span>
      <span role="cell" className="doing">
        {task.status === 'running' ? <Doing task={task.id} /> : <Remark task={task} wait={wait} />}
      </span>
      <span role="cell" className="number tries">
        {task.attempts > 1 ? `${task.attempts} tries` : ''}
      </span>
      <span role="cell" className="number lines">
        {last?.diff && (
          <>
            <span className="good">+{last.diff.insertions}</span> <span className="bad">−{last.diff.deletions}</span>
          </>
        )}
      </span>
      <span role="cell" className="number time">
        {last && <Elapsed from={last.startedAt} to={last.finishedAt} />}
      </span>
      <span role="cell" className="number cost">
        {cost > 0 ? money(cost) : ''}
      </span>
    </div>
  )
})

function Doing({ task }: { task: string }) {
  return <span className="live">{useProgress(task)}</span>
}

function Remark({ task, wait }: { task: TaskView; wait: Wait | null }) {
  if (task.failure) {
    const { said, output } = messageParts(task.failure.message)
    const tone = task.status === 'failed' ? 'bad' : task.status === 'landed' ? 'soft' : 'warn'
    return (
      <span className={tone}>
        {task.failure.reason}: {tellingLine(output) ?? said}
      </span>
    )
  }
  if (wait) return <span className="soft">{waitText(wait, Date.now())}</span>
  return <span className="soft">{task.history.at(-1)?.summary ?? ''}</span>
}
