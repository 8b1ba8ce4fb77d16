import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Resources } from '../../src/async/resources.ts'

test('gives back all it was handed, the newest first', async () => {
  const given: string[] = []
  const resource = (name: string) => ({
    name,
    async [Symbol.asyncDispose]() {
      given.push(name)
    },
  })
  {
    await using resources = new Resources()
    assert.equal(resources.use(resource('one')).name, 'one')
    resources.use(resource('two'))
  }
  assert.deepEqual(given, ['two', 'one'])
})
