import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, resolveSettings } from '../src/config.ts'
import { readSettings } from '../src/workloads/settings/read.ts'

test('without layers the defaults are in force, and say so', () => {
  const { settings, origin } = resolveSettings([])
  assert.deepEqual(settings, DEFAULT_SETTINGS)
  assert.notEqual(settings.keep, DEFAULT_SETTINGS.keep)
  assert.equal(origin['backoff.initialMs'], 'default')
  assert.equal(origin.stateDir, 'default')
  assert.ok(!('backoff' in origin))
})

test('a later layer overrules an earlier one, setting by setting', () => {
  const { settings, origin } = resolveSettings([
    { from: 'user', settings: { retries: 5, backoff: { initialMs: 1, maxMs: 2 }, keep: ['a', 'b'], command: 'x' } },
    { from: 'plan', settings: { backoff: { maxMs: 3 }, keep: ['c'], strict: undefined } },
    { from: 'flags', settings: { retries: 0, command: null, backoff: undefined } },
  ])
  assert.deepEqual(settings, {
    ...DEFAULT_SETTINGS,
    retries: 0,
    backoff: { initialMs: 1, maxMs: 3 },
    keep: ['c'],
    command: null,
  })
  assert.equal(origin.retries, 'flags')
  assert.equal(origin['backoff.initialMs'], 'user')
  assert.equal(origin['backoff.maxMs'], 'plan')
  assert.equal(origin.keep, 'plan')
  assert.equal(origin.command, 'flags')
  assert.equal(origin.strict, 'default')
})

test('resolving changes neither the layers nor the defaults', () => {
  const before = structuredClone(DEFAULT_SETTINGS)
  const layer = { from: 'user', settings: { keep: ['a'], ports: { first: 1 } } }
  resolveSettings([layer, { from: 'flags', settings: { ports: { perSlot: 2 } } }]).settings.keep.push('b')
  assert.deepEqual(layer.settings, { keep: ['a'], ports: { first: 1 } })
  assert.deepEqual(DEFAULT_SETTINGS, before)
})

test('agents that the settings name themselves are put together like every other setting', () => {
  const user = { agents: { acp: { goose: { program: 'goose', args: ['acp'] } } } }
  const before = structuredClone(user)
  const { settings } = resolveSettings([
    { from: 'user', settings: user },
    { from: 'repository', settings: { agents: { acp: { goose: { model: 'm' }, other: { program: 'x' } } } } },
  ])
  assert.deepEqual(settings.agents.acp, {
    goose: { program: 'goose', args: ['acp'], model: 'm' },
    other: { program: 'x' },
  })
  assert.deepEqual(user, before)
  assert.deepEqual(DEFAULT_SETTINGS.agents.acp, {})
})

test('no name in a settings file reaches beyond the settings', () => {
  const read = readSettings('agents: { acp: { __proto__: { program: x } } }', 'config.yaml')
  assert.ok(read.ok)
  resolveSettings([{ from: 'repository', settings: read.value }])
  assert.equal(Reflect.get({}, 'program'), undefined)
})
