// What can be done with a task from here.
import { useAction } from '../../data/actions.ts'
import { useMay } from '../../data/queries.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { isBad, type TaskStatus, type TaskView } from '../../shared.ts'
import { answerText } from '../queue/answer-text.ts'
import { useRun } from '../run/run-context.ts'

const OPEN: ReadonlySet<TaskStatus> = new Set(['pending', 'ready', 'running', 'landing'])

export function TaskActions({ task }: { task: TaskView }) {
  const { ref, state, plan } = useRun()
  const priority = task.priority ?? plan?.tasks.find(({ id }) => id === task.id)?.priority ?? 0
  const may = useMay('run')
  const which = { ...ref, task: task.id }
  const cancel = useAction(async (client) => {
    await client.tasks.cancel(which)
    return `Cancelling ${task.id}.`
  })
  const raise = useAction(async (client, by: number) => {
    await client.tasks.change({ ...which, priority: priority + by })
    return `${task.id} now has priority ${priority + by}.`
  })
  const folder = useAction(async (client) => {
    const { path } = await client.tasks.open(which)
    return `Its work is in ${path}.`
  })
  const retry = useAction(async (client) => {
    await client.runs.retry({ ...ref, tasks: [task.id] })
    return `Trying ${task.id} again.`
  })
  const open = useAction(async (client) => {
    const { path, files } = await client.tasks.openConflict(which)
    return `Resolve ${files.join(', ')} in ${path}, then come back.`
  })
  const answer = useAction(async (client, answer: 'resolved' | 'give-up') => {
    return answerText(await client.tasks.answerConflict({ ...which, answer }), answer)
  })
  if (!may) return null
  const { status } = task
  return (
    <div className="task-actions">
      {status === 'conflict' && (
        <>
          <button type="button" onClick={() => open.mutate(undefined)} disabled={open.isPending}>
            Open in a worktree
          </button>
          <button type="button" onClick={() => answer.mutate('resolved')} disabled={answer.isPending}>
            I have resolved it
          </button>
          <ConfirmButton
            label="Give up"
            question={`Give up ${task.id}?`}
            yes="Give it up"
            onYes={() => answer.mutate('give-up')}
            isBusy={answer.isPending}
            className="quiet-danger"
          >
            <p>Its work is kept as a ref and does not land.</p>
          </ConfirmButton>
        </>
      )}
      {isBad(status) && !state.run.engine && (
        <button type="button" onClick={() => retry.mutate(undefined)} disabled={retry.isPending}>
          Retry
        </button>
      )}
      {state.run.engine && (status === 'pending' || status === 'ready') && (
        <>
          <button type="button" onClick={() => raise.mutate(1)} disabled={raise.isPending} title={`Now ${priority}`}>
            Raise priority
          </button>
          <button type="button" onClick={() => raise.mutate(-1)} disabled={raise.isPending} title={`Now ${priority}`}>
            Lower
          </button>
        </>
      )}
      {task.history.some(({ commit }) => commit !== null) && status !== 'conflict' && (
        <button type="button" onClick={() => folder.mutate(undefined)} disabled={folder.isPending}>
          Open folder
        </button>
      )}
      {OPEN.has(status) && (
        <ConfirmButton
          label="Cancel task"
          question={`Cancel ${task.id}?`}
          yes="Cancel the task"
          onYes={() => cancel.mutate(undefined)}
          isBusy={cancel.isPending}
          className="quiet-danger"
          title="Cancel the task (c)"
          shortcut={{ keys: 'c', what: 'Cancel the task', group: 'Task' }}
        >
          <p>{status === 'running' ? 'Its agent is stopped; what it did is kept.' : 'It is not started.'}</p>
          <p className="soft">What needs it is blocked.</p>
        </ConfirmButton>
      )}
    </div>
  )
}
