// The tasks of a ccpm epic as their files tell of them.
import { basename, extname } from 'node:path'
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { Entry, SourceFile } from '../format.ts'
import { truthOf } from '../json/values.ts'
import { type FrontLists, type FrontMatter, type FrontName, frontNames } from '../markdown/front-matter.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { mayBeName, WAIT_FIELDS } from '../order/waits-for.ts'
import { OwnIds } from '../own-ids.ts'
import { prose } from '../prompt/text.ts'
import { plainStatus, stateOf } from '../state/status-words.ts'
import { readTaskFields } from './files.ts'

export type TaskFile = {
  file: SourceFile
  front: FrontMatter
  /** `001`, as the file is called. */
  source: string
  task: string
  state: Entry['state']
  placeOf(place: Place): Place
  waits: FrontWait[]
  conflictsWith: FrontName[]
}

export function readTasks(files: readonly SourceFile[], plan: MarkdownPlan): TaskFile[] {
  const ids = new OwnIds('task')
  const remarked = new Set<string>()
  return files.flatMap((file) => {
    const placeOf = ({ line, column }: Place): Place => plan.place(file, line, column)
    const front = readTaskFields(file)
    if (!front.ok) {
      plan.errors(front.problems)
      return []
    }
    const { fields, locate } = front.value
    const assumeOnce = (name: string, message: string): void => {
      if (remarked.has(message)) return
      remarked.add(message)
      plan.assume(placeOf(locate([{ path: [name], at: 'value' }])[0] ?? { line: 1, column: 1 }), message)
    }
    noteUnknown(front.value, plan, placeOf)
    const status = prose(fields.status).toLowerCase()
    const state = stateOf(status, STATES)
    const isFresh = status === '' || STATES.open.includes(plainStatus(status))
    const source = basename(file.file, extname(file.file))
    if (state === 'open' && !isFresh) assumeOnce('status', `a task that is ${shown(status)} is run from the start`)
    if (state === 'skipped') assumeOnce('status', `task ${shown(source)} is ${shown(status)}: left out`)
    if (state === 'open' && truthOf(fields.parallel) === false) assumeOnce('parallel', NOT_PARALLEL)
    const lists: FrontLists = { plan, placeOf }
    const task = ids.of(source)
    plan.entries.push({ task, source, state })
    const waits = {
      waits: frontWaits(front.value, lists),
      conflictsWith: frontNames(front.value, 'conflicts_with', lists),
    }
    return [{ file, front: front.value, source, task, state, placeOf, ...waits }]
  })
}

/** Read as "alone", it would add an order that the files do not have: they name what a task waits for. */
const NOT_PARALLEL = '`parallel: false` adds no order: a task waits for what `depends_on` and `conflicts_with` name'

/** `open`: what nobody has begun. */
export const STATES = {
  done: ['closed', 'completed', 'complete', 'done'],
  open: ['open', 'pending', 'todo', 'backlog'],
}
const KNOWN = new Set([
  ...['name', 'title', 'status', 'parallel', 'conflicts_with', 'created', 'updated', 'github'],
  ...WAIT_FIELDS,
])

function noteUnknown({ fields, locate }: FrontMatter, plan: MarkdownPlan, placeOf: (place: Place) => Place): void {
  const names = Object.keys(fields).filter((name) => !KNOWN.has(name))
  const places = locate(names.map((name) => ({ path: [name], at: 'name' as const })))
  for (const [i, name] of names.entries())
    plan.ignore(placeOf(places[i] ?? { line: 1, column: 1 }), `${shown(name)} at the top of a task`)
}

/** `isTask`: nothing but a task can be meant; `field` is where it stands. */
export type FrontWait = FrontName & { isTask: boolean; field: string }

function frontWaits(front: FrontMatter, lists: FrontLists): FrontWait[] {
  return WAIT_FIELDS.flatMap((field) =>
    frontNames(front, field, lists)
      .flatMap(eachNumber)
      .map((name) => {
        // What is in brackets behind a name explains it: `001 (the table)`.
        const text = name.text.replace(/\s*[([][^()[\]]*[)\]]$/, '')
        return { ...name, text, isTask: field === OWN && mayBeName(text), field }
      }),
  )
}

const OWN = 'depends_on'

/** `001 and 002` are two; words are left as they are. */
function eachNumber(name: FrontName): FrontName[] {
  const parts = name.text.split(/\s{1,9}(?:and|&)\s{1,9}/i)
  return parts.every((text) => NUMBER.test(text)) ? parts.map((text) => ({ ...name, text })) : [name]
}

const NUMBER = /^(?:task\s{1,9})?#?\d+(?:\.md)?$/i
