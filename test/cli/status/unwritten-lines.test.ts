import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planFileLines } from '../../../src/cli/status/attention-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'

const FILES = [{ file: '/shop/plan.json', why: 'it is read-only' }]
const CONFLICTS = [{ file: '/shop/plan.json', task: 'B', message: '`B` is not in it \x1b[31many more' }]
const plain = palette(false)

test('in the terminal: what the plan file does not say, one by one up to five', () => {
  const lines = planFileLines({ unwritten: { files: FILES, conflicts: CONFLICTS } }, 100, plain)
  assert.equal(lines[0], '! the status of tasks could not be written into /shop/plan.json: it is read-only')
  assert.match(lines[1] ?? '', /^! `B` is not in it .*any more$/)
  assert.ok(!lines.join('').includes('\x1b'))
  assert.deepEqual(planFileLines({}, 100, plain), [])
  const many = Array.from({ length: 9 }, () => FILES).flat()
  const cut = planFileLines({ unwritten: { files: many, conflicts: [] } }, 100, plain)
  assert.equal(cut.at(-1), '  … and 4 more; `espalier report` lists them')
})
