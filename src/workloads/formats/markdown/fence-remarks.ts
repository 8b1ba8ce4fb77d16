// What there is to say about the code blocks of a plan: those without an end, and tasks that stand in one.
import type { SourceFile } from '../format.ts'
import type { Markdown } from './lines.ts'
import type { MarkdownPlan } from './plan.ts'

type Fences = Pick<Markdown, 'openFence' | 'cutFences' | 'quotedTasks'>

export function tellOfFences(
  { openFence, cutFences, quotedTasks }: Fences,
  plan: MarkdownPlan,
  file: SourceFile,
): void {
  for (const { line, task } of cutFences)
    plan.warn(plan.place(file, line), `this code block has no end: it is taken to end before line ${task}`)
  if (openFence !== null)
    plan.assume(plan.place(file, openFence), 'this code block has no end: all that follows is part of it')
  const [first] = quotedTasks
  if (!first) return
  const lines = quotedTasks.slice(0, LISTED).map(({ line }) => line)
  const more = quotedTasks.length > LISTED ? ', …' : ''
  const what = quotedTasks.length === 1 ? 'what looks like a task here is' : `lines that look like tasks are`
  const where = quotedTasks.length === 1 ? '' : ` (lines ${lines.join(', ')}${more})`
  const message = `${what} in a code block, so nothing is run for ${quotedTasks.length === 1 ? 'it' : 'them'}${where}`
  // With a block that has no end it is likely that they are in it by mistake.
  if (openFence !== null || cutFences.length > 0) plan.warn(plan.place(file, first.line), message)
  else plan.assume(plan.place(file, first.line), message)
}

const LISTED = 10
