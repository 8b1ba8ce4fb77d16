// What there is to say about the code blocks of a plan: one without an end, and tasks that stand in one.
import type { SourceFile } from '../format.ts'
import type { MarkdownPlan } from './markdown-draft.ts'
import type { Markdown } from './parse-lines.ts'

export function tellOfFences({ openFence, quotedTasks }: Markdown, plan: MarkdownPlan, file: SourceFile): void {
  if (openFence !== null)
    plan.warn(plan.place(file, openFence), 'this code block has no end: all that follows is part of it')
  const [first] = quotedTasks
  if (first === undefined) return
  const more = quotedTasks.length > LISTED ? ', …' : ''
  const message =
    quotedTasks.length === 1
      ? 'what looks like a task here is in a code block, so nothing is run for it'
      : `lines that look like tasks are in a code block, so nothing is run for them (lines ${quotedTasks.slice(0, LISTED).join(', ')}${more})`
  // With a block that has no end it is likely that they are in it by mistake.
  if (openFence !== null) plan.warn(plan.place(file, first), message)
  else plan.assume(plan.place(file, first), message)
}

const LISTED = 10
