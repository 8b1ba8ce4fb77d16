// What stands in the graph: tasks, folded groups, and points where edges meet.
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useProgress } from '../../data/live.ts'
import { ShareBar } from '../../parts/share-bar.tsx'
import { StatusSign } from '../../parts/status-sign.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { type Counts, STATUS_TONE, type TaskView } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { useGraph } from './graph-context.ts'

export const TaskNode = memo(function TaskNode({ id }: NodeProps) {
  const { state, place, hrefOfTask } = useRun()
  const { cursor, found, chain } = useGraph()
  const task = state.byId.get(id)
  if (!task) return null
  const classes = [
    'node',
    `tone-${STATUS_TONE[task.status]}`,
    task.status,
    id === place.task ? 'shown' : '',
    id === cursor ? 'cursor' : '',
    found && !found.has(id) ? 'dim' : '',
    chain.includes(id) ? 'hot' : '',
  ]
  return (
    <>
      <Ends />
      <a
        className={classes.filter(Boolean).join(' ')}
        href={hrefOfTask(id)}
        title={`${id}: ${task.status}\n${task.title}`}
      >
        <StatusSign status={task.status} />
        <span className="words">
          <b className="mono">{id}</b>
          <span className="soft">{task.status === 'running' ? <Doing task={task} /> : <Said task={task} />}</span>
        </span>
      </a>
    </>
  )
})

function Doing({ task }: { task: TaskView }) {
  const doing = useProgress(task.id)
  return doing || task.title
}

function Said({ task }: { task: TaskView }) {
  const last = task.history.at(-1)
  return (
    <>
      {last && (
        <>
          <Elapsed from={last.startedAt} to={last.finishedAt} /> ·{' '}
        </>
      )}
      {task.title}
    </>
  )
}

export const GroupNode = memo(function GroupNode({ id }: NodeProps) {
  const { state } = useRun()
  const { cursor, found, unfold } = useGraph()
  const title = id.slice(id.indexOf('/') + 1)
  const members = useMembers(id)
  const counts = countsOf(members)
  const isDim = found && !members.some((task) => found.has(task.id))
  const name = id.startsWith('step/') ? `Step ${title}` : title
  return (
    <>
      <Ends />
      <button
        type="button"
        className={`node group${id === cursor ? ' cursor' : ''}${isDim ? ' dim' : ''}`}
        onClick={() => unfold(id)}
        title={`Unfold ${name} of ${state.run.name}`}
      >
        <span className="words">
          <b>{name}</b>
          <span className="soft">
            {counts.landed + counts.passed} of {counts.total} done
            {counts.failed > 0 && <span className="bad"> · {counts.failed} failed</span>}
            {counts.running > 0 && <span className="live"> · {counts.running} running</span>}
          </span>
          <ShareBar counts={counts} />
        </span>
      </button>
    </>
  )
})

function useMembers(group: string): readonly TaskView[] {
  const { byId } = useRun().state
  const { groups } = useGraph()
  return (groups.get(group)?.tasks ?? []).flatMap((id) => byId.get(id) ?? [])
}

function countsOf(tasks: readonly TaskView[]): Counts {
  const counts = { total: tasks.length } as Counts
  for (const status of Object.keys(STATUS_TONE) as (keyof typeof STATUS_TONE)[]) counts[status] = 0
  for (const { status } of tasks) counts[status]++
  return counts
}

export function JunctionNode() {
  return (
    <>
      <Ends />
      <i className="junction" />
    </>
  )
}

/** Edges need them to be drawn; nobody can connect anything. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  )
}
