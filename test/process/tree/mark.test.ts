import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HAS_PROC } from '../../../src/process/tree/identity.ts'
import { isMark, markArgument, markOf } from '../../../src/process/tree/mark.ts'
import { readProcessTable } from '../../../src/process/tree/process-table.ts'
import { until } from '../../rig/until.ts'
import { canMark } from '../hostile.ts'
import { rig } from '../rig.ts'

test('every token has a mark of its own, larger than any memory and a whole number of kibibytes', () => {
  const tokens = Array.from({ length: 2_000 }, (_, index) => `token-${index}`)
  const marks = tokens.map(markOf)
  assert.equal(new Set(marks).size, tokens.length)
  assert.ok(marks.every(isMark))
  assert.ok(marks.every((mark) => BigInt(mark) >= 1n << 59n && BigInt(mark) < 1n << 60n))
  if (HAS_PROC) assert.equal(String(BigInt(markArgument('a')) * 1024n), markOf('a'))
  else assert.equal(markArgument('a'), '')
})

test('no usual limit is taken for a mark', () => {
  const usual = [
    '',
    '0',
    'unlimited',
    '18446744073709551615',
    '9223372036854775807',
    String(8n << 30n),
    String(1n << 50n),
  ]
  assert.deepEqual(usual.filter(isMark), [])
  assert.equal(isMark(String(BigInt(markOf('a')) + 1n)), false)
})

test('the command and what it starts carry the mark, their supervisor does not', async (t) => {
  const { sh, token, processes, text } = rig(t)
  const supervised = sh('ulimit -S -m; (env -i setsid sleep 1000 >/dev/null 2>&1 &); exec sleep 1000')
  await until('both', () => text() !== '' && processes().length === 2)
  if (canMark) assert.equal(text(), `${markArgument(token)}\n`)
  const marked = readProcessTable().filter((row) => row.limit === markOf(token))
  assert.deepEqual(marked.map(({ pid }) => pid).sort(), canMark ? processes().sort() : [])
  const supervisor = await supervised.pid
  assert.ok(!marked.some(({ pid }) => pid === supervisor))
  await supervised.stop()
})
