// What a new JSON format takes: a table, a sample, this test and a line in known-formats.ts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readJson } from '../../../../src/workloads/document/json.ts'
import { NO_FACTS } from '../../../../src/workloads/formats/status/text-edits.ts'
import { applyStatus, hashOf } from '../../../../src/workloads/formats/status/write-status.ts'
import { cards } from './cards.ts'

const at = (name: string) => new URL(name, import.meta.url)
const text = readFileSync(at('board.json'), 'utf8')
const json = readJson(text, 'board.json')
const file = { file: 'board.json', text, json: json.ok ? json.value : undefined }

test('a format of a table reads tasks, needs and claims, and knows what is done', () => {
  assert.ok(cards.recognises(file))
  const read = cards.translate([file], { part: null, checks: [] })
  assert.ok(read.ok, JSON.stringify(read))
  const { value, entries, locate } = read.value
  assert.deepEqual(value, {
    name: 'shop',
    tasks: [
      {
        id: 'b',
        title: 'API',
        prompt: 'API\n\nServe them\n\n## Done when\n\nnpm test',
        claims: ['src/api.ts'],
      },
      { id: 'c', title: 'Page', prompt: 'Page\n\nShow them', needs: ['b'] },
    ],
  })
  assert.deepEqual(
    entries.map(({ source, state }) => `${source} ${state}`),
    ['A done', 'B open', 'C open'],
  )
  assert.equal(locate([{ path: ['tasks', 1, 'needs', 0], at: 'value' }])[0]?.line, 6)
})

test('its statuses are written, and nothing else in the file', () => {
  assert.ok(cards.status)
  const found = cards.status.read(file, null)
  assert.ok(found.ok)
  const textHash = hashOf(found.value[1]?.content() ?? '')
  const change = { ...NO_FACTS, source: 'B', textHash, own: ['todo'], phase: 'done' as const }
  const applied = applyStatus(cards.status, file, { tasks: [change], groups: [] }, null)
  assert.ok(applied.ok)
  assert.equal(
    applied.value.text,
    file.text.replace('"src/api.ts"], "status": "todo"', '"src/api.ts"], "status": "complete"'),
  )
})

test('that takes no more than a hundred lines', () => {
  const lines = ['cards.ts', 'board.json', 'toy-format.test.ts'].map(
    (name) => readFileSync(at(name), 'utf8').split('\n').length,
  )
  assert.ok(lines.reduce((sum, count) => sum + count, 1) <= 100, lines.join(' + '))
})
