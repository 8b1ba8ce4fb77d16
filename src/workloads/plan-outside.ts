// Tasks that would have to change something outside of the repository. They fail, and what needs them is blocked: known
// before anything has started, so it is told then. The readers of other formats tell it in the words of their file.
import { shown } from './field.ts'
import { addWarning, type Findings } from './findings.ts'
import type { Draft } from './plan-draft.ts'

export function warnOfOutside({ tasks, taskAt }: Draft, findings: Findings): void {
  tasks.forEach(({ id, outside = [] }, i) => {
    const [path] = outside
    if (path === undefined) return
    addWarning(findings, ['tasks', taskAt[i] ?? i], `task ${shown(id)} will fail: ${path} is outside of the repository`)
  })
}
