// What the agent was told; before the first attempt, what it will be told.
import { useTaskText } from '../../data/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { useRun } from '../run/run-context.ts'
import { AttemptChoice, useAttempt } from './attempt-choice.tsx'
import type { PartProps } from './task-panel.tsx'

export default function PromptPart({ task }: PartProps) {
  const { ref } = useRun()
  const [attempt, choose] = useAttempt(task)
  const which = attempt > 0 ? { attempt } : {}
  const prompt = useTaskText({ ...ref, task: task.id }, 'prompt', { ...which, isOpen: false })
  if (prompt.error) return <Failure error={prompt.error} />
  return (
    <>
      <div className="part-tools">
        <AttemptChoice task={task} attempt={attempt} onChange={choose} />
      </div>
      {prompt.data === undefined && <p className="quiet">Loading …</p>}
      {prompt.data === null && <p className="quiet">There is no prompt: it runs a command.</p>}
      {typeof prompt.data === 'string' && <pre className="prompt">{prompt.data}</pre>}
    </>
  )
}
