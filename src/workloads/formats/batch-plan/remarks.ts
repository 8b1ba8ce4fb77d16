// What there is to say about a batch plan: what is wrong with it, what has no meaning here, what it leaves open.
import { shown, shownNames } from '../../document/field.ts'
import { WAITS } from './field-names.ts'
import type { BatchTask, Section } from './sections.ts'
import { fieldsNamed, statusOf } from './status-and-checks.ts'
import { type BatchFile, isOpen } from './tasks.ts'

export function tellOfHeadings({ plan, file, document, batches, tasks }: BatchFile): void {
  const refuse = ({ line, column }: Section, message: string): void =>
    plan.error(plan.place(file, line, column), message)
  for (const [what, sections] of [
    ['batches', batches],
    ['tasks', tasks],
  ] as const) {
    const first = new Map<string, Section>()
    for (const section of sections) {
      const same = first.get(section.id)
      if (same) refuse(section, `there are two ${what} ${shown(section.id)}; the first is in line ${same.line}`)
      else first.set(section.id, section)
    }
  }
  for (const task of document.stray)
    refuse(task, `task ${shown(task.id)} stands under no batch: put it under a heading such as \`## Batch 1: title\``)
  const [first] = batches
  if (!first) plan.error(plan.place(file, 1), `there is no batch in this plan: ${BATCH_HEADING}`)
  else if (tasks.length + document.stray.length === 0)
    refuse(first, `no batch of this plan has a task: ${TASK_HEADING}`)
}

const BATCH_HEADING = 'a batch begins with a heading such as `## Batch 1: title`'
const TASK_HEADING = 'a task begins with a heading such as `### Task 1.1: title`'

/** What is left out, or run although something is said of it, or done by its heading: once for all with the same words. */
export function tellOfStatuses({ plan, file, document }: BatchFile): void {
  const told = document.batches
    .flatMap((batch) => [{ what: 'batch', section: batch as Section, name: batch.id }, ...batch.tasks.map(named)])
    .map((one) => ({ ...one, ...statusOf(one.section) }))
    .filter(({ isWorthTelling }) => isWorthTelling)
  for (const same of Map.groupBy(told, ({ what, state, said }) => `${what} ${state} ${said}`).values()) {
    const [{ what, section, state, said } = {} as never] = same
    const names = shownNames(same.map(({ name }) => name))
    const who = same.length === 1 ? `${what} ${names} is` : `${what === 'task' ? 'tasks' : 'batches'} ${names} are`
    const end = said === null ? `${ENDS[state]}, as the heading says` : `${shown(said)}: ${ENDS[state]}`
    plan.assume(plan.place(file, section.line, section.column), `${who} ${end}`)
  }
}

function named(task: BatchTask): { what: string; section: Section; name: string } {
  return { what: 'task', section: task, name: task.id }
}

const ENDS = { open: 'run from the start', done: 'done', skipped: 'left out' }

export function tellOfTheRest({ plan, file, document }: BatchFile): void {
  for (const { title, line } of document.others)
    plan.ignore(plan.place(file, line), `the section ${shown(title)}, which is part of no batch`)
  for (const { title, line, column } of document.resembling)
    plan.warn(
      plan.place(file, line, column),
      `${shown(title)} is not taken as a task, and its words are told to all tasks of the batch: ${TASK_HEADING}`,
    )
  const modes = document.batches.flatMap(({ fields }) => fields.get('execution mode') ?? [])
  for (const { said, line, column } of modes)
    if (!/^[`*_\s]*local\b/i.test(said))
      plan.ignore(plan.place(file, line, column), `the execution mode ${shown(said)}: everything runs here`)
}

export function tellOfOrder({ plan, file, batches }: BatchFile): void {
  const open = batches.filter(isOpen)
  const isSilent = (section: Section): boolean => fieldsNamed(section, WAITS).length === 0
  const assume = (batch: Section | undefined, message: string): void => {
    if (batch) plan.assume(plan.place(file, batch.line, batch.column), message)
  }
  const unsaid = open.find((batch) => batch.before && isSilent(batch))
  assume(unsaid, 'a batch that says nothing of its dependencies waits for the one before it')
  const parallel = open.find(({ tasks }) => tasks.filter((task) => task.state === 'open' && isSilent(task)).length > 1)
  assume(parallel, 'tasks of a batch that name no dependencies run at the same time, unless they change the same files')
}
