// The tasks of a run as a list: what needs attention first, filtered by words and status.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { StatusSign } from '../../parts/status-sign.tsx'
import { STATUS_ORDER, type TaskStatus } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { filterTasks, ORDERS, type Order, sortTasks } from './order.ts'
import { TaskRow } from './task-row.tsx'

const ROW_HEIGHT = 38
const NARROW_ROW_HEIGHT = 62

export default function ListView() {
  const { tasks, state, waitOf, place, openTask, hrefOfTask } = useRun()
  const [words, setWords] = useQueryWord('find')
  const [status, setStatus] = useQueryWord('status')
  const [order, setOrder] = useQueryWord('order', 'attention')
  const [cursor, setCursor] = useState<string | null>(place.task)
  const field = useRef<HTMLInputElement>(null)
  const shown = useMemo(
    () => sortTasks(filterTasks(tasks, words, status as TaskStatus | ''), order as Order),
    [tasks, words, status, order],
  )
  const { scroller, virtual } = useRows(shown.length)

  useEffect(() => {
    if (place.task !== null) setCursor(place.task)
  }, [place.task])

  const move = (by: number) => {
    const now = shown.findIndex(({ id }) => id === cursor)
    const next = shown[Math.max(0, Math.min(shown.length - 1, now < 0 ? 0 : now + by))]
    if (!next) return
    setCursor(next.id)
    virtual.scrollToIndex(shown.indexOf(next))
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.row.cursor a')?.focus({ preventScroll: true }))
    if (place.task !== null) openTask(next.id, place.part ?? undefined)
  }
  useKeys([
    { keys: 'j', what: 'Next task', run: () => move(1), group: 'List' },
    { keys: 'k', what: 'Task before', run: () => move(-1), group: 'List' },
    { keys: 'Enter', what: 'Open the task', run: () => cursor !== null && openTask(cursor), group: 'List' },
    { keys: '/', what: 'Find tasks', run: () => field.current?.focus(), group: 'List' },
  ])
  const { counts } = state.run
  const present = STATUS_ORDER.filter((one) => counts[one] > 0)
  return (
    <div className="list">
      <div className="tools">
        <input
          ref={field}
          type="search"
          placeholder="Find tasks  /"
          aria-label="Find tasks"
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter' || key === 'Escape') currentTarget.blur()
          }}
        />
        <div className="chips" role="group" aria-label="Only one status">
          {present.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={status === one}
              onClick={() => setStatus(status === one ? '' : one)}
            >
              <StatusSign status={one} size={13} />
              {one} <b>{counts[one]}</b>
            </button>
          ))}
        </div>
        <label className="order">
          <span className="soft">Order</span>{' '}
          <select value={order} onChange={({ target }) => setOrder(target.value)}>
            {Object.entries(ORDERS).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {shown.length === 0 && <p className="quiet">No task fits.</p>}
      <div className="rows" ref={scroller} role="table" aria-label="Tasks" aria-rowcount={shown.length}>
        <div style={{ height: virtual.getTotalSize() }} role="rowgroup">
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const task = shown[index]
            if (!task) return null
            return (
              <TaskRow
                key={task.id}
                task={task}
                index={index}
                wait={waitOf(task)}
                href={hrefOfTask(task.id)}
                isOpen={task.id === place.task}
                isCursor={task.id === cursor}
                top={start}
                height={size}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function useRows(count: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const isNarrow = useIsNarrow()
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT),
    overscan: 12,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights depend on it
  useEffect(() => virtual.measure(), [isNarrow, virtual])
  return { scroller, virtual }
}

function useIsNarrow(): boolean {
  const query = '(max-width: 760px)'
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const media = window.matchMedia(query)
    const listen = () => setNarrow(media.matches)
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [])
  return isNarrow
}
