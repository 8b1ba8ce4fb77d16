// Epics and tasks with numbers for ids. A soft dependency only orders: the task waits for the other's end, whatever its outcome.
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import { isMapping } from '../../document/schema-check.ts'
import { jsonFormat } from './format-from-table.ts'
import type { Item, JsonReader } from './reader.ts'
import { StatusField, USUAL_STATES, USUAL_WORDS } from './status-field.ts'

export const epicsAndTasks = jsonFormat({
  name: 'epics-and-tasks',
  title: 'epics and tasks JSON',
  sign: '`tasks` with `epic_id`, `action` or `done`',
  recognises: ({ tasks }) => Array.isArray(tasks) && tasks.slice(0, LOOKED_AT).some(isSuch),
  // Ids of Espalier's own format are no numbers.
  resembles: ({ epics }) => Array.isArray(epics) && epics.some((one) => isMapping(one) && typeof one.id === 'number'),
  nothing: 'next to `epics` there is a list of `tasks`, each with an `id` and a `description`',
  head: (reader, root) => {
    const isNamed = isMapping(root.value.project)
    const project = isNamed ? reader.prose(reader.inner(root, 'project'), 'name') : reader.prose(root, 'project')
    const why = 'batch by batch, as this format has it; `--schedule eager` starts each when it can'
    reader.assume([...root.path, 'tasks'], why)
    return {
      name: project === '' ? undefined : slug(project),
      objective: reader.prose(root, 'description'),
      schedule: 'waves',
    }
  },
  groups: {
    list: 'epics',
    what: 'epic',
    title: 'name',
    namedBy: 'epic_id',
  },
  tasks: {
    list: 'tasks',
    what: 'task',
    title: [],
    words: ['description', 'action'],
    sections: [
      ['Action', 'action'],
      ['File', 'file'],
      ['Files', 'files'],
    ],
    write: ['file', 'files'],
    meaning: ['epic_id', 'dependency_type'],
    kept: ['epic_name', 'created_at', 'updated_at', 'completed_at', 'project_id'],
    waits: { own: ['depends_on'] },
    lost: 'ignored',
    isSoft,
    more: (reader, { item }) => {
      const kind = reader.prose(item, 'dependency_type')
      if (!/^(?:hard|soft)?$/i.test(kind))
        reader.error([...item.path, 'dependency_type'], `\`dependency_type\` must be hard or soft, not ${shown(kind)}`)
      reader.truth(item, 'done')
      return {}
    },
  },
  status: {
    field: new StatusField(['done', 'completed', 'status'], USUAL_STATES, 'done'),
    words: USUAL_WORDS,
    isAsInFile: true,
  },
})

const LOOKED_AT = 100

function isSuch(task: unknown): boolean {
  if (!isMapping(task) || 'prompt' in task || 'run' in task) return false
  return ['epic_id', 'action', 'done', 'dependency_type'].some((name) => name in task)
}

function isSoft(reader: JsonReader, item: Item): boolean {
  return reader.prose(item, 'dependency_type').toLowerCase() === 'soft'
}
