import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FileUpdate, updateFile } from '../../../src/engine/plan-file/locked-update.ts'
import { ok, refuse } from '../../../src/problem.ts'
import { noSmallDisk, SmallDisk } from '../../rig/full-disk.ts'
import type { EditorOrders } from '../../rig/plan-editor.ts'
import { temporaryFolder } from '../../rig/repository.ts'

function update(edit: (text: string) => string): FileUpdate {
  return { lock: 'file', waitMs: 0, edit: (text) => ok(edit(text)) }
}

const upper = update((text) => text.toUpperCase())

test('a file is replaced with its rights, and nothing is left beside it', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, '\ufeffä\r\n')
  chmodSync(file, 0o640)
  assert.equal(await updateFile(file, upper), null)
  assert.equal(readFileSync(file, 'utf8'), '\ufeffÄ\r\n')
  assert.equal(statSync(file).mode & 0o777, 0o640)
  assert.deepEqual(readdirSync(folder.path), ['plan.json'])
})

test('what is as it should be is not written, and needs no lock', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, 'A')
  writeFileSync(`${file}.lock`, '')
  const before = statSync(file, { bigint: true })
  assert.equal(await updateFile(file, upper), null)
  const after = statSync(file, { bigint: true })
  assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs])
})

test('behind a link the file is replaced, not the link', async () => {
  await using folder = await temporaryFolder()
  mkdirSync(folder.at('real'))
  writeFileSync(folder.at('real', 'plan.json'), 'a')
  symlinkSync('real/plan.json', folder.at('link.json'))
  assert.equal(await updateFile(folder.at('link.json'), upper), null)
  assert.ok(lstatSync(folder.at('link.json')).isSymbolicLink())
  assert.equal(readFileSync(folder.at('real', 'plan.json'), 'utf8'), 'A')
})

test('a file that nobody may write is left alone, by root too', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, 'a')
  chmodSync(file, 0o444)
  assert.equal(await updateFile(file, upper), 'it is read-only')
  assert.equal(readFileSync(file, 'utf8'), 'a')
  assert.deepEqual(readdirSync(folder.path), ['plan.json'])
  // Nothing is to be changed in it, so nobody has to be told.
  assert.equal(
    await updateFile(
      file,
      update((text) => text),
    ),
    null,
  )
  chmodSync(file, 0o644)
  assert.equal(await updateFile(file, upper), null)
})

test('an edit between reading and writing is kept: the file is read again', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, 'a')
  let times = 0
  const why = await updateFile(
    file,
    update((text) => {
      // The first call only looks; the second is under the lock.
      if (++times === 2) writeFileSync(file, 'ab')
      return text.toUpperCase()
    }),
  )
  assert.equal(why, null)
  assert.equal(readFileSync(file, 'utf8'), 'AB')
})

test('a file that changes all the time is left for later', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, 'a')
  let times = 0
  const why = await updateFile(
    file,
    update((text) => {
      writeFileSync(file, `a${++times}`)
      return text.toUpperCase()
    }),
  )
  assert.equal(why, 'it changes all the time')
  assert.equal(readFileSync(file, 'utf8'), `a${times}`)
  assert.deepEqual(readdirSync(folder.path), ['plan.json'])
})

test('what cannot be written is said, and nothing is changed', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  assert.equal(await updateFile(file, upper), 'it is not there any more')
  assert.equal(await updateFile(`${file}/inside.json`, upper), 'it is not there any more')
  symlinkSync('loop.json', folder.at('loop.json'))
  assert.equal(await updateFile(folder.at('loop.json'), upper), 'its symbolic links lead in a circle')
  mkdirSync(folder.at('a-folder'))
  assert.equal(await updateFile(folder.at('a-folder'), upper), 'it is not a file any more')
  writeFileSync(file, Buffer.from([0x61, 0xff]))
  assert.match((await updateFile(file, upper)) ?? '', /not UTF-8/)
  assert.deepEqual(readFileSync(file), Buffer.from([0x61, 0xff]))
  writeFileSync(file, 'a')
  const wrong: FileUpdate = { ...upper, edit: () => refuse('it makes no sense') }
  assert.equal(await updateFile(file, wrong), 'it makes no sense')
  writeFileSync(`${file}.lock`, '')
  assert.match((await updateFile(file, upper)) ?? '', /^somebody else has .*plan\.json\.lock$/)
  assert.equal(readFileSync(file, 'utf8'), 'a')
})

