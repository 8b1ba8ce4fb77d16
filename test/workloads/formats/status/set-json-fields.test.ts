// Fields are set in the text as it stands: everything else stays, and new ones look like those that are there.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Fields, JsonText, REMOVED } from '../../../../src/workloads/formats/status/set-json-fields.ts'
import { withEdits } from '../../../../src/workloads/formats/status/status-file.ts'

type Case = { name: string; before: string; fields: Fields; after: string; path?: (string | number)[] }

const CASES: Case[] = [
  {
    name: 'a field is taken out with its comma: the last',
    before: '{ "id": 1, "x": [1, 2] }',
    fields: { x: REMOVED },
    after: '{ "id": 1 }',
  },
  {
    name: 'a field is taken out with its comma: the first',
    before: '{ "x": "," , "id": 1 }',
    fields: { x: REMOVED },
    after: '{ "id": 1 }',
  },
  {
    name: 'a field is taken out on its own line, behind one that changes',
    before: '{\r\n  "id": 1,\r\n  "status": "a",\r\n  "x": 2,\r\n  "y": 3\r\n}',
    fields: { status: 'b', x: REMOVED },
    after: '{\r\n  "id": 1,\r\n  "status": "b",\r\n  "y": 3\r\n}',
  },
  {
    name: 'a field that is not there, or the only one',
    before: '{"x":1}',
    fields: { y: REMOVED, x: REMOVED },
    after: '{}',
  },
  {
    name: 'a value',
    before: '{\n  "id": 1, "status": "pending" // why\n}\n',
    fields: { status: 'done' },
    after: '{\n  "id": 1, "status": "done" // why\n}\n',
  },
  {
    name: 'the same value in other words is not touched',
    before: '{"id":1,"status":"done"}',
    fields: { status: 'done' },
    after: '{"id":1,"status":"done"}',
  },
  {
    name: 'new fields on lines of their own, with the indentation and the line ends of the file',
    before: '{\r\n\t"id": 1,\r\n\t"status": "pending",\r\n\t"notes": ""\r\n}\r\n',
    fields: { status: 'done', started_at: 'a', completed_at: 'b' },
    after:
      '{\r\n\t"id": 1,\r\n\t"status": "done",\r\n\t"started_at": "a",\r\n\t"completed_at": "b",\r\n\t"notes": ""\r\n}\r\n',
  },
  {
    name: 'behind the last field',
    before: '{\n    "id": 1,\n    "status": "pending"\n}',
    fields: { status: 'done', x: 1 },
    after: '{\n    "id": 1,\n    "status": "done",\n    "x": 1\n}',
  },
  {
    name: 'behind the last field with a comment, which stays where it is',
    before: '{\n  "id": 1,\n  "status": "pending" /* a */ // b\n  // c\n}',
    fields: { status: 'done', x: true },
    after: '{\n  "id": 1,\n  "status": "done", /* a */ // b\n  "x": true\n  // c\n}',
  },
  {
    name: 'before a comma at the end',
    before: '{\n  "id": 1,\n  "status": "pending", // b\n}',
    fields: { status: 'done', x: 1 },
    after: '{\n  "id": 1,\n  "status": "done", // b\n  "x": 1,\n}',
  },
  {
    name: 'on one line, with spaces',
    before: '{ "id": 1, "status": "pending", "a": [] }',
    fields: { status: 'done', x: 1, y: 2 },
    after: '{ "id": 1, "status": "done", "x": 1, "y": 2, "a": [] }',
  },
  {
    name: 'on one line, without',
    before: '{"id":1,"status":"pending"}',
    fields: { x: 1 },
    after: '{"id":1,"x":1,"status":"pending"}',
  },
  {
    name: 'two fields on a line of many',
    before: '{\n  "id": 1, "status": "pending"\n}',
    fields: { status: 'done', x: 1 },
    after: '{\n  "id": 1, "status": "done", "x": 1\n}',
  },
  {
    name: 'null empties what is there, and adds nothing',
    before: '{"id":1,"end":"x"}',
    fields: { end: null, output: null },
    after: '{"id":1,"end":null}',
  },
  {
    name: 'undefined leaves it alone',
    before: '{"id":1,"end":"x"}',
    fields: { end: undefined },
    after: '{"id":1,"end":"x"}',
  },
  {
    name: 'of two fields with the same name the last, which is the one that counts',
    before: '{"id":1,"status":"a","status":"b"}',
    fields: { status: 'c' },
    after: '{"id":1,"status":"a","status":"c"}',
  },
  {
    name: 'inside of others',
    before: '{"list": [{"id": 1}, {"id": 2}], "id": 3}',
    path: ['list', 1],
    fields: { done: true },
    after: '{"list": [{"id": 1}, {"id": 2, "done": true}], "id": 3}',
  },
  {
    name: 'text with everything that must be escaped',
    before: '{"id":1,"out":""}',
    fields: { out: 'a "b"\n\\ \u2028 ü' },
    after: '{"id":1,"out":"a \\"b\\"\\n\\\\ \u2028 ü"}',
  },
]

describe('setting fields of a JSON text', () => {
  for (const { name, before, fields, after, path = [] } of CASES) {
    test(name, () => assert.equal(withEdits(before, new JsonText(before).setFields(path, fields, ['id'])), after))
  }
})

test('what is not there, or no mapping, is left alone', () => {
  const text = '{"list": [1]}'
  for (const path of [['list', 0], ['list', 7], ['list'], ['none', 'of', 'it']])
    assert.deepEqual(new JsonText(text).setFields(path, { status: 'x' }, ['id']), [])
})
