// A task in a line: what it is, what it is doing or waits for, and what it took.
import { memo } from 'react'
import { useProgress } from '../../data/live.ts'
import { StatusSign } from '../../parts/status-sign.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { messageParts, money, type TaskView, tellingLine } from '../../shared.ts'
import { costOf } from './order.ts'

type Props = {
  task: TaskView
  index: number
  wait: string | null
  href: string
  isOpen: boolean
  isCursor: boolean
  top: number
  height: number
}

export const TaskRow = memo(function TaskRow({ task, index, wait, href, isOpen, isCursor, top, height }: Props) {
  const last = task.history.at(-1)
  const cost = costOf(task)
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      className={`row${isOpen ? ' open' : ''}${isCursor ? ' cursor' : ''}`}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <span role="cell" className="status">
        <StatusSign status={task.status} />
        <span className="word">{task.status}</span>
      </span>
      <span role="cell" className="name">
        <a href={href} className="mono" aria-current={isOpen ? 'true' : undefined}>
          {task.id}
        </a>
        <span className="title">{task.title === task.id ? '' : task.title}</span>
      </span>
      <span role="cell" className="doing">
        {task.status === 'running' ? <Doing task={task.id} /> : <Remark task={task} wait={wait} />}
      </span>
      <span role="cell" className="number attempts">
        {task.attempts > 1 ? `${task.attempts} attempts` : ''}
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

function Remark({ task, wait }: { task: TaskView; wait: string | null }) {
  if (task.failure) {
    const { said, output } = messageParts(task.failure.message)
    const tone = task.status === 'failed' ? 'bad' : task.status === 'landed' ? 'soft' : 'warn'
    return (
      <span className={tone}>
        {task.failure.reason}: {tellingLine(output) ?? said}
      </span>
    )
  }
  if (wait !== null) return <span className="soft">{wait}</span>
  return <span className="soft">{task.history.at(-1)?.summary ?? ''}</span>
}
