// Every task of the run with what it is for and what came of it, a row each.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { moveFocus, useKeys } from '../../app/keyboard.ts'
import { StatusSign } from '../../parts/status-sign.tsx'
import { useRun } from '../run/run-context.ts'

type Props = { objective: string | null; onChoose: (task: string) => void }

export function TraceList({ objective, onChoose }: Props) {
  const { tasks, plan } = useRun()
  const scroller = useRef<HTMLDivElement>(null)
  const decisions = useMemo(() => new Map(plan?.tasks.map((task) => [task.id, task.decisions ?? []])), [plan])
  const virtual = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 36,
    overscan: 12,
  })
  useKeys([
    { keys: 'j', what: 'Next task', run: () => moveFocus('.trace-rows button', 1), group: 'Trace' },
    { keys: 'k', what: 'Task before', run: () => moveFocus('.trace-rows button', -1), group: 'Trace' },
  ])
  return (
    <section className="panel" aria-labelledby="objective">
      <h2 id="objective">{objective ?? 'The plan names no objective'}</h2>
      <div ref={scroller} className="trace-rows" role="table" aria-label="Tasks" aria-rowcount={tasks.length}>
        <div style={{ height: virtual.getTotalSize() }} role="rowgroup">
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const task = tasks[index]
            if (!task) return null
            const why = decisions.get(task.id) ?? []
            return (
              <div
                key={task.id}
                role="row"
                aria-rowindex={index + 1}
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                <span role="cell">
                  <StatusSign status={task.status} size={15} />
                  <button type="button" className="plain mono" onClick={() => onChoose(task.id)}>
                    {task.id}
                  </button>
                  <span className="only-heard">{task.status}</span>
                </span>
                <span role="cell" className="soft cut">
                  {why.join(' · ') || task.title}
                </span>
                <span role="cell" className="soft number">
                  {task.attempts === 0 ? '' : `${task.attempts} ${task.attempts === 1 ? 'attempt' : 'attempts'}`}
                </span>
                <span role="cell" className="number">
                  {task.landedCommit && <code>{task.landedCommit.slice(0, 10)}</code>}
                </span>
              </div>
            )
          })}
        </div>
      </div>
    </section>
  )
}
