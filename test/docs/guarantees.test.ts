import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { readSettings } from '../../src/workloads/settings/read.ts'
import { coded, tableOf } from './pages.ts'

const PAGE = 'docs/landing.md'

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
