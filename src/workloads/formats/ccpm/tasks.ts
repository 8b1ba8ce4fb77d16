// The tasks of a ccpm epic as their files tell of them.
import { basename, extname } from 'node:path'
import { kindOf, shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { Entry, SourceFile } from '../format.ts'
import { type FrontLists, type FrontMatter, type FrontName, frontNames } from '../markdown/front-matter.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { BLOCKS, mayBeName, ORDER_FIELDS, saysSoft, WAIT_FIELDS } from '../order/waits-for.ts'
import { OwnIds } from '../own-ids.ts'
import { prose } from '../prompt/text.ts'
import { plainStatus, stateOf } from '../state/status-words.ts'
import { readTaskFields } from './files.ts'
import type { Separable } from './order.ts'

export type TaskFile = Separable & {
  file: SourceFile
  front: FrontMatter
  /** `001`, as the file is called. */
  source: string
  task: string
  state: Entry['state']
  placeOf(place: Place): Place
  waits: FrontWait[]
  blocks: FrontName[]
  conflictsWith: FrontName[]
}

export function readTasks(files: readonly SourceFile[], plan: MarkdownPlan): TaskFile[] {
  const ids = new OwnIds('task')
  const restarted = new Set<string>()
  return files.flatMap((file) => {
    const placeOf = ({ line, column }: Place): Place => plan.place(file, line, column)
    const front = readTaskFields(file)
    if (!front.ok) {
      plan.errors(front.problems)
      return []
    }
    const { fields, locate } = front.value
    const at = (name: string): Place => placeOf(locate([{ path: [name], at: 'value' }])[0] ?? { line: 1, column: 1 })
    noteUnknown(front.value, plan, placeOf)
    const status = prose(fields.status).toLowerCase()
    const state = stateOf(status, STATES)
    const isFresh = status === '' || STATES.open.includes(plainStatus(status))
    if (state === 'open' && !isFresh && !restarted.has(status)) {
      restarted.add(status)
      plan.assume(at('status'), `a task that is ${shown(status)} is run from the start`)
    }
    const source = basename(file.file, extname(file.file))
    if (state === 'skipped') plan.assume(at('status'), `task ${shown(source)} is ${shown(status)}: left out`)
    const lists: FrontLists = { plan, placeOf }
    const task = ids.of(source)
    plan.entries.push({ task, source, state })
    return [
      {
        file,
        front: front.value,
        source,
        task,
        state,
        placeOf,
        isAlone: state === 'open' && !isParallel(fields.parallel, at('parallel'), plan),
        conflicts: [],
        waits: frontWaits(front.value, lists),
        blocks: frontBlocks(front.value, lists),
        conflictsWith: frontNames(front.value, 'conflicts_with', lists),
      } satisfies TaskFile,
    ]
  })
}

/** `open`: what nobody has begun. */
export const STATES = {
  done: ['closed', 'completed', 'complete', 'done'],
  open: ['open', 'pending', 'todo', 'backlog'],
}
const KNOWN = new Set([
  ...['name', 'title', 'status', 'parallel', 'conflicts_with', 'created', 'updated', 'github'],
  ...ORDER_FIELDS,
])

/** One that says nothing may run beside others. */
function isParallel(value: unknown, place: Place, plan: MarkdownPlan): boolean {
  if (value === undefined || value === null) return true
  const word = prose(value).toLowerCase()
  if (word !== 'true' && word !== 'false') plan.error(place, `\`parallel\` must be true or false, not ${kindOf(value)}`)
  return word === 'true'
}

function noteUnknown({ fields, locate }: FrontMatter, plan: MarkdownPlan, placeOf: (place: Place) => Place): void {
  const names = Object.keys(fields).filter((name) => !KNOWN.has(name))
  const places = locate(names.map((name) => ({ path: [name], at: 'name' as const })))
  for (const [i, name] of names.entries())
    plan.ignore(placeOf(places[i] ?? { line: 1, column: 1 }), `${shown(name)} at the top of a task`)
}

// What a ccpm task waits for: `depends_on` at the top of its file, or one of the other names there are for it. Brackets behind a
// name explain it, and may say that it only orders: `002 (soft)`.

/** `isSoft`: it only orders. `isTask`: nothing but a task can be meant; `field` is where it stands. */
export type FrontWait = FrontName & { isSoft: boolean; isTask: boolean; field: string }

/** The tasks that wait for this one, by its own word. */
export function frontBlocks(front: FrontMatter, lists: FrontLists): FrontName[] {
  return frontNames(front, BLOCKS, lists).map((name) => ({ ...name, text: explained(name.text).text }))
}

export function frontWaits(front: FrontMatter, lists: FrontLists): FrontWait[] {
  return WAIT_FIELDS.flatMap((field) =>
    frontNames(front, field, lists)
      .flatMap(eachNumber)
      .map((name) => {
        const { text, isSoft } = explained(name.text)
        return { ...name, text, isSoft, isTask: field === OWN && mayBeName(text), field }
      }),
  )
}

/** `001 and 002` are two; words are left as they are. */
function eachNumber(name: FrontName): FrontName[] {
  const parts = name.text.split(/\s{1,9}(?:and|&)\s{1,9}/i)
  return parts.every((text) => NUMBER.test(text)) ? parts.map((text) => ({ ...name, text })) : [name]
}

const NUMBER = /^(?:task\s{1,9})?#?\d+(?:\.md)?$/i

const OWN = 'depends_on'

function explained(text: string): { text: string; isSoft: boolean } {
  const [, before = '', bare = text] = /^(soft|optional)\s*:\s*(.*)$/i.exec(text) ?? []
  const start = bare.search(/[([]/)
  const end = start > 0 && /[)\]]$/.test(bare) ? start : bare.length
  const isSoft = before !== '' || saysSoft(bare.slice(end))
  return { text: bare.slice(0, end).trim(), isSoft }
}
