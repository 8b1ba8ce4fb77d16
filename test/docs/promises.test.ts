// The page of promises cannot rot: every invariant is on it, and every test it names exists.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { coded, proseOf, ROOT, tableOf } from './pages.ts'

const PAGE = 'docs/promises.md'
const invariants = tableOf(PAGE, 'Everything else', 'name')
const guarantees = tableOf(PAGE, 'Landing', 'promise')
const faults = tableOf(PAGE, 'When something goes wrong', 'fault')

function testsIn(cell = ''): string[] {
  return coded(cell).filter((name) => name.endsWith('.test.ts'))
}

test('I1 to I16 are there, each once and in order', () => {
  const names = invariants.map(([name]) => name)
  assert.deepEqual(
    names,
    Array.from({ length: 16 }, (_, n) => `**I${n + 1}**`),
  )
})

test('every promise and every fault names tests', () => {
  for (const row of [...guarantees, ...invariants, ...faults])
    assert.ok(testsIn(row.at(-1)).length > 0, `no test: ${row.join(' | ')}`)
  assert.ok(guarantees.length >= 4 && faults.length >= 20)
})

test('every test that is named exists and has tests in it', () => {
  for (const name of new Set(testsIn(proseOf(PAGE)))) {
    assert.ok(existsSync(join(ROOT, name)), `${name} is gone`)
    assert.match(readFileSync(join(ROOT, name), 'utf8'), /\btest\(|Contract\(/, `${name} tests nothing`)
  }
})

test('every test of faults is named', () => {
  const named = new Set(testsIn(proseOf(PAGE)))
  const missing = globSync('test/engine/faults-*.test.ts', { cwd: ROOT }).filter((name) => !named.has(name))
  assert.deepEqual(missing, [])
})
