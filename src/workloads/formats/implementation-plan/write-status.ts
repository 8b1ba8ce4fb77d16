// The statuses of an `implementation_plan.json`, with the fields its own program keeps beside them.
import { ok } from '../../../problem.ts'
import type { Document } from '../../document/place.ts'
import type { Item } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { plainStatus } from '../read-status/status-words.ts'
import { idOf, itemsOf, type JsonTask, jsonEntries, rootOf, statusOf, textOf, timeOf } from '../status/json-entries.ts'
import type { Fields } from '../status/set-json-fields.ts'
import type { StatusFacts, StatusFile } from '../status/status-file.ts'
import { KNOWN, subtaskState } from './phases.ts'

export const implementationPlanStatus: StatusFile = {
  format: 'implementation-plan',
  words: { open: 'pending', begun: 'in_progress', done: 'completed', failed: 'failed', blocked: 'blocked' },
  read: (file) =>
    jsonEntries(file, (root) => ok(itemsOf(rootOf(root), 'phases').flatMap((phase) => subtasksOf(phase, root)))),
}

/** Not `notes`: agents log in there what they do. */
const FIELDS = [
  ...['title', 'description', 'files_to_modify', 'files_to_create', 'patterns_from', 'verification', 'expected_output'],
  ...['service', 'all_services', ...WAIT_FIELDS],
]

function subtasksOf(phase: Item, root: Document): JsonTask[] {
  return itemsOf(phase, 'subtasks' in phase.value ? 'subtasks' : 'chunks').map((item) => {
    return {
      ...{ item, source: idOf(item, root), status: statusOf(item), state: subtaskState(phase.value, item.value) },
      says: () => textOf(item, FIELDS, KNOWN.subtask),
      fields: (status, facts) => ({ status, ...(isDone(item, status, facts) ? {} : fieldsOf(facts)) }),
    }
  })
}

/** A run writes it together with the fields; so where they say something else, they are those of whoever set it to done. */
function isDone(item: Item, status: string, { phase }: StatusFacts): boolean {
  return phase === 'done' && plainStatus(statusOf(item)) === plainStatus(status)
}

/** One that begins again has no end and no output any more, as its own program has it. */
function fieldsOf({ phase, startedAt, finishedAt, session, output }: StatusFacts): Fields {
  if (phase === 'open' || phase === 'blocked') return {}
  const isDone = phase === 'done'
  const failed = phase === 'failed' ? `FAILED: ${output ?? 'see the report'}` : null
  return {
    started_at: timeOf(startedAt),
    completed_at: isDone ? timeOf(finishedAt) : null,
    session_id: session ?? undefined,
    actual_output: isDone ? (output ?? undefined) : failed,
  }
}
