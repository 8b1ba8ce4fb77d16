// Fields are set in the text as it stands: everything else stays, and new ones look like those that are there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fields, jsonEditor, REMOVED } from '../../../../src/workloads/formats/json/set-fields.ts'
import { withEdits } from '../../../../src/workloads/formats/status/text-edits.ts'

const ROWS: [before: string, fields: Fields, after: string, ...path: (string | number)[]][] = [
  ['{ "id": 1, "x": [1, 2] }', { x: REMOVED }, '{ "id": 1 }'],
  ['{ "x": "," , "id": 1 }', { x: REMOVED }, '{ "id": 1 }'],
  ['{\r\n  "id": 1,\r\n  "x": 2,\r\n  "y": 3\r\n}', { id: 2, x: REMOVED }, '{\r\n  "id": 2,\r\n  "y": 3\r\n}'],
  ['{"x":1}', { y: REMOVED, x: REMOVED }, '{}'],
  ['{\n  "id": 1, "status": "a" // why\n}\n', { status: 'b' }, '{\n  "id": 1, "status": "b" // why\n}\n'],
  // New fields: with the white space and the line ends of the one before them, whatever is behind it.
  ['{\r\n\t"id": 1,\r\n\t"n": 0\r\n}', { x: 1, y: 2 }, '{\r\n\t"id": 1,\r\n\t"x": 1,\r\n\t"y": 2,\r\n\t"n": 0\r\n}'],
  ['{\n    "id": 1,\n    "s": "a"\n}', { s: 'b', x: 1 }, '{\n    "id": 1,\n    "s": "b",\n    "x": 1\n}'],
  ['{\n  "id": 1, // one\n  "s": 1, // b\n}', { s: 2, x: 1 }, '{\n  "id": 1, // one\n  "s": 2, "x": 1, // b\n}'],
  ['{ "id": 1, "status": "a", "b": [] }', { status: 'c', x: 1 }, '{ "id": 1, "status": "c", "x": 1, "b": [] }'],
  ['{"id":1,"status":"a"}', { x: 1 }, '{"id":1,"x":1,"status":"a"}'],
  ['{\n  "id" : 1, "s": 0\n}', { s: 2, x: 1 }, '{\n  "id" : 1, "s": 2, "x": 1\n}'],
  // null empties what is there, undefined leaves it alone; neither adds anything.
  ['{"id":1,"end":"x","b":2}', { end: null, output: null, b: undefined }, '{"id":1,"end":null,"b":2}'],
  ['{"id":1,"s":"a","s":"b"}', { s: 'c' }, '{"id":1,"s":"a","s":"c"}'],
  ['{"list": [{"id": 1}, {"id": 2}]}', { a: true }, '{"list": [{"id": 1}, {"id": 2, "a": true}]}', 'list', 1],
  ['{"id":1,"out":""}', { out: 'a "b"\n\\ \u2028 ü' }, '{"id":1,"out":"a \\"b\\"\\n\\\\ \u2028 ü"}'],
]

for (const [before, fields, after, ...path] of ROWS)
  test(`${JSON.stringify(before)} ${Object.keys(fields)}`, () => {
    assert.equal(withEdits(before, jsonEditor(before)(path, fields, 'id')), after)
    assert.equal(withEdits(after, jsonEditor(after)(path, fields, 'id')), after, 'and again')
  })

test('what is not there, or no mapping, is left alone', () => {
  for (const path of [['list', 0], ['list', 7], ['list'], ['none', 'of', 'it']])
    assert.deepEqual(jsonEditor('{"list": [1]}')(path, { status: 'x' }, 'id'), [])
})
