// Tasks by name, each with its sign; a click shows it beside the view.
import { StatusSign } from '../../parts/status-sign.tsx'
import { useRun } from '../run/run-context.ts'

const MOST = 40

export function TaskLinks({ tasks }: { tasks: readonly string[] }) {
  const { state, hrefOfTask } = useRun()
  return (
    <span className="task-links">
      {tasks.slice(0, MOST).map((id) => {
        const task = state.byId.get(id)
        return (
          <a key={id} href={hrefOfTask(id)} title={task ? `${task.title}: ${task.status}` : id}>
            {task && <StatusSign status={task.status} size={13} />}
            <span className="mono">{id}</span>
            {task && <span className="only-heard"> {task.status}</span>}
          </a>
        )
      })}
      {tasks.length > MOST && <span className="soft">and {tasks.length - MOST} more</span>}
    </span>
  )
}
