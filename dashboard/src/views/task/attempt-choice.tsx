// Which attempt is looked at; the last, unless somebody chose.
import { useState } from 'react'
import type { TaskView } from '../../shared.ts'

export function useAttempt(task: TaskView): [number, (attempt: number) => void] {
  const [chosen, choose] = useState<number | null>(null)
  return [chosen ?? task.attempts, choose]
}

type Props = { task: TaskView; attempt: number; onChange: (attempt: number) => void }

export function AttemptChoice({ task, attempt, onChange }: Props) {
  if (task.attempts < 2) return null
  return (
    <label>
      <span className="soft">Attempt</span>{' '}
      <select value={attempt} onChange={({ target }) => onChange(Number(target.value))}>
        {task.history.toReversed().map(({ attempt: number, outcome }) => (
          <option key={number} value={number}>
            {number}: {outcome ?? 'running'}
          </option>
        ))}
      </select>
    </label>
  )
}
