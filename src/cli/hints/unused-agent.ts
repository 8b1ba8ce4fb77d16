// A warning before a run: an agent was named, and no task of the plan has a prompt for it.
import type { Plan, Problem } from '../../index.ts'
import { problem } from '../../problem.ts'

export function unusedAgentHints(plan: Plan, flags: { agent?: string; command?: string }): Problem[] {
  const flag = flags.agent !== undefined ? '--agent' : flags.command !== undefined ? '--command' : null
  if (flag === null || plan.tasks.length === 0 || plan.tasks.some(({ work }) => work.kind === 'prompt')) return []
  const message = `${flag} has no effect: no task of this plan has a \`prompt\`, all are shell commands (\`run\`)`
  return [problem(message, { severity: 'warning' })]
}
