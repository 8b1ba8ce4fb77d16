import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { writeAtomically } from '../../src/files/write-atomically.ts'
import { temporaryFolder } from '../rig/repository.ts'

test('a file is made with its folder, for its owner alone, and replaced only where something changes', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('a/b/note.json')
  await writeAtomically(path, 'one')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const { ino } = await stat(path)
  await writeAtomically(path, 'one')
  assert.equal((await stat(path)).ino, ino)
  await writeAtomically(path, 'two')
  assert.notEqual((await stat(path)).ino, ino)
  assert.equal(await readFile(path, 'utf8'), 'two')
})

test('of several at once one wins, the file is always whole, and no draft is left', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('note')
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000))
  await Promise.all(texts.map((text) => writeAtomically(path, text)))
  assert.ok(texts.includes(await readFile(path, 'utf8')))
  assert.deepEqual(await readdir(folder.path), ['note'])
})

test('where it cannot be written, no draft is left', async () => {
  await using folder = await temporaryFolder()
  await mkdir(folder.at('note/inner'), { recursive: true })
  await assert.rejects(writeAtomically(folder.at('note'), 'text'))
  assert.deepEqual(await readdir(folder.path), ['note'])
})
