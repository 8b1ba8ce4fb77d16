// A work queue, worked off in waves. A feature that can never be scheduled is named and left out.
import { LIMITS } from '../../../config.ts'
import { slug } from '../../../text/slug.ts'
import { isMapping } from '../../document/schema-check.ts'
import { jsonFormat } from './format-from-table.ts'
import { StatusField, USUAL_WORDS } from './status-field.ts'

export const workQueue = jsonFormat({
  name: 'work-queue',
  title: 'work queue JSON',
  sign: 'a list of `features`',
  words: { task: 'feature', epic: 'epic' },
  recognises: ({ features }) => Array.isArray(features) && features.some(isMapping),
  resembles: (root) => 'features' in root,
  nothing: 'a work queue has a list of `features`, each with an `id` and a `description`',
  head: (reader, root) => {
    const project = reader.prose(root, 'project', 'name')
    const why = 'in waves, as this format has it; `--schedule eager` starts each when it can'
    reader.assume([...root.path, 'features'], why)
    return {
      name: project === '' ? undefined : slug(project),
      objective: reader.prose(root, 'description'),
      schedule: 'waves',
    }
  },
  tasks: {
    list: 'features',
    what: 'feature',
    title: ['title', 'name'],
    words: ['description'],
    sections: [
      ['File', 'file'],
      ['Files', 'files'],
      ['Tests', 'tests'],
      ['Acceptance criteria', 'acceptance_criteria'],
      ['Notes', 'notes'],
    ],
    write: ['file', 'files', 'tests'],
    meaning: ['completion_promise'],
    kept: [
      ...['type', 'max_iterations', 'attempts', 'last_attempt', 'completed_at', 'error', 'verification_verdict'],
      'files_actually_changed',
    ],
    waits: { own: ['dependencies', 'depends_on'] },
    isStuck: true,
    more: (reader, { item }) => {
      const kind = reader.prose(item, 'type')
      const completion = reader.prose(item, 'completion_promise') || undefined
      const iterations = reader.wholeNumber(item, 'max_iterations', { min: 1, max: LIMITS.iterations })
      return { fields: { completion, iterations, tags: kind === '' ? undefined : [kind] } }
    },
  },
  status: { field: new StatusField(['status', 'state', 'passes']), words: USUAL_WORDS, isAsInFile: true },
})
