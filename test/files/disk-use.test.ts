import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { test } from 'node:test'
import { diskUse } from '../../src/files/disk-use.ts'
import { temporaryFolder, write } from '../rig/repository.ts'

test('a folder takes what is in it, and links are not followed', async () => {
  await using folder = await temporaryFolder()
  await write(folder.at('in/deep/large'), Buffer.alloc(1 << 20, 1))
  await write(folder.at('in/small'), 'x')
  const { bytes, complete } = await diskUse(folder.at('in'))
  assert.ok(complete && bytes >= 1 << 20 && bytes < 2 << 20, String(bytes))
  await symlink(folder.at('in'), folder.at('link'))
  assert.ok((await diskUse(folder.at('link'))).bytes < 1 << 20)
  assert.deepEqual(await diskUse(folder.at('nothing')), { bytes: 0, complete: true })
})

test('counting stops where it is told to, and says so', async () => {
  await using folder = await temporaryFolder()
  for (let n = 0; n < 9; n++) await write(folder.at(`in/${n}`), 'x')
  const all = await diskUse(folder.at('in'), 10)
  const some = await diskUse(folder.at('in'), 9)
  assert.ok(all.complete && !some.complete && some.bytes < all.bytes)
})
