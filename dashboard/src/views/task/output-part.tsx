// What an attempt prints, as it comes: readable (messages, tool calls folded), or exactly as it is.
import { useState } from 'react'
import { useOutput } from '../../data/output.ts'
import { Failure } from '../../parts/failure.tsx'
import { Output } from '../../parts/output.tsx'
import { useRun } from '../run/run-context.ts'
import { AttemptChoice, useAttempt } from './attempt-choice.tsx'
import type { PartProps } from './task-panel.tsx'

export default function OutputPart({ task }: PartProps) {
  const { ref } = useRun()
  const [attempt, choose] = useAttempt(task)
  const [kind, setKind] = useState<'transcript' | 'log'>('transcript')
  const isOpen = task.status === 'running' && attempt === task.attempts
  const { text, isCut, error } = useOutput({ ...ref, task: task.id }, { kind, attempt, isOpen })
  if (attempt === 0) return <p className="quiet">It has not started yet.</p>
  return (
    <div className="output-part">
      <div className="part-tools">
        <AttemptChoice task={task} attempt={attempt} onChange={choose} />
        <label>
          <input
            type="checkbox"
            checked={kind === 'log'}
            onChange={({ target }) => setKind(target.checked ? 'log' : 'transcript')}
          />{' '}
          exactly as printed
        </label>
        {isOpen && <span className="live">live</span>}
        {isCut && <span className="soft">only the end of it</span>}
      </div>
      {error ? <Failure error={error} /> : <Output text={text} isFolded={kind === 'transcript'} />}
    </div>
  )
}
