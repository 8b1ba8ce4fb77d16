// What an attempt changed against its base, or the task as it landed.
import { useState } from 'react'
import { useTaskText } from '../../data/queries.ts'
import { Diff } from '../../parts/diff.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useRun } from '../run/run-context.ts'
import { AttemptChoice, useAttempt } from './attempt-choice.tsx'
import type { PartProps } from './task-panel.tsx'

export default function DiffPart({ task }: PartProps) {
  const { ref } = useRun()
  const [attempt, choose] = useAttempt(task)
  const hasLanded = task.landedCommit !== null
  const [isLanded, setLanded] = useState(hasLanded)
  const landed = hasLanded && isLanded
  const isOpen = task.status === 'running' && attempt === task.attempts
  const which = landed || attempt === 0 ? {} : { attempt }
  const diff = useTaskText({ ...ref, task: task.id }, 'diff', { ...which, landed, isOpen })
  if (diff.error) return <Failure error={diff.error} onRetry={() => void diff.refetch()} />
  return (
    <div className="diff-part">
      <div className="part-tools">
        {hasLanded && (
          <label>
            <input type="checkbox" checked={isLanded} onChange={({ target }) => setLanded(target.checked)} /> as landed
          </label>
        )}
        {!landed && <AttemptChoice task={task} attempt={attempt} onChange={choose} />}
      </div>
      {diff.data === undefined && <p className="quiet">Loading …</p>}
      {diff.data === null && <p className="quiet">No work is kept of it yet.</p>}
      {diff.data === '' && <p className="quiet">It changed nothing.</p>}
      {diff.data && <Diff text={diff.data} />}
    </div>
  )
}
