// A file that belongs to people is replaced as a whole, with its rights, and only if it is still what was read.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { changeFile } from '../../../src/engine/plan-file/replace-file-safely.ts'
import { ok, refuse } from '../../../src/problem.ts'
import { noSmallDisk, SmallDisk } from '../../rig/full-disk.ts'
import { temporaryFolder, write } from '../../rig/repository.ts'

const upper = (text: string) => ok(text.toUpperCase())

test('a file is replaced with its rights, also behind a link, and nothing is left beside it', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('real', 'plan.json')
  await write(file, '\ufeffä\r\n')
  chmodSync(file, 0o640)
  symlinkSync('real/plan.json', folder.at('link.json'))
  assert.equal(await changeFile(folder.at('link.json'), upper), null)
  assert.ok(readdirSync(folder.path, { withFileTypes: true })[0]?.isSymbolicLink())
  assert.equal(readFileSync(file, 'utf8'), '\ufeffÄ\r\n')
  assert.equal(statSync(file).mode & 0o777, 0o640)
  assert.deepEqual(readdirSync(folder.at('real')), ['plan.json'])
  const before = statSync(file, { bigint: true })
  assert.equal(await changeFile(file, upper), null)
  const after = statSync(file, { bigint: true })
  assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs], 'as it should be, it is not written')
})

test('an edit between reading and writing is kept; a file that changes all the time is left for later', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, 'a')
  let times = 0
  const edited = (most: number) => (text: string) => {
    if (times++ < most) writeFileSync(file, `a${times}`)
    return ok(text.toUpperCase())
  }
  assert.equal(await changeFile(file, edited(1)), null)
  assert.equal(readFileSync(file, 'utf8'), 'A1')
  writeFileSync(file, 'a')
  assert.equal(await changeFile(file, edited(99)), 'it changes all the time')
  assert.equal(readFileSync(file, 'utf8'), `a${times}`)
  assert.deepEqual(readdirSync(folder.path), ['plan.json'])
})

test('what cannot be written is reported, and nothing is changed', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  assert.equal(await changeFile(file, upper), 'it is not there any more')
  symlinkSync('loop.json', folder.at('loop.json'))
  assert.equal(await changeFile(folder.at('loop.json'), upper), 'its symbolic links lead in a circle')
  assert.equal(await changeFile(folder.path, upper), 'it is not a file any more')
  writeFileSync(file, Buffer.from([0x61, 0xff]))
  assert.match((await changeFile(file, upper)) ?? '', /not UTF-8/)
  assert.equal(await changeFile(`${file}/inside.json`, upper), 'it is not there any more')
  assert.deepEqual(readFileSync(file), Buffer.from([0x61, 0xff]))
  writeFileSync(file, 'a')
  assert.equal(await changeFile(file, () => refuse('it makes no sense')), 'it makes no sense')
  // Root may write it all the same; but whoever made it read-only means it.
  chmodSync(file, 0o444)
  assert.equal(await changeFile(file, upper), 'it is read-only')
  assert.equal(readFileSync(file, 'utf8'), 'a')
  assert.equal(await changeFile(file, ok), null, 'nothing is to be changed in it, so nobody has to know')
})

test('what a process that was killed in the middle left beside the file is cleared away with the next change', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, 'a')
  const script = fileURLToPath(new URL('../../rig/killed-writer.ts', import.meta.url))
  const child = spawn(process.execPath, [script, file], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
  const left = readdirSync(folder.path).filter((name) => name.startsWith(`plan.json.espalier-${child.pid}-`))
  assert.equal(left.length, 1)
  assert.equal(readFileSync(file, 'utf8'), 'a')
  const others = [`other.json.espalier-${child.pid}-1.tmp`, 'plan.json.tmp']
  // Perhaps of a process that cannot be seen from here, and is still writing.
  const young = `plan.json.espalier-${child.pid}-2.tmp`
  for (const name of [...others, young]) writeFileSync(folder.at(name), '')
  for (const name of [...others, ...left]) utimesSync(folder.at(name), 0, 0)
  assert.equal(await changeFile(file, upper), null)
  assert.equal(readFileSync(file, 'utf8'), 'A')
  assert.deepEqual(readdirSync(folder.path).toSorted(), [...others, young, 'plan.json'].toSorted())
})

test('on a full disk, or one that cannot be written, the file stays whole', { skip: noSmallDisk }, async () => {
  await using folder = await temporaryFolder()
  using disk = new SmallDisk(folder.at('disk'))
  const file = folder.at('disk', 'plan.json')
  const text = 'a'.repeat(100_000)
  writeFileSync(file, text)
  disk.fill()
  assert.match((await changeFile(file, upper)) ?? '', /ENOSPC/)
  disk.free()
  disk.writable(false)
  assert.match((await changeFile(file, upper)) ?? '', /read-only/)
  disk.writable(true)
  assert.equal(readFileSync(file, 'utf8'), text)
  assert.equal(await changeFile(file, upper), null)
  assert.equal(readFileSync(file, 'utf8'), text.toUpperCase())
  assert.deepEqual(readdirSync(folder.at('disk')), ['plan.json'])
})

test('two that change a file at the same time lose nothing of each other', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, '0 0')
  const count = async (place: 0 | 1) => {
    for (let done = 0; done < 50; ) {
      const why = await changeFile(file, (text) => {
        const counts = text.split(' ').map(Number)
        return ok(counts.with(place, (counts[place] ?? 0) + 1).join(' '))
      })
      if (why === null) done++
      else assert.equal(why, 'it changes all the time')
    }
  }
  await Promise.all([count(0), count(1)])
  assert.equal(readFileSync(file, 'utf8'), '50 50')
})
