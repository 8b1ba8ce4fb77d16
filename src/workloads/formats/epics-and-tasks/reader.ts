// Epics and tasks with numbers for ids. A soft dependency only orders: the task waits until the other has ended.
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Entry, Format, Translation } from '../format.ts'
import { fromJson, type JsonReader } from '../json/json-reader.ts'
import { priorityOf } from '../json/priority.ts'
import type { Item, Named } from '../json/values.ts'
import { groupWaits, WAIT_FIELDS, waitsOf } from '../order/dependency-fields.ts'
import type { GroupNeed } from '../order/group-dependencies.ts'
import { FileStatus, STATES } from '../read-status/json-status-field.ts'
import { StateReader } from '../read-status/state-reader.ts'
import { stateOf } from '../read-status/status-words.ts'
import { contextOfEach, promptText } from '../task-prompt/compose-prompt.ts'

export const epicsAndTasks: Format = {
  name: 'epics-and-tasks',
  title: 'epics and tasks JSON',
  sign: '`tasks` with `epic_id`, `action` or `done`',
  kind: 'json',
  recognises: ({ json }) =>
    isMapping(json?.value) && Array.isArray(json.value.tasks) && json.value.tasks.slice(0, LOOKED_AT).some(isSuch),
  resembles: ({ json }) =>
    isMapping(json?.value) && Array.isArray(json.value.epics) && json.value.epics.some(hasNumber),
  translate: fromJson(translate),
}

const LOOKED_AT = 100

function isSuch(task: unknown): boolean {
  if (!isMapping(task) || 'prompt' in task || 'run' in task) return false
  return ['epic_id', 'action', 'done', 'dependency_type'].some((name) => name in task)
}

/** Ids of the own format are no numbers. */
function hasNumber(item: unknown): boolean {
  return isMapping(item) && typeof item.id === 'number'
}

const NOTHING =
  'there are no tasks in it: next to `epics` there is a list of `tasks`, each with an `id` and a `description`'

export const STATUS = new FileStatus(['done', 'completed', 'status'], 'done')

export const KNOWN = {
  project: new Set(['project', 'epics', 'tasks', 'id', 'name', 'description', 'created_at', 'updated_at']),
  epic: new Set([
    ...['id', 'name', 'description', 'priority', 'status', 'created_at', 'updated_at', 'project_id'],
    ...WAIT_FIELDS,
  ]),
  task: new Set([
    ...['id', 'epic_id', 'epic_name', 'description', 'action', 'priority', 'dependency_type', 'file', 'files'],
    ...['created_at', 'updated_at', 'completed_at', 'project_id', ...STATUS.fields, ...WAIT_FIELDS],
  ]),
}

type Epic = { item: Item; id: string; source: string; open: number; isEmpty: boolean; isLeftOut: boolean }
type Row = { item: Item; task: string; source: string; state: Entry['state']; epic: Epic | null }

function translate(reader: JsonReader): Result<Translation> {
  const root = reader.root()
  reader.noteUnknown(root, KNOWN.project, 'project')
  const project = projectName(reader, root)
  const name = project === '' ? undefined : slug(project)
  reader.head({ name, objective: reader.prose(root, 'description'), schedule: 'waves' })
  reader.assume(
    [...root.path, 'tasks'],
    'batch by batch, as this format has it; `--schedule eager` starts each when it can',
  )
  const epics = readEpics(reader, root)
  const rows = readTasks(reader, root, epics)
  const is = { isOpen: ({ open }: Epic) => open > 0, isEmpty: ({ isEmpty }: Epic) => isEmpty }
  const needsOf = groupWaits(reader, 'epic', (name) => epics.get(name), is)
  for (const epic of epics.values()) if (epic.open > 0) addEpic(reader, epic, needsOf(epic))
  const bySource = new Map(rows.map((row) => [row.source, row]))
  const about = contextOfEach(rows.length, (epic: Epic) => wordsOf(reader, epic))
  for (const row of rows) if (row.state === 'open') addTask(reader, row, { bySource, about })
  for (const { task, source, state } of rows) reader.entries.push({ task, source, state })
  return reader.finishJson(NOTHING)
}

/** A text, or a mapping with a name. */
function projectName(reader: JsonReader, root: Item): string {
  return isMapping(root.value.project)
    ? reader.prose(reader.inner(root, 'project'), 'name')
    : reader.prose(root, 'project')
}

