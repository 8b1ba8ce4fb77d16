// A worker that is not ours: it speaks the protocol as it likes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptFinished } from '../../src/attempt/attempt-order.ts'
import type { Next } from '../../src/fleet/protocol.ts'
import { ServerConnection } from '../../src/fleet/worker/server-connection.ts'
import { git } from '../../src/git/run/git.ts'
import { testDatabase } from '../rig/postgres.ts'
import { makeRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { FleetRig } from './worker-rig.ts'

test('the work of one task delivered as that of another, and a file delivered as a commit, fail their attempts and nothing else', async () => {
  await using database = await testDatabase()
  const tasks = ['a', 'b', 'c', 'd'].map((id) => `  - {id: ${id}, retries: 0, run: 'true'}`).join('\n')
  const plan = `name: demo\ntasks:\n${tasks}\n`
  await using own = await makeRepository({ files: { 'plan.yaml': plan, 'file.txt': 'one\n' } })
  await using rig = await FleetRig.open(database.url, plan)
  const { secret } = await rig.serving.context.tokens.add({ name: 'other', scope: 'worker' })
  const server = new ServerConnection(rig.serving.url, secret)
  const machine = { version: '1', host: 'h', platform: 'p', agents: [], now: Date.now() }
  await server.join({ name: 'other', slots: 4, labels: [], resources: {}, machine })
  const run = rig.run('--workers-only', '--json')
  const jobs = new Map<string, { job: string; base: string }>()
  await until('all are its', async () => {
    const { orders } = await server.call<Next>('next', { jobs: [], heard: 0, isFirst: true })
    for (const { job, order } of orders)
      if (order.kind === 'attempt') jobs.set(order.task.id, { job, base: order.base })
    return jobs.size === 4
  })
  const jobOf = (task: string) => jobs.get(task)?.job ?? ''
  const base = jobs.get('a')?.base ?? ''
  own.git('fetch', '-q', rig.repository.top, 'main')
  own.git('reset', '-q', '--hard', base)
  await own.write('work.txt', 'work\n')
  const work = own.commit('work')
  await own.write('blob', `parent ${base}\n\nbut it is a file\n`)
  const blob = own.git('hash-object', '-w', 'blob')
  const lines = own.git('cat-file', 'commit', work).split('\n')
  const [parent = ''] = lines.splice(1, 1)
  lines.splice(3, 0, parent, '')
  await own.write('orphan', `${lines.slice(0, 5).join('\n')}\nits parent stands where git does not look\n`)
  const orphan = own.git('hash-object', '-w', '-t', 'commit', '--literally', 'orphan')
  const packOf = async (input: string) =>
    (await git(['pack-objects', '--revs', '--stdout', '-q'], { gitDir: `${own.top}/.git`, input })).stdout
  const send = (task: string, commit: string, pack: Buffer) =>
    server.sendPack('pack', { job: jobOf(task), commit }, pack)
  const tell = (task: string, commit: string) => {
    const fact: AttemptFinished = {
      ...{ type: 'attempt.finished', task, attempt: 1, outcome: 'changed', commit, failure: null },
      ...{ diff: { files: 1, insertions: 1, deletions: 0 }, usage: null, summary: null },
    }
    return server.call('result', { job: jobOf(task), fact })
  }
  await send('b', work, await packOf(''))
  await send('a', work, await packOf(`${work}\n^${base}\n`))
  await send('b', work, await packOf(`${work}\n^${base}\n`))
  await send('c', blob, await packOf(`${blob}\n`))
  await send('d', orphan, await packOf(`${orphan}\n^${base}\n`))
  await tell('a', work)
  const landed = () => run.events.some(({ type }) => type === 'landing.landed')
  await until('the first has landed', landed)
  await tell('b', work)
  await tell('c', blob)
  await tell('d', orphan)
  await run.ends()
  const ends = run.events.filter((event) => event.type === 'attempt.finished')
  const reasons = new Map(ends.map(({ task, failure }) => [task, failure?.reason ?? null]))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((task) => reasons.get(task)),
    [null, 'history-rewritten', 'worktree-broken', 'history-rewritten'],
    run.heard,
  )
  assert.deepEqual(
    run.events.flatMap((event) => (event.type === 'landing.landed' ? event.tasks : [])),
    ['a'],
  )
})
