// Work that makes the branch fail: what its agent is told, and what becomes of it in the end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'

const VERIFY = 'if grep -rq "^bad" src; then echo "one" ; echo "src/b.txt is bad"; exit 7; fi'

test('it goes back with the command that failed and the end of its output, on the new base', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b', prompt: 'Change it.', retries: 1 }], {
    command: rig.stage.command(),
    landing: { verify: [VERIFY] },
  })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.deliver('src/a.txt', 'of a\n')
  await run.saw('landing.landed')
  await b.print('I think this is right\n')
  await b.deliver('src/b.txt', 'bad\n')
  const again = await rig.stage.next('b')
  const { stdin } = again.hello
  assert.match(
    stdin,
    /^Change it\.\n[\s\S]*An earlier attempt failed[\s\S]*\(landing-failed\): merged with what others had landed/,
  )
  assert.ok(stdin.includes(`\`${VERIFY}\` exited with status 7`), stdin)
  assert.match(stdin, / {4}one\n {4}src\/b\.txt is bad[\s\S]*I think this is right/)
  assert.equal(
    await again.sh('cat src/a.txt src/b.txt | grep -v bad'),
    await again.sh('echo of a; git show HEAD:src/b.txt'),
  )
  await again.deliver('src/b.txt', 'good\n')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/b/1:src/b.txt`), 'bad')
})

test('after its last retry it is out: its work is kept, what needs it is blocked by it, the rest lands', async () => {
  await using rig = await Rig.open()
  const run = await rig.run(
    [
      { id: 'bad', run: 'mkdir -p src; echo bad > src/bad.txt', retries: 1 },
      { id: 'next', needs: ['bad'], run: 'true' },
      { id: 'last', needs: ['next'], run: 'true' },
      { id: 'good', run: 'echo good > good.txt' },
    ],
    { landing: { verify: [VERIFY], reruns: 1 } },
  )
  assert.deepEqual(run.statuses(), { bad: 'failed', next: 'blocked', last: 'blocked', good: 'landed' })
  const { failure, attempts } = run.task('bad')
  assert.deepEqual([failure?.reason, attempts], ['landing-failed', 2])
  assert.match(failure?.message ?? '', /exited with status 7:[\s\S]*src\/b\.txt is bad/)
  for (const attempt of [1, 2])
    assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/bad/${attempt}:src/bad.txt`), 'bad')
  for (const task of ['next', 'last']) {
    const { reason, cause } = run.task(task).failure ?? {}
    assert.deepEqual([reason, cause], ['need-failed', 'bad'])
  }
  assert.deepEqual(rig.landings(run.outcome), ['good/1'])
})
