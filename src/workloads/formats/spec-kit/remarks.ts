// What there is to say about a spec-kit file: what is not run, what no task is told, what it leaves open.
import { shown } from '../../document/field.ts'
import type { SourceFile } from '../format.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { STRUCK_OUT } from './left-out.ts'
import { type Fault, stateOf, type TaskLine, type TaskLines } from './lines.ts'
import { type Pair, unorderedInLines, unorderedMentions } from './mentions.ts'
import type { UnusedSection } from './sections.ts'

type Around = { plan: MarkdownPlan; file: SourceFile }

export function tellOfTheRest(written: TaskLines, { plan, file }: Around): void {
  const { phases, unnumbered, unused } = written
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
  const line = unused[0]?.spans[0]?.from
  if (line !== undefined)
    plan.ignore(
      plan.place(file, line),
      `words outside the phases, which no task is told: ${listed(unused.map(placed))}`,
    )
}

/** `Notes (lines 52-60, 63)` */
function placed({ title, spans }: UnusedSection): string {
  const lines = spans.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const isOne = spans.length === 1 && spans[0]?.from === spans[0]?.to
  return `${shown(title.replaceAll('`', ''))} (${isOne ? 'line' : 'lines'} ${listed(lines)})`
}

/** Tasks that could run at the same time although they are named together. */
export function tellOfUnordered(
  { phases, unclear }: TaskLines,
  { plan, file, waits }: Around & { waits: Waits },
): void {
  const waitsFor = (task: TaskLine): readonly { other: TaskLine }[] => waits.get(task) ?? []
  const tell = (pairs: readonly Pair[], why: string): void => {
    const [first] = pairs
    if (!first) return
    const names = pairs.slice(0, MAX_PAIRS).map(({ task, other }) => `${task.id} and ${other.id}`)
    const more = pairs.length > MAX_PAIRS ? ` and ${pairs.length - MAX_PAIRS} more` : ''
    plan.assume(plan.place(file, first.line), `these run in any order although ${why}: ${names.join(', ')}${more}`)
  }
  tell(unorderedMentions(phases, waitsFor), 'one names the other (`(depends on T001)` makes a task wait)')
  const inLines = unorderedInLines(unclear, phases, waitsFor)
  const lines = listed([...new Set(inLines.map(({ line }) => line))])
  tell(
    inLines,
    `a line about the order names both (write \`T001 before T002\`; ${lines.includes(',') ? 'lines' : 'line'} ${lines})`,
  )
}

/** So many are named: they are what somebody has to go through. */
const MAX_PAIRS = 100

type Waits = ReadonlyMap<TaskLine, readonly { other: TaskLine }[]>

const LISTED = 10

function listed(items: readonly (number | string)[]): string {
  return `${items.slice(0, LISTED).join(', ')}${items.length > LISTED ? ', …' : ''}`
}

/** Tasks that are left out, boxes that hold something else than a space or an `x`, and tasks that have none. */
export function tellOfBoxes(
  { phases, boxless }: TaskLines,
  { plan, file, byId }: Around & { byId: ReadonlyMap<string, TaskLine> },
): void {
  for (const task of phases.flatMap(({ tasks }) => tasks)) {
    const { id, mark, line, column } = task
    const place = plan.place(file, line, column)
    if (stateOf(task) === 'skipped')
      plan.assume(place, `task ${shown(id)} is ${inWords(task)}: left out, and nothing waits for it`)
    else if (mark === null) continue
    else if (BEGUN.has(mark))
      plan.assume(place, `task ${shown(id)} is marked ${shown(`[${mark}]`)}: run from the start`)
    else
      plan.assume(
        place,
        `task ${shown(id)} is marked ${shown(`[${mark}]`)}, which is not known here, so it counts as not done`,
      )
  }
  // What has a box elsewhere is only spoken of.
  for (const { id, line, column, fault } of boxless) {
    if (!byId.has(id))
      plan.warn(plan.place(file, line, column), `task ${shown(id)} is not run: ${FAULTS[fault]}. ${BOX_HELP}`)
  }
}

const FAULTS: Record<Fault, string> = {
  'no box': 'it has no box',
  box: 'this is not how a box is written',
  number: 'this is not how its number is written',
}

/** Why it is left out. */
function inWords({ mark, leftOut, isLeftOutAbove }: TaskLine): string {
  if (isLeftOutAbove)
    return `in a phase that is ${leftOut === STRUCK_OUT ? STRUCK_OUT : `called ${shown(leftOut ?? '')}`}`
  if (mark !== null && mark === leftOut) return `marked ${shown(`[${mark}]`)}`
  return leftOut === STRUCK_OUT ? STRUCK_OUT : `called ${shown(leftOut ?? '')}`
}

const BEGUN = new Set(['/', '~', '>'])
export const BOX_HELP = 'A task to do begins with `- [ ] T001`, one that is done with `- [x] T001`'
