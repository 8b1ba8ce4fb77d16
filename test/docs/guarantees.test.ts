import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { readSettings } from '../../src/workloads/settings/read.ts'
import { coded, ROOT, tableOf } from './pages.ts'

const PAGE = 'docs/landing.md'

test('every guarantee of the landing queue names tests that exist', () => {
  const rows = tableOf(PAGE, 'What is promised', 'name')
  assert.deepEqual(
    rows.map(([name]) => name),
    ['G1', 'G2', 'G3', 'G4', 'G5', 'G6'],
  )
  for (const [name, , tests = ''] of rows) {
    const files = coded(tests)
    assert.ok(files.length > 0, `${name} has no test`)
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), `${name}: there is no ${file}`)
  }
})

test('the settings of the landing page have the defaults it says', () => {
  for (const [name = '', value = ''] of tableOf(PAGE, 'Settings', 'setting')) {
    const [, setting = ''] = coded(name)[0]?.split('.') ?? []
    const text = coded(value)[0] ?? '[]'
    const read = readSettings(`landing:\n  ${setting}: ${text}\n`, 'config.yaml')
    assert.ok(read.ok, `${name} cannot be ${text}`)
    for (const [key, said] of Object.entries(read.value.landing ?? {}))
      assert.deepEqual(said, Reflect.get(DEFAULT_SETTINGS.landing, key), name)
  }
})