function readEpics(reader: JsonReader, root: Item): Map<string, Epic> {
  const ids = new OwnIds('epic')
  const epics = new Map<string, Epic>()
  const first = new Map<string, Path>()
  for (const item of reader.items(root, 'epics')) {
    reader.noteUnknown(item, KNOWN.epic, 'epic')
    const source = reader.id(item, 'epic')
    if (source === null) continue
    reader.noteName(first, 'epic', source, [...item.path, 'id'])
    const status = reader.prose(item, 'status')
    const isLeftOut = stateOf(status, STATES) === 'skipped'
    if (isLeftOut) reader.assume([...item.path, 'status'], `epic ${shown(source)} is ${shown(status)}: left out`)
    if (!epics.has(source)) epics.set(source, { item, id: ids.of(source), source, open: 0, isEmpty: true, isLeftOut })
  }
  return epics
}

function readTasks(reader: JsonReader, root: Item, epics: Map<string, Epic>): Row[] {
  const ids = new OwnIds('task')
  const states = new StateReader(reader, STATES, 'task', STATUS)
  const first = new Map<string, Path>()
  const rows = reader.items(root, 'tasks').flatMap((item): Row[] => {
    reader.noteUntold(item, KNOWN.task, 'task')
    const source = reader.id(item, 'task')
    if (source === null) return []
    reader.noteName(first, 'task', source, [...item.path, 'id'])
    const [named] = reader.names(item, 'epic_id')
    const epic = named ? (epics.get(named.text) ?? null) : null
    if (named && !epic) reader.error(named.path, `there is no epic ${shown(named.text)}`)
    reader.truth(item, 'done')
    const own = states.of(item, source)
    const state = own === 'open' && epic?.isLeftOut ? 'skipped' : own
    if (epic) epic.isEmpty = false
    if (epic && state === 'open') epic.open++
    return [{ item, task: ids.of(source), source, state, epic }]
  })
  states.tell()
  return rows
}

function addEpic(reader: JsonReader, epic: Epic, open: readonly GroupNeed<Epic>[]): void {
  const { item, id, source } = epic
  const needs = open.map(({ group, path }) => ({ id: group.id, place: path }))
  reader.epic({ id, title: reader.prose(item, 'name'), needs, priority: priorityOf(reader, item) }, item.path, source)
}

function wordsOf(reader: JsonReader, { item }: Epic): string[] {
  return [reader.prose(item, 'name'), reader.prose(item, 'description')]
}

type Context = { bySource: Map<string, Row>; about: (epic: Epic) => string }

function addTask(reader: JsonReader, row: Row, { bySource, about }: Context): void {
  const { item, task, epic } = row
  const description = reader.prose(item, 'description')
  const action = reader.prose(item, 'action')
  if (description === '' && action === '')
    reader.error(item.path, 'this task has neither `description` nor `action`: what is to be done?')
  const soft = isSoft(reader, item)
  const open: Named[] = []
  const isKnown = ({ text }: Named): boolean => bySource.has(text)
  for (const need of waitsOf(reader, item, { own: ['depends_on'], isKnown })) {
    const other = bySource.get(need.text)
    if (!other) reader.error(need.path, `there is no task ${shown(need.text)} to depend on`)
    else if (soft && other === row) reader.warn(need.path, `task ${shown(row.source)} does not come after itself`)
    else if (other.state === 'open') open.push(need)
    else if (other.state === 'skipped')
      reader.assume(need.path, `task ${shown(other.source)} is left out: nothing waits for it`)
  }
  const waits = open.map(({ text, path }) => ({ id: bySource.get(text)?.task ?? '', place: path }))
  const write = [...reader.texts(item, 'file'), ...reader.texts(item, 'files')]
  reader.task(
    {
      id: task,
      prompt: promptText(description || action, [
        ['Action', description === '' ? '' : action],
        ['File', reader.prose(item, 'file')],
        ['Files', reader.prose(item, 'files')],
        ...reader.otherSections(item, KNOWN.task),
        ['What this is part of', epic ? about(epic) : ''],
      ]),
      epic: epic?.id,
      [soft ? 'after' : 'needs']: waits,
      ...reader.claims(item, `task ${shown(row.source)}`, { write, read: [] }),
      priority: priorityOf(reader, item),
    },
    item.path,
  )
}

function isSoft(reader: JsonReader, item: Item): boolean {
  const kind = reader.prose(item, 'dependency_type').toLowerCase()
  if (kind !== '' && kind !== 'soft' && kind !== 'hard')
    reader.error([...item.path, 'dependency_type'], `\`dependency_type\` must be hard or soft, not ${shown(kind)}`)
  return kind === 'soft'
}
