// What there is to say about a spec-kit file: what is not run, what no task is told, what it leaves open.
import { shown } from '../../document/field.ts'
import type { SourceFile } from '../format.ts'
import type { MarkdownPlan } from '../markdown/markdown-draft.ts'
import type { TaskLines } from './lines.ts'
import { STRUCK_OUT, stateOf, type TaskLine } from './task-line.ts'

export function remarkOnLines({ phases, unnumbered, unused }: TaskLines, plan: MarkdownPlan, file: SourceFile): void {
  const second = phases[1]
  if (second)
    plan.assume(
      plan.place(file, second.line),
      'every heading with tasks is a phase, which waits for the whole one above it',
    )
  const [first] = unnumbered
  if (first !== undefined) {
    const more = unnumbered.length > 1 ? ` (lines ${listed(unnumbered)})` : ''
    const lines = unnumbered.length === 1 ? 'a line with a box' : `${unnumbered.length} lines with a box`
    plan.ignore(plan.place(file, first), `${lines} but without the number of a task, such as \`T001\`${more}`)
  }
  const titles = unused.map(({ title, line }) => `${shown(title.replaceAll('`', ''))} (line ${line})`)
  if (unused[0])
    plan.ignore(
      plan.place(file, unused[0].line),
      `sections without tasks, of which only lines such as \`T001 → T002\` are read: ${listed(titles)}`,
    )
}

const LISTED = 10

function listed(items: readonly (number | string)[]): string {
  return `${items.slice(0, LISTED).join(', ')}${items.length > LISTED ? ', …' : ''}`
}

/** Tasks that are left out, boxes that hold something else than a space or an `x`, and tasks that have none. */
export function remarkOnBoxes(
  { phases, faulty }: TaskLines,
  plan: MarkdownPlan,
  file: SourceFile,
  byId: ReadonlyMap<string, TaskLine>,
): void {
  for (const task of phases.flatMap(({ tasks }) => tasks)) {
    const { id, mark, leftOut, line, column } = task
    const place = plan.place(file, line, column)
    const reason = leftOut === STRUCK_OUT ? leftOut : `marked ${shown(`[${mark}]`)}`
    if (stateOf(task) === 'skipped')
      plan.assume(place, `task ${shown(id)} is ${reason}: left out, and nothing waits for it`)
    else if (mark !== null)
      plan.assume(
        place,
        `task ${shown(id)} is marked ${shown(`[${mark}]`)}${BEGUN.has(mark) ? ': run from the start' : ', which is not known here, so it counts as not done'}`,
      )
  }
  // What has a box elsewhere is only spoken of.
  for (const { id, line, column } of faulty)
    if (!byId.has(id)) plan.warn(plan.place(file, line, column), `task ${shown(id)} is not run. ${BOX_HELP}`)
}

const BEGUN = new Set(['/', '~', '>'])
export const BOX_HELP = 'A task to do begins with `- [ ] T001`, one that is done with `- [x] T001`'
