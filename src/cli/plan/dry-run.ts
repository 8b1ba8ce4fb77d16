// `espalier run --dry-run`: what would run and in which order, from the plan and the settings alone.

import type { Settings } from '../../config.ts'
import type { OpenRun } from '../../engine/open/check-before-run.ts'
import { agentsOf, type Task, type Work } from '../../task.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { fit } from '../../text/width.ts'
import { taskWaves } from '../../workloads/analysis/overview.ts'
import type { Done } from '../refusal.ts'
import { type Surroundings, width } from '../surroundings.ts'

/** Works without an agent: a missing one is only mentioned. */
export function dryRun({ plan, settings }: OpenRun, { out }: Surroundings): Done {
  const { maxConcurrency, schedule } = settings
  const waves = taskWaves(plan)
  const tasks = new Map(plan.tasks.map((task) => [task.id, task]))
  const when =
    schedule === 'waves'
      ? 'each wave starts when the one before has ended'
      : 'each starts when its needs have landed and its claims are free'
  const lines = waves.flatMap((ids, index) => {
    const rows = ids.map((id) => fit(`  ${taskText(tasks.get(id), settings)}`, width(out)))
    return ['', headingOf(index, schedule), ...rows]
  })
  return {
    json: { name: plan.name, maxConcurrency, schedule, waves, tasks: plan.tasks },
    lines: [
      `${plan.name}: ${count(plan.tasks.length, 'task')}, ${maxConcurrency} at a time; ${when}`,
      ...lines,
      ...['', 'Dry run: nothing was started or written'],
    ],
  }
}

function headingOf(index: number, schedule: Settings['schedule']): string {
  if (schedule === 'waves') return `wave ${index + 1}`
  return index === 0 ? 'can start at once' : 'after tasks above'
}

/** `client  needs schema  claims src/client/**  runs npm run codegen` */
function taskText(task: Task | undefined, settings: Settings): string {
  if (!task) return ''
  const parts = [task.id]
  if (task.needs.length > 0) parts.push(`needs ${task.needs.join(', ')}`)
  if (task.after.length > 0) parts.push(`after ${task.after.join(', ')}`)
  if (task.claims.write.length > 0) parts.push(`claims ${task.claims.write.join(', ')}`)
  parts.push(workText(task.work, settings))
  return parts.join('  ')
}

function workText(work: Work, { command }: Settings): string {
  if (work.kind === 'command') return `runs ${safeLine(work.command)}`
  // Tasks that name no agent have the agent `command`: without a command there is none.
  if (work.agent === 'command' && command === null) return 'agent: none named'
  return `agent: ${agentsOf(work)
    .map((agent) => (agent === 'command' && command ? safeLine(command) : agent))
    .join(', else ')}`
}
