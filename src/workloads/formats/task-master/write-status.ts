// The statuses of Task Master's tasks and subtasks. It has no word for what failed: that is to be done still.
import { ok, type Result } from '../../../problem.ts'
import type { Document } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Item } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { stateOf } from '../read-status/status-words.ts'
import { idOf, itemsOf, type JsonTask, jsonEntries, rootOf, statusOf, textOf } from '../status/json-entries.ts'
import type { StatusFile } from '../status/status-file.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import { chosenTag } from './reader.ts'
import { KNOWN, STATES } from './tasks.ts'

export const taskMasterStatus: StatusFile = {
  format: 'task-master',
  words: { open: 'pending', begun: 'in-progress', done: 'done', failed: 'pending', blocked: 'blocked' },
  read: (file, part) => jsonEntries(file, (root) => tasksOf(root, part, file.file)),
}

function tasksOf(root: Document, part: string | null, file: string): Result<JsonTask[]> {
  const tag = chosenTag(root, part, file)
  if (!tag.ok) return tag
  let list = rootOf(root)
  for (const name of tag.value.path) {
    const inside = list.value[name]
    list = { value: isMapping(inside) ? inside : {}, path: [...list.path, name] }
  }
  return ok(
    itemsOf(list, 'tasks').flatMap((item) => {
      const task = toTask(item, idOf(item, root))
      return [task, ...itemsOf(item, 'subtasks').map((inner) => toSubtask(inner, idOf(inner, root), task))]
    }),
  )
}

function toTask(item: Item, source: string): JsonTask {
  const status = statusOf(item)
  return { item, source, status, state: stateOf(status, STATES), says: () => wordsOf(item) }
}

/** Not `notes`. Subtasks have a status of their own. */
const FIELDS = ['title', 'testStrategy', 'acceptanceCriteria', 'relevantFiles', ...WAIT_FIELDS]

/** Its own program logs what was done in `details`, and notes the day of that behind the description. */
function wordsOf(item: Item): unknown[] {
  const { description, details } = item.value
  const own = typeof description === 'string' ? withoutDays(description) : description
  return [...textOf(item, FIELDS, KNOWN), own, typeof details === 'string' ? withoutLog(details) : details]
}

/** Without `[Updated: 1/2/2026]` at the end. */
function withoutDays(text: string): string {
  return text.replace(/(?: \[Updated: [^\]]{1,40}\]){1,1000}$/, '')
}

/** Without what stands between `<info added on …>` and `</info added on …>`, and the empty lines that came with it. */
function withoutLog(text: string): string {
  const [first = '', ...rest] = text.split('<info added on ')
  return rest.reduce((kept, piece) => {
    const end = /<\/info added on [^>]{0,100}>/.exec(piece)
    return end ? kept.trimEnd() + piece.slice(end.index + end[0].length) : `${kept}<info added on ${piece}`
  }, first)
}

/** `5.2`, however the file writes it; one of a task that is done or cancelled is so, too. */
function toSubtask(item: Item, id: string, parent: JsonTask): JsonTask {
  const task = toTask(item, id.startsWith(`${parent.source}.`) ? id : `${parent.source}.${id}`)
  const state = parent.state === 'open' ? task.state : parent.state
  // Subtasks of its own are not run one by one: what they say is part of what it says.
  return {
    ...task,
    state,
    parent: parent.source,
    says: () => [...wordsOf(item), ...[prose(item.value.subtasks)].filter(Boolean)],
  }
}
