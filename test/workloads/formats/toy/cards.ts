// A JSON format as somebody would add one: a table, and nothing else.
import { jsonFormat } from '../../../../src/workloads/formats/json/format-from-table.ts'
import { StatusField, USUAL_WORDS } from '../../../../src/workloads/formats/json/status-field.ts'

export const cards = jsonFormat({
  name: 'cards',
  title: 'cards JSON',
  sign: 'a list of `cards`',
  recognises: ({ cards }) => Array.isArray(cards),
  nothing: 'it has a list of `cards`, each with an `id` and a `text`',
  head: (reader, root) => ({ name: reader.prose(root, 'board') }),
  tasks: {
    list: 'cards',
    what: 'card',
    title: ['name'],
    words: ['text'],
    sections: [['Done when', 'goal']],
    write: ['touches'],
    kept: ['color'],
    waits: { own: ['after'] },
  },
  status: { field: new StatusField(['status']), words: USUAL_WORDS },
})
