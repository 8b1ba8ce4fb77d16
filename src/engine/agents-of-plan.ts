// Which agent does a task's work. Asked for every task before anything starts, so that a missing one is an error at
// the beginning and not in the middle of the night.
import type { Agent } from '../agents/agent.ts'
import { commandAgent, shellAgent } from '../agents/command.ts'
import type { Settings } from '../config.ts'
import { type Problem, problem } from '../problem.ts'
import type { Plan, Task } from '../task.ts'

export const AGENT_NAMES = ['command'] as const

export function agentOf(task: Task, settings: Settings): Agent {
  if (task.work.kind === 'command') return shellAgent(task.work.command)
  if (task.work.agent === 'command' && settings.command !== null) return commandAgent(settings.command)
  throw new Error(`task ${task.id} has no agent: this is checked before a run starts`)
}

export function checkAgents(plan: Plan, settings: Settings): Problem[] {
  const prompted = plan.tasks.filter((task) => task.work.kind === 'prompt')
  const unknown = prompted.filter((task) => task.work.kind === 'prompt' && task.work.agent !== 'command')
  if (unknown.length > 0) {
    const names = [...new Set(unknown.map((task) => (task.work.kind === 'prompt' ? task.work.agent : '')))]
    return [problem(`no such agent: ${names.join(', ')} (task ${unknown[0]?.id}). Known: ${AGENT_NAMES.join(', ')}`)]
  }
  if (prompted.length === 0 || settings.command !== null) return []
  const count = prompted.length === 1 ? '1 task has a prompt' : `${prompted.length} tasks have a prompt`
  return [
    problem(
      `${count} (${prompted[0]?.id}${prompted.length > 1 ? ', …' : ''}) but no agent to give it to: say \`--command 'my-agent --flag'\`, or set \`command:\` in the plan or in .espalier/config.yaml`,
    ),
  ]
}
