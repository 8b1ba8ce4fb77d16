// The tasks of a ccpm epic as their files tell of them.
import { basename, extname } from 'node:path'
import { shown } from '../../document/field.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Entry, SourceFile } from '../format.ts'
import { mayBeName, WAIT_FIELDS } from '../json/reader.ts'
import { truthOf } from '../json/values.ts'
import { FrontFields, type FrontMatter, type FrontName } from '../markdown/front-matter.ts'
import type { MarkdownPlan } from '../markdown/markdown-draft.ts'
import { plainStatus, stateOf } from '../read-status/status-words.ts'
import { readTaskFields } from './epic-files.ts'

export type TaskFile = {
  file: SourceFile
  front: FrontMatter
  source: string
  task: string
  state: Entry['state']
  waits: FrontWait[]
  conflictsWith: FrontName[]
}

export function readTasks(files: readonly SourceFile[], plan: MarkdownPlan): TaskFile[] {
  const ids = new OwnIds('task')
  const remarked = new Set<string>()
  return files.flatMap((file) => {
    const front = readTaskFields(file)
    if (!front.ok) {
      plan.errors(front.problems)
      return []
    }
    const fields = new FrontFields(front.value, plan, file)
    const assumeOnce = (name: string, message: string): void => {
      if (remarked.has(message)) return
      remarked.add(message)
      plan.assume(fields.place([name]), message)
    }
    fields.noteUnknown(KNOWN, 'task')
    const status = fields.text('status').toLowerCase()
    const state = stateOf(status, STATES)
    const isFresh = status === '' || STATES.open.includes(plainStatus(status))
    const source = basename(file.file, extname(file.file))
    if (state === 'open' && !isFresh) assumeOnce('status', `a task that is ${shown(status)} is run from the start`)
    if (state === 'skipped') assumeOnce('status', `task ${shown(source)} is ${shown(status)}: left out`)
    if (state === 'open' && truthOf(fields.values.parallel) === false) assumeOnce('parallel', NOT_PARALLEL)
    const task = ids.of(source)
    plan.entries.push({ task, source, state })
    const waits = { waits: waitsIn(fields), conflictsWith: fields.names('conflicts_with') }
    return [{ file, front: front.value, source, task, state, ...waits }]
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

/** `isTask`: nothing but a task can be meant; `field` is where it stands. */
type FrontWait = FrontName & { isTask: boolean; field: string }

function waitsIn(fields: FrontFields): FrontWait[] {
  return WAIT_FIELDS.flatMap((field) =>
    fields.names(field).map((name) => {
      // What is in brackets behind a name explains it: `001 (the table)`.
      const text = name.text.replace(/\s*[([][^()[\]]*[)\]]$/, '')
      return { ...name, text, isTask: field === OWN && mayBeName(text), field }
    }),
  )
}

const OWN = 'depends_on'
