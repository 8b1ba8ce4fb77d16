// The statuses of Task Master's tasks and subtasks. It has no word for what failed: that is to be done still.
import { ok, type Result } from '../../../problem.ts'
import type { Document } from '../../place.ts'
import { isMapping } from '../../schema-check.ts'
import type { Item } from '../json-reader.ts'
import { chosenTag, STATES } from '../task-master.ts'
import { stateOf } from './foreign-status.ts'
import { idOf, itemsOf, type JsonTask, readJsonRecords, rootOf, statusOf } from './json-records.ts'
import type { StatusFile } from './status-file.ts'

export const taskMasterStatus: StatusFile = {
  format: 'task-master',
  words: { open: 'pending', begun: 'in-progress', done: 'done', failed: 'pending', blocked: 'blocked' },
  lock: 'folder',
  read: (file, part) =>
    readJsonRecords(
      file,
      (root) => tasksOf(root, part, file.file),
      (status) => ({ status }),
    ),
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
      const task = toTask(item, idOf(item))
      return [task, ...itemsOf(item, 'subtasks').map((inner) => toSubtask(inner, task))]
    }),
  )
}

function toTask(item: Item, source: string): JsonTask {
  const status = statusOf(item)
  const state = stateOf(status, STATES)
  return { item, source, status, state, sayingFields: ['title', 'description', 'details'] }
}

/** `5.2`, however the file writes it; one of a task that is done or cancelled is so, too. */
function toSubtask(item: Item, parent: JsonTask): JsonTask {
  const id = idOf(item)
  const task = toTask(item, id.startsWith(`${parent.source}.`) ? id : `${parent.source}.${id}`)
  return { ...task, state: parent.state === 'open' ? task.state : parent.state, parent: parent.source }
}
