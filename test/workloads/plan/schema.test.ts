import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SCHEMA_FOLDER, schemaFiles } from '../../../scripts/schema.ts'

for (const [name, text] of Object.entries(schemaFiles())) {
  test(`schema/${name} is up to date`, () => {
    const stored = readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8')
    assert.equal(stored, text, 'run `npm run schema`')
  })
}

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  oneOf?: Schema[]
  not?: Schema
  anyOf?: Schema[]
  pattern?: string
  description?: string
}

const plan = JSON.parse(schemaFiles()['plan.schema.json'] ?? '') as Schema

test('the published schema takes the smallest plan and refuses what the reader refuses', () => {
  assert.ok(accepts(plan, { tasks: [{ id: 'a', prompt: 'x' }] }))
  assert.ok(accepts(plan, { tasks: [{ id: 'a', run: 'x', claims: { write: ['src'] }, timeout: '30m' }], name: 'x' }))
  const bad = [
    {},
    { tasks: [{ prompt: 'x' }] },
    { tasks: [{ id: 'a' }] },
    { tasks: [{ id: 'a', prompt: 'x', run: 'y' }] },
    { tasks: [{ id: '../a', run: 'y' }] },
    { tasks: [{ id: 'a', run: 'y', retires: 1 }] },
    { tasks: [{ id: 'a', run: 'y', timeout: 'soon' }] },
    { tasks: [{ id: 'a', run: 'y', needs: 'b' }] },
    { tasks: [{ id: 'a', prompt: 'x', agent: 'claude', agents: ['codex'] }] },
    { tasks: [{ id: 'a', prompt: 'x' }], defaults: { agent: 'claude', agents: ['codex'] } },
  ]
  for (const value of bad) assert.ok(!accepts(plan, value), JSON.stringify(value))
})

test('the fields people use explain themselves in an editor', () => {
  const task = plan.properties?.tasks?.items?.properties ?? {}
  for (const name of [
    'id',
    'title',
    'prompt',
    'run',
    'needs',
    'after',
    'claims',
    'verify',
    'priority',
    'timeout',
    'land',
  ])
    assert.ok((task[name]?.description ?? '').length > 10, name)
})

/** As much of JSON Schema as these files need to be told right from wrong. */
function accepts(schema: Schema, value: unknown): boolean {
  if (schema.anyOf && !schema.anyOf.some((option) => accepts(option, value))) return false
  if (schema.oneOf && schema.oneOf.filter((option) => accepts(option, value)).length !== 1) return false
  if (schema.not && accepts(schema.not, value)) return false
  if (schema.type && ![schema.type].flat().includes(typeOf(value))) return false
  if (typeof value === 'string') return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
  if (Array.isArray(value)) return value.every((item) => schema.items === undefined || accepts(schema.items, item))
  if (typeof value !== 'object' || value === null) return true
  if (schema.required?.some((name) => !(name in value))) return false
  return Object.entries(value).every(([name, item]) => {
    const field = schema.properties?.[name]
    return field ? accepts(field, item) : schema.additionalProperties !== false
  })
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}