test('what a process that was killed in the middle left beside the file is cleared away with the next change', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, 'a')
  const script = fileURLToPath(new URL('../../rig/killed-writer.ts', import.meta.url))
  const [, signal] = await once(spawn(process.execPath, [script, file], { stdio: 'inherit' }), 'exit')
  assert.equal(signal, 'SIGKILL')
  const left = readdirSync(folder.path)
  assert.equal(left.length, 3, left.join())
  for (const name of left) assert.match(name, /^plan\.json(\.lock|\.espalier-[0-9a-f]{12}\.tmp)?$/)
  assert.equal(readFileSync(file, 'utf8'), 'a')
  // One who was killed while breaking into a lock leaves this; the rest is not ours.
  mkdirSync(`${file}.lock.espalier-0123456789ab.tmp`)
  const others = ['other.json.espalier-0123456789ab.tmp', 'plan.json.0123456789ab.tmp', 'plan.json.tmp']
  for (const name of others) writeFileSync(folder.at(name), '')
  // What held the lock for the dead one may take a moment to notice.
  assert.equal(await updateFile(file, { ...upper, waitMs: 60_000 }), null)
  assert.equal(readFileSync(file, 'utf8'), 'A')
  assert.deepEqual(readdirSync(folder.path).toSorted(), [...others, 'plan.json'].toSorted())
})

test('on a full disk, or one that cannot be written, the file stays whole', { skip: noSmallDisk }, async () => {
  await using folder = await temporaryFolder()
  using disk = new SmallDisk(folder.at('disk'))
  const file = folder.at('disk', 'plan.json')
  const text = 'a'.repeat(100_000)
  writeFileSync(file, text)
  disk.fill()
  assert.match((await updateFile(file, upper)) ?? '', /ENOSPC/)
  disk.free()
  disk.writable(false)
  assert.match((await updateFile(file, upper)) ?? '', /read-only/)
  disk.writable(true)
  assert.equal(readFileSync(file, 'utf8'), text)
  assert.equal(await updateFile(file, upper), null)
  assert.equal(readFileSync(file, 'utf8'), text.toUpperCase())
  assert.deepEqual(readdirSync(folder.at('disk')), ['plan.json'])
})

test('two processes that change a file as fast as they can lose nothing of each other', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  const subtasks = [{ id: 'a', description: 'Do a', status: 'in_progress' }]
  writeFileSync(file, JSON.stringify({ ours: 0, phases: [{ subtasks }] }))
  const orders: EditorOrders = { file, edits: 200, block: 1_000, counter: folder.at('counter') }
  const script = fileURLToPath(new URL('../../rig/plan-editor.ts', import.meta.url))
  const editor = spawn(process.execPath, [script, JSON.stringify(orders)], { stdio: 'inherit' })
  const ended = once(editor, 'exit')
  let ours = 0
  const count = (text: string) => text.replace(/"ours": ?\d+/, `"ours": ${ours + 1}`)
  while (editor.exitCode === null) if ((await updateFile(file, { ...update(count), waitMs: 5_000 })) === null) ours++
  assert.equal((await ended)[0], 0)
  const plan = JSON.parse(readFileSync(file, 'utf8'))
  assert.equal(plan.ours, ours)
  const [{ subtasks: found }] = plan.phases
  assert.equal(found.length, 101)
  const notes = found.flatMap(({ notes = '' }: { notes?: string }) => notes.match(/\d+/g) ?? [])
  assert.equal(new Set(notes).size, 100)
})
