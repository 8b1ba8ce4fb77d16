// Tasks that no budget has room for. Only a warning: all the others can be done.
import type { Task } from '../../task.ts'
import { money } from '../../text/usage-text.ts'
import { shown } from '../document/field.ts'
import { addWarning, type Findings } from '../document/findings.ts'
import { type Draft, epicPath, membersOf } from './draft.ts'

/** `budgetUsd`: what the plan says of the whole run; null: nothing that counts. */
export function warnOfBudgets(draft: Draft, budgetUsd: number | null, findings: Findings): void {
  if (budgetUsd !== null) {
    const message = tooDear('the run', budgetUsd, draft.tasks)
    if (message) addWarning(findings, ['budgetUsd'], message)
  }
  const members = membersOf(draft)
  draft.epics.forEach((epic, index) => {
    if (epic.budgetUsd === undefined) return
    const tasks = (members[index] ?? []).map((task) => draft.tasks[task] as Task)
    const message = tooDear(`epic \`${epic.id}\``, epic.budgetUsd, tasks)
    if (message) addWarning(findings, epicPath(draft, index, 'budgetUsd'), message)
  })
}

function tooDear(who: string, budgetUsd: number, tasks: readonly Task[]): string | null {
  const dear = tasks.filter(({ estimateUsd = 0 }) => estimateUsd > budgetUsd)
  const [first] = dear
  if (!first) return null
  const example = `task \`${first.id}\` probably costs ${money(first.estimateUsd ?? 0)} (\`estimateUsd\`)`
  const never = dear.length === 1 ? 'it would never start' : `it and ${dear.length - 1} more would never start`
  return `${who} may cost ${money(budgetUsd)} (\`budgetUsd\`), and ${example}: ${never}`
}

// Tasks that would have to change something outside of the repository: they fail, and it is told before.

export function warnOfOutside({ tasks, taskAt }: Draft, findings: Findings): void {
  tasks.forEach(({ id, outside = [] }, i) => {
    const [path] = outside
    if (path === undefined) return
    addWarning(findings, ['tasks', taskAt[i] ?? i], `task ${shown(id)} will fail: ${path} is outside of the repository`)
  })
}
