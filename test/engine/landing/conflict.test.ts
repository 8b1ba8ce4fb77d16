// Two tasks change the same line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'

test('work that conflicts is done again on the new base, and lands', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b', prompt: 'Change it.', retries: 1 }], {
    command: rig.stage.command(),
  })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.deliver('src/a.txt', 'of a\n')
  await run.saw('landing.landed')
  await b.deliver('src/a.txt', 'of b\n')
  const again = await rig.stage.next('b')
  assert.equal(await again.sh('cat src/a.txt'), 'of a')
  assert.match(again.hello.stdin, /\(conflict\)[\s\S]*- src\/a\.txt/)
  await again.deliver('src/a.txt', 'of a and b\n')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2'])
  assert.equal(rig.landedFile(outcome, 'src/a.txt'), 'of a and b')
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/b/1:src/a.txt`), 'of b')
})

test('where conflicts are failures it fails and names the paths', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b', retries: 3 }], { landing: { conflict: 'fail' } })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.deliver('src/a.txt', 'of a\n')
  await run.saw('landing.landed')
  await b.deliver('src/a.txt', 'of b\n')
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'failed' })
  const { reason, paths } = run.task('b').failure ?? {}
  assert.deepEqual({ reason, paths }, { reason: 'conflict', paths: ['src/a.txt'] })
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/b/1:src/a.txt`), 'of b')
})

test('changes to different files of one folder do not conflict', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await b.deliver('src/b.txt', 'of b\n')
  await a.deliver('src/a.txt', 'of a\n')
  const { outcome } = await run.finish()
  assert.equal(outcome.counts.landed, 2)
  assert.deepEqual([rig.landedFile(outcome, 'src/a.txt'), rig.landedFile(outcome, 'src/b.txt')], ['of a', 'of b'])
})
