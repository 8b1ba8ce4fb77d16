// What there is to say about a batch plan: what is wrong with it, what has no meaning here, what it leaves open.
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import { wordsAreTold } from '../checks/commands-in.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { namesInWords } from '../names-in-words.ts'
import { statusOf, waitsOf } from './fields.ts'
import type { Section } from './sections.ts'
import { type BatchFile, isOpen } from './tasks.ts'

/** Headings that are missing, or are there twice. */
export function tellOfHeadings({ plan, file, document, batches, tasks }: BatchFile): void {
  const at = ({ line, column }: Section): Place => plan.place(file, line, column)
  tellOfDoubles(plan, batches, 'batches', ({ id }) => id, at)
  tellOfDoubles(plan, tasks, 'tasks', ({ id }) => id, at)
  for (const task of document.stray)
    plan.error(
      at(task),
      `task ${shown(task.id)} stands under no batch: put it under a heading such as \`## Batch 1: title\``,
    )
  if (batches.length === 0) plan.error(plan.place(file, 1), `there is no batch in this plan: ${BATCH_HEADING}`)
  else if (tasks.length === 0 && document.stray.length === 0)
    plan.error(at(batches[0] as Section), `no batch of this plan has a task: ${TASK_HEADING}`)
}

const BATCH_HEADING = 'a batch begins with a heading such as `## Batch 1: title`'
const TASK_HEADING = 'a task begins with a heading such as `### Task 1.1: title`'

function tellOfDoubles<T extends Section>(
  plan: MarkdownPlan,
  items: readonly T[],
  what: string,
  nameOf: (item: T) => string,
  at: (item: T) => Place,
): void {
  const first = new Map<string, T>()
  for (const item of items) {
    const name = nameOf(item)
    const same = first.get(name)
    if (same) plan.error(at(item), `there are two ${what} ${shown(name)}; the first is in line ${same.line}`)
    else first.set(name, item)
  }
}

/** What is left out, or run although something is said of it, or done by its heading: once for all with the same words. */
export function tellOfStatuses({ plan, file, document }: BatchFile): void {
  const tasks = document.batches.flatMap(({ tasks }) => tasks)
  const statuses = [
    ...document.batches.map((batch) => ({ what: 'batch', section: batch, name: batch.id })),
    ...tasks.map((task) => ({ what: 'task', section: task, name: task.id })),
  ].map((one) => ({ ...one, ...statusOf(one.section) }))
  const told = statuses.filter(({ isWorthTelling }) => isWorthTelling)
  for (const same of Map.groupBy(told, ({ what, state, said }) => `${what} ${state} ${said}`).values()) {
    const [first] = same
    if (!first) continue
    const isOne = same.length === 1
    const plural = first.what === 'task' ? 'tasks' : 'batches'
    const who = `${isOne ? first.what : plural} ${namesInWords(same.map(({ name }) => name))} ${isOne ? 'is' : 'are'}`
    const end = ENDS[first.state]
    const { line, column } = first.section
    plan.assume(
      plan.place(file, line, column),
      first.said === null ? `${who} ${end}, as the heading says` : `${who} ${shown(first.said)}: ${end}`,
    )
  }
}

const ENDS = { open: 'run from the start', done: 'done', skipped: 'left out' }

/** Parts of the file that have no meaning here. */
export function tellOfTheRest({ plan, file, document }: BatchFile): void {
  for (const { title, line } of document.others)
    plan.ignore(plan.place(file, line), `the section ${shown(title)}, which is part of no batch`)
  for (const { title, line, column } of document.resembling)
    plan.warn(
      plan.place(file, line, column),
      `${shown(title)} is not taken as a task, and its words are told to all tasks of the batch: ${TASK_HEADING}`,
    )
  for (const part of [...document.batches, ...document.batches.flatMap(({ tasks }) => tasks)]) {
    const mode = part.fields.get('execution mode')
    if (mode && !/^[`*_\s]*local\b/i.test(mode.said))
      plan.ignore(
        plan.place(file, mode.line, mode.column),
        `the execution mode ${shown(mode.said)}: everything runs here`,
      )
  }
}

/** What the file leaves open, once each. `words`: the lines that say in words how something is verified. */
export function tellOfTasks({ plan, file, batches }: BatchFile, words: readonly number[]): void {
  const [first] = words
  if (first !== undefined) plan.assume(plan.place(file, first), wordsAreTold(words.length))
  const open = batches.filter(isOpen)
  const unsaid = open.find((batch) => batch.before && waitsOf(batch).length === 0)
  if (unsaid)
    plan.assume(
      plan.place(file, unsaid.line, unsaid.column),
      'a batch that says nothing of its dependencies waits for the one before it',
    )
  const parallel = open.find(
    ({ tasks }) => tasks.filter((task) => task.state === 'open' && waitsOf(task).length === 0).length > 1,
  )
  if (parallel)
    plan.assume(
      plan.place(file, parallel.line, parallel.column),
      'tasks of a batch that name no dependencies run at the same time, unless they change the same files',
    )
}
