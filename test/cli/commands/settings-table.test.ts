import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingRow } from '../../../src/cli/commands/config.ts'

const rows: [name: string, value: unknown, shown: string][] = [
  ['timeoutMs', 1_800_000, 'timeout 30m'],
  ['timeoutMs', 7_200_000, 'timeout 2h'],
  ['timeoutMs', 90_000, 'timeout 90s'],
  ['backoff.initialMs', 2_000, 'backoff.initial 2s'],
  ['backoff.initialMs', 0, 'backoff.initial 0ms'],
  ['graceMs', 1_500, 'grace 1500ms'],
  ['stallAfterMs', 0, 'stallAfter never'],
  ['command', null, 'command null'],
  ['keep', ['a', 'b'], 'keep ["a","b"]'],
  ['agent', 'command', 'agent command'],
]
for (const [name, value, shown] of rows) {
  test(`${name} is shown as ${shown}`, () => {
    const row = settingRow(name, value)
    assert.equal(`${row.name} ${row.value}`, shown)
  })
}
