// What the plan file does not say about a run, in every format of the report.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderJson } from '../../../src/reports/json.ts'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import { sampleInput } from '../sample.ts'

const UNWRITTEN = {
  files: [{ file: '/shop/plan.json', why: 'it is <b>read-only</b>' }],
  conflicts: [{ file: '/shop/plan.json', task: 'B 2', message: 'somebody has set it to `blocked` meanwhile' }],
}

function input(unwritten = UNWRITTEN) {
  const { view, ...rest } = sampleInput()
  return { ...rest, view: { ...view, unwritten, engine: null, resumable: false } }
}

test('files that could not be written, what people have made of tasks, and what to do', () => {
  const text = renderMarkdown(input())
  assert.match(text, /- `espalier resume \S+`: write the task statuses into the plan file/)
  assert.match(text, /## Not in the plan file\n\nOnce the file is writable, espalier resume /)
  assert.match(text, /\| \/shop\/plan\.json \| {2}\| could not be written: it is .*read-only/)
  assert.match(text, /\| \/shop\/plan\.json \| B 2 \| somebody has set it to /)
  assert.deepEqual(JSON.parse(renderJson(input())).unwritten, UNWRITTEN)
})

test('where there is nothing to put right, nothing is to be done', () => {
  assert.doesNotMatch(renderMarkdown(input({ ...UNWRITTEN, files: [] })), /espalier resume/)
  assert.doesNotMatch(renderMarkdown(sampleInput()), /Not in the plan file/)
})
