// A task beside the view it was opened from: how it stands and why, and all there is of its attempts.
import { type ComponentType, lazy, Suspense } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { useProgress } from '../../data/live.ts'
import { StatusSign } from '../../parts/status-sign.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import type { TaskView } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { AttemptsPart } from './attempts-part.tsx'
import { FailureNote } from './failure-note.tsx'
import { TaskActions } from './task-actions.tsx'

export type PartProps = { task: TaskView }
type PartEntry = { name: string; title: string; key: string; Component: ComponentType<PartProps> }

/** The tabs of a task. */
const PARTS: readonly [PartEntry, ...PartEntry[]] = [
  { name: 'attempts', title: 'Overview', key: 'v', Component: AttemptsPart },
  { name: 'output', title: 'Output', key: 'o', Component: lazy(() => import('./output-part.tsx')) },
  { name: 'diff', title: 'Diff', key: 'd', Component: lazy(() => import('./diff-part.tsx')) },
  { name: 'prompt', title: 'Prompt', key: 'p', Component: lazy(() => import('./prompt-part.tsx')) },
]

export default function TaskPanel({ task: id, part }: { task: string; part: string | null }) {
  const { state, openTask, hrefOfTask } = useRun()
  const task = state.byId.get(id)
  useKeys(
    PARTS.map(({ name, title, key }) => ({
      keys: key,
      what: `${title} of the task`,
      run: () => openTask(id, name),
      group: 'Task',
    })),
  )
  const shown = PARTS.find(({ name }) => name === part) ?? PARTS[0]
  return (
    <aside className="task" aria-label={`Task ${id}`}>
      <header>
        <div className="task-title">
          {task && <StatusSign status={task.status} size={20} />}
          <h2>
            <span className="mono">{id}</span>
            {task && task.title !== id && <span>{task.title}</span>}
          </h2>
          <button
            type="button"
            className="plain"
            onClick={() => openTask(null)}
            aria-label="Close the task"
            title="Esc"
          >
            ✕
          </button>
        </div>
        {task && <Standing task={task} />}
        {task && <TaskActions task={task} />}
      </header>
      {task ? (
        <>
          <Tabs
            label="Parts of the task"
            tabs={PARTS.map(({ name, title, key }) => ({
              href: hrefOfTask(id, name),
              title,
              isShown: name === shown.name,
              key,
            }))}
          />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <div className="task-part" tabIndex={0} role="region" aria-label={`${shown.title} of ${id}`}>
            <Suspense fallback={<p className="quiet">Loading …</p>}>
              <shown.Component task={task} />
            </Suspense>
          </div>
        </>
      ) : (
        <p className="quiet">The run has no task {id}.</p>
      )}
    </aside>
  )
}

/** In words: what it is doing, what it waits for, or why it did not succeed. */
function Standing({ task }: { task: TaskView }) {
  const wait = useRun().waitOf(task)
  const doing = useProgress(task.id)
  const last = task.history.at(-1)
  return (
    <div className="standing">
      <p>
        <b>{task.status}</b>
        {task.status === 'running' && doing && <span className="live"> {doing}</span>}
        {wait !== null && <span> {wait}</span>}
        {task.epic && <span className="soft"> · epic {task.epic}</span>}
        {last?.agent && <span className="soft"> · {last.agent}</span>}
      </p>
      {task.failure && <FailureNote failure={task.failure} />}
      {!task.failure && last?.summary && <p className="soft">{last.summary}</p>}
    </div>
  )
}
