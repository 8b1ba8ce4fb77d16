// The tasks of a run as a board: a column for each way a task can stand. A card that is dragged to "Cancelled" is cancelled, one that
// is dragged to "Ready" from among the failed is tried again; the same is done by the buttons of the task.
import './board.css'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type DragEvent, memo, useMemo, useRef, useState } from 'react'
import { moveFocus, useKeys } from '../../app/keyboard.ts'
import { useAction } from '../../data/actions.ts'
import { useProgress } from '../../data/live.ts'
import { useMay } from '../../data/queries.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { StatusSign } from '../../parts/status-sign.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { messageParts, type TaskView, tellingLine } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { COLUMNS, type Column, columnsOf, dropDoes } from './columns.ts'

const CARD_HEIGHT = 78

export default function BoardView() {
  const { ref, tasks, state } = useRun()
  const may = useMay('run')
  const byColumn = useMemo(() => columnsOf(tasks), [tasks])
  const [asked, ask] = useState<{ task: TaskView; does: 'cancel' | 'retry' } | null>(null)
  const cancel = useAction(async (client, task: string) => {
    await client.tasks.cancel({ ...ref, task })
    return `Cancelling ${task}.`
  })
  const retry = useAction(async (client, task: string) => {
    await client.runs.retry({ ...ref, tasks: [task] })
    return `Trying ${task} again.`
  })
  useKeys([
    { keys: 'j', what: 'Next card (Enter opens it)', run: () => moveFocus('.card', 1), group: 'Board' },
    { keys: 'k', what: 'Card before', run: () => moveFocus('.card', -1), group: 'Board' },
  ])
  const drop = (task: TaskView, column: Column) => {
    const does = dropDoes(task, column, state.run.engine !== null)
    if (does) ask({ task, does })
  }
  const shown = COLUMNS.filter(({ name, isAlways }) => isAlways || (byColumn.get(name)?.length ?? 0) > 0)
  return (
    <div className="board">
      {shown.map((column) => (
        <BoardColumn
          key={column.name}
          column={column}
          tasks={byColumn.get(column.name) ?? []}
          onDrop={may ? (id) => state.byId.has(id) && drop(state.byId.get(id) as TaskView, column) : null}
        />
      ))}
      <Dialog
        title={asked?.does === 'retry' ? `Try ${asked.task.id} again?` : `Cancel ${asked?.task.id}?`}
        isOpen={asked !== null}
        onClose={() => ask(null)}
      >
        <div className="confirm">
          <p>
            {asked?.does === 'retry'
              ? 'It starts again with what has landed meanwhile.'
              : 'Its agent is stopped and what it did is kept. What needs it is blocked.'}
          </p>
          <div className="buttons">
            <button type="button" onClick={() => ask(null)}>
              Leave it
            </button>
            <button
              type="button"
              className={asked?.does === 'cancel' ? 'danger' : undefined}
              onClick={() => {
                if (asked) (asked.does === 'retry' ? retry : cancel).mutate(asked.task.id)
                ask(null)
              }}
            >
              {asked?.does === 'retry' ? 'Try again' : 'Cancel the task'}
            </button>
          </div>
        </div>
      </Dialog>
    </div>
  )
}

type ColumnProps = { column: Column; tasks: readonly TaskView[]; onDrop: ((task: string) => void) | null }

function BoardColumn({ column, tasks, onDrop }: ColumnProps) {
  const { waitOf, place, hrefOfTask } = useRun()
  const scroller = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    overscan: 6,
  })
  const drag = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onDrop?.(event.dataTransfer.getData('text/plain'))
    },
  }
  return (
    <section
      className={`column${isOver ? ' over' : ''}${tasks.length === 0 ? ' empty' : ''}`}
      aria-label={column.title}
      {...(onDrop ? drag : {})}
    >
      <h2>
        {column.title} <span className="soft">{tasks.length}</span>
      </h2>
      <div ref={scroller} className="cards">
        {tasks.length > 0 && (
          <ul style={{ height: virtual.getTotalSize() }} aria-label={`${column.title}: ${tasks.length} tasks`}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const task = tasks[index]
              if (!task) return null
              return (
                <li key={task.id} style={{ transform: `translateY(${start}px)` }}>
                  <Card task={task} wait={waitOf(task)} href={hrefOfTask(task.id)} isShown={task.id === place.task} />
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </section>
  )
}

type CardProps = { task: TaskView; wait: string | null; href: string; isShown: boolean }

const Card = memo(function Card({ task, wait, href, isShown }: CardProps) {
  const last = task.history.at(-1)
  return (
    <a
      className={`card${isShown ? ' shown' : ''}`}
      href={href}
      draggable
      onDragStart={({ dataTransfer }) => dataTransfer.setData('text/plain', task.id)}
    >
      <span className="first">
        <StatusSign status={task.status} size={14} />
        <b className="mono">{task.id}</b>
        <span className="grow" />
        {last && (
          <span className="soft number">
            <Elapsed from={last.startedAt} to={last.finishedAt} />
          </span>
        )}
      </span>
      <span className="title">{task.title}</span>
      <span className="remark">
        {task.status === 'running' ? <Doing task={task.id} /> : <Remark task={task} wait={wait} />}
      </span>
    </a>
  )
})

function Doing({ task }: { task: string }) {
  return <span className="live">{useProgress(task)}</span>
}

function Remark({ task, wait }: { task: TaskView; wait: string | null }) {
  if (task.failure && task.status !== 'landed') {
    const { said, output } = messageParts(task.failure.message)
    return <span className={task.status === 'failed' ? 'bad' : 'warn'}>{tellingLine(output) ?? said}</span>
  }
  if (wait !== null) return <span className="soft">{wait}</span>
  return <span className="soft">{task.epic ?? ''}</span>
}
