import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processIdentity } from '../../src/process/identity.ts'
import { DoomedEngine } from './doomed-engine.ts'
import { makeSettings } from './plan.ts'
import { Rig } from './rig.ts'

test('a test that ends half-way leaves no process behind, wherever a puppet has put it', async () => {
  let orphan = 0
  {
    await using rig = await Rig.open()
    await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
    orphan = await (await rig.stage.next('a')).orphan()
    assert.ok(processIdentity(orphan) && engine.pid > 0)
  }
  assert.equal(processIdentity(orphan), null)
})
