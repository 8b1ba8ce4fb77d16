// `espalier run --dry-run`: what would run and in which order, from the plan and the settings alone.
import type { Settings } from '../config.ts'
import { analysePlan } from '../index.ts'
import { agentsOf, type Plan, type Task } from '../task.ts'
import { fit, oneLine } from './display-width.ts'
import { count } from './event-line.ts'

export function dryRunText(plan: Plan, settings: Settings, json: boolean, width: number): string {
  const { maxConcurrency, schedule } = settings
  const { waves } = analysePlan(plan, maxConcurrency)
  if (json) return `${JSON.stringify({ name: plan.name, maxConcurrency, schedule, waves, tasks: plan.tasks })}\n`

  const tasks = new Map(plan.tasks.map((task) => [task.id, task]))
  const when =
    schedule === 'waves'
      ? 'each wave starts when the one before has come to rest'
      : 'a task starts as soon as what it needs has landed, without waiting for its wave'
  const lines = [`${plan.name}: ${count(plan.tasks.length, 'task')}, ${maxConcurrency} at a time; ${when}`]
  waves.forEach((ids, index) => {
    lines.push('', `wave ${index + 1}`)
    for (const id of ids) lines.push(fit(`  ${taskText(tasks.get(id))}`, width))
  })
  return `${lines.join('\n')}\n\nnothing was started or written\n`
}

/** `client  needs schema  claims src/client/**  runs npm run codegen` */
function taskText(task: Task | undefined): string {
  if (!task) return ''
  const parts = [task.id]
  if (task.needs.length > 0) parts.push(`needs ${task.needs.join(', ')}`)
  if (task.after.length > 0) parts.push(`after ${task.after.join(', ')}`)
  if (task.claims.write.length > 0) parts.push(`claims ${task.claims.write.join(', ')}`)
  parts.push(
    task.work.kind === 'command' ? `runs ${oneLine(task.work.command)}` : `asks ${agentsOf(task.work).join(', else ')}`,
  )
  return parts.join('  ')
}
