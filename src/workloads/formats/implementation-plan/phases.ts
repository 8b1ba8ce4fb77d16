// The phases of an implementation plan and their subtasks: what there is, what it is called, and what of it is to be done.
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Item } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { StateReader } from '../read-status/state-reader.ts'
import { stateOf } from '../read-status/status-words.ts'
import { prose } from '../task-prompt/compose-prompt.ts'

export type Phase = {
  item: Item
  /** What others may call it: by its id, or by its number. */
  id: string
  number: string | null
  epic: string
  subtasks: Subtask[]
}

export type Subtask = { item: Item; task: string; source: string; state: Entry['state'] }

export function readPhases(reader: JsonReader, root: Item): Phase[] {
  const epics = new OwnIds('phase')
  const tasks = new OwnIds('subtask')
  const states = new StateReader(reader, STATES, 'subtask')
  const firstPhase = new Map<string, Path>()
  const firstTask = new Map<string, Path>()
  const phases = reader.items(root, 'phases').map((item, i): Phase => {
    reader.noteUnknown(item, KNOWN.phase, 'phase')
    const number = reader.prose(item, 'phase') || null
    const id = reader.prose(item, 'id') || number || String(i + 1)
    reader.noteName(firstPhase, 'phase', id, item.path)
    if (!('id' in item.value) && number === null)
      reader.assume(item.path, `this phase has neither \`id\` nor \`phase\`: it is phase ${i + 1}`)
    const isLeftOut = statedBy(item.value) === 'skipped'
    if (isLeftOut)
      reader.assume([...item.path, 'status'], `phase ${shown(id)} is ${shown(item.value.status)}: left out`)
    const list = 'subtasks' in item.value ? 'subtasks' : 'chunks'
    const subtasks = reader.items(item, list).flatMap((subtask): Subtask[] => {
      reader.noteUntold(subtask, KNOWN.subtask, 'subtask')
      const source = reader.id(subtask, 'subtask')
      if (source === null) return []
      reader.noteName(firstTask, 'subtask', source, [...subtask.path, 'id'])
      const state = isLeftOut ? subtaskState(item.value, subtask.value) : states.of(subtask, source)
      return [{ item: subtask, task: tasks.of(source), source, state }]
    })
    return { item, id, number, epic: epics.of(id), subtasks }
  })
  states.tell()
  return phases
}

function statedBy({ status }: Item['value']): Entry['state'] {
  return stateOf(prose(status), STATES)
}

/** Of a phase that is not to be done nothing is. */
export function subtaskState(phase: Item['value'], subtask: Item['value']): Entry['state'] {
  const own = statedBy(subtask)
  return own === 'open' && statedBy(phase) === 'skipped' ? 'skipped' : own
}

/** One of which nothing is left to do is complete. */
export function isOpen({ subtasks }: Phase): boolean {
  return subtasks.some(({ state }) => state === 'open')
}

export const KNOWN = {
  plan: new Set([
    ...['feature', 'title', 'workflow_type', 'workflow_rationale', 'description', 'services_involved', 'phases'],
    ...['created_at', 'updated_at', 'spec_file', 'status', 'planStatus', 'qa_signoff', 'summary'],
    ...['verification_strategy', 'final_acceptance', 'qa_acceptance'],
  ]),
  phase: new Set([
    ...['phase', 'id', 'name', 'type', 'description', 'status', 'parallel_safe', 'subtasks', 'chunks'],
    ...WAIT_FIELDS,
  ]),
  subtask: new Set([
    ...['id', 'title', 'description', 'status', 'service', 'all_services', 'files_to_modify', 'files_to_create'],
    ...['patterns_from', 'verification', 'expected_output', 'actual_output', 'started_at', 'completed_at'],
    ...['session_id', 'critique_result', 'notes', ...WAIT_FIELDS],
  ]),
}

const STATES = {
  done: ['completed', 'complete', 'done'],
  open: ['pending', 'in_progress', 'blocked', 'failed'],
}
