import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processIdentity } from '../../src/process/tree/identity.ts'
import { DoomedEngine } from './doomed-engine.ts'
import { makeSettings } from './plan.ts'
import { makeRepository } from './repository.ts'
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

test('a repository that was made before is put there again: another one, and in no way different', async () => {
  const files = { 'a.txt': 'a\n', 'deep/er/b.txt': 'b\n' }
  await using first = await makeRepository({ files })
  await first.write('a.txt', 'changed\n')
  await using second = await makeRepository({ files })
  assert.notEqual(second.top, first.top)
  assert.equal(second.git('rev-parse', 'HEAD'), first.git('rev-parse', 'HEAD'))
  assert.equal(second.git('config', '--local', '--list'), first.git('config', '--local', '--list'))
  // Without a look at what is in the files: the index knows them.
  assert.equal(second.git('diff-files', '--name-only'), '')
  assert.equal(second.git('fsck', '--strict'), '')
})
