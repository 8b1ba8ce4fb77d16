// What an attempt changed, against what its task had claimed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'

const claims = (...write: string[]) => ({ write, read: [] })

test('enforce: work outside the claims fails with the paths, and the next agent is told', async () => {
  await using rig = await Rig.open()
  const task = { id: 'api', prompt: 'Build it.', claims: claims('src/api/**'), retries: 1, verify: ['touch verified'] }
  const run = await rig.start([task], { command: rig.stage.command(), claims: 'enforce' })
  const first = await rig.stage.next('api')
  await first.write('src/api/[id].ts', 'mine\n')
  await first.write('package.json', '{}\n')
  await first.sh('git add -A && git commit -qm "all of it"')
  await first.deliver('notes.txt')
  const finished = await run.saw('attempt.finished')
  assert.deepEqual([finished.outcome, finished.failure?.reason], ['failed', 'claims-violated'])
  assert.deepEqual(finished.failure?.paths, ['notes.txt', 'package.json'])
  assert.match(
    finished.failure?.message ?? '',
    /2 paths outside its claims: notes\.txt, package\.json.*`claims` in the/,
  )
  assert.deepEqual(finished.touched, { paths: ['notes.txt', 'package.json', 'src/api/[id].ts'], count: 3 })
  assert.deepEqual(finished.undeclared, { paths: ['notes.txt', 'package.json'], count: 2 })

  const again = await rig.stage.next('api')
  assert.match(again.hello.stdin, /\(claims-violated\)[\s\S]*it has claimed src\/api\/\*\*[\s\S]*- package\.json/)
  await again.deliver('src/api/[id].ts', 'mine\n')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['api/2'])
  assert.equal(rig.landedFile(outcome, 'package.json'), null)
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/api/1:package.json`), '{}')
  assert.equal(run.task('api').history.at(-1)?.undeclared, undefined)
})

test('warn: it lands, and the journal says what was outside', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([
    { id: 'api', claims: claims('src/api/**') },
    { id: 'free', run: 'echo free > anything.txt' },
  ])
  const puppet = await rig.stage.next('api')
  await puppet.remove('src/a.txt')
  await puppet.deliver('src/api/a.ts')
  const { outcome } = await run.finish()
  assert.equal(outcome.counts.landed, 2)
  const [api, free] = ['api', 'free'].map((id) => run.task(id).history[0])
  assert.deepEqual(api?.undeclared, { paths: ['src/a.txt'], count: 1 })
  assert.deepEqual(api?.touched, { paths: ['src/a.txt', 'src/api/a.ts'], count: 2 })
  assert.deepEqual([free?.undeclared, free?.touched], [undefined, { paths: ['anything.txt'], count: 1 }])
})

test('extend: it lands once nobody works on what it changed, and nobody begins to before', async () => {
  await using rig = await Rig.open()
  const tasks = [
    { id: 'api', claims: claims('src/api/**') },
    { id: 'web', claims: claims('src/web/**') },
    { id: 'late', claims: claims('shared.txt') },
  ]
  const run = await rig.start(tasks, { claims: 'extend', maxConcurrency: 2 })
  const [api, web] = [await rig.stage.next('api'), await rig.stage.next('web')]
  await api.write('src/web/menu.ts', 'of api\n')
  await api.deliver('shared.txt', 'of api\n')
  await run.saw('attempt.finished')
  // A slot is free, and yet the third one waits: `api` has asked for what it claims.
  assert.deepEqual(run.statuses(), { api: 'landing', web: 'running', late: 'ready' })
  assert.deepEqual(run.all('landing.started'), [])
  await web.deliver('src/web/other.ts')
  const late = await rig.stage.next('late')
  assert.equal(await late.sh('cat shared.txt'), 'of api')
  await late.deliver('shared.txt', 'of late\n')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['web/1', 'api/1', 'late/1'])
})
