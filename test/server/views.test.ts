// What people look at: landing queue, forecast, money, claims, and a conflict with its sides, on a run that has all
// of it.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import type { Client } from '../../src/server/client/connect.ts'
import { isText } from '../../src/server/resources/route.ts'
import type { RouteName } from '../../src/server/resources/route-paths.ts'
import { ROUTES } from '../../src/server/resources/routes.ts'
import { makeRepository, type TestRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { ServerRig } from './server-rig.ts'

/** `right` begins before `left` has landed, so it conflicts; `late` and `last` wait for the only free slot. */
const plan = (signals: string) => `name: views
epics: [{id: one, title: First}, {id: two, title: Second, needs: []}]
defaults: {retries: 0}
landing: {conflict: manual, verify: 'test ! -e bad.txt'}
budgetUsd: 9
tasks:
  - {id: left, epic: one, run: 'echo left > both.txt', estimate: 2m, claims: {write: [left/**]}}
  - {id: right, epic: one, run: 'while [ ! -e ${signals}/go ]; do sleep 0.05; done; echo right > both.txt'}
  - {id: gate, epic: two, run: 'while [ ! -e ${signals}/open ]; do sleep 0.05; done; echo g > g.txt', claims: {write: [src/**]}}
  - {id: kept, epic: two, run: 'echo k > k.txt', claims: {write: [src/a.ts]}, estimate: 1m}
  - {id: last, epic: two, needs: [gate], run: 'echo l > l.txt', estimate: 3m, priority: high}
  - {id: spoilt, run: 'echo bad > bad.txt', needs: [left], retries: 1}
`

suite('the views of a run', () => {
  let repository: TestRepository
  let rig: ServerRig
  let client: Client
  let of: { project: string; run: string }
  before(async () => {
    repository = await makeRepository({ files: { 'both.txt': 'first\n' } })
    rig = await ServerRig.open({ repository })
    client = rig.client
    const started = await client.runs.start({
      project: 'repo',
      plan: { text: plan(repository.path), name: 'views.yaml' },
      maxConcurrency: 3,
    })
    of = { project: 'repo', run: started.run }
  })
  after(async () => {
    await rig[Symbol.asyncDispose]()
    await repository[Symbol.asyncDispose]()
  })

  const statusOf = async (task: string) => (await client.tasks.get({ ...of, task })).status

  test('a priority that was changed', async () => {
    const changed = await fits('tasks.change', await client.tasks.change({ ...of, task: 'kept', priority: 30 }))
    assert.deepEqual([changed.priority, changed.delivered], [30, 'to-engine'])
    await until('the change', async () => (await client.tasks.get({ ...of, task: 'kept' })).priority === 30)
  })

  test('who holds which paths, who waits for them, and what is to come', async () => {
    await until('the gate', async () => (await statusOf('gate')) === 'running')
    await until('what left came to', async () => (await statusOf('left')) === 'landed')
    await until('its turn', async () => (await statusOf('spoilt')) === 'failed')
    const claims = await client.claims.list({ project: 'repo' })
    assert.deepEqual(claims.waiting, [{ task: 'kept', glob: 'src/a.ts', holder: { kind: 'task', name: 'gate' } }])
    const check = await client.claims.check({ project: 'repo', paths: ['src/x.ts', 'docs/y.md'] })
    assert.deepEqual(
      check.conflicts.map(({ path, holder }) => [path, holder.name]),
      [['src/x.ts', 'gate']],
    )
    const forecast = await fits('runs.forecast', await client.runs.forecast(of))
    const tasks = forecast.schedule.map(({ task }) => task).sort()
    assert.deepEqual([tasks, forecast.left], [['gate', 'kept', 'last', 'right'], 4])
    const ends = new Map(forecast.schedule.map(({ task, from, to }) => [task, { from, to }]))
    assert.ok((ends.get('last')?.from ?? 0) >= (ends.get('gate')?.to ?? Number.POSITIVE_INFINITY))
    assert.equal(forecast.endsAt, Math.max(...forecast.schedule.map(({ to }) => to)))
  })

  test('the landing queue with verdicts and culprits, a conflict with its sides, and its answer', async () => {
    writeFileSync(repository.at('go'), '')
    await until('the conflict', async () => (await statusOf('right')) === 'conflict')
    await until('the last try of the culprit', async () => (await statusOf('spoilt')) === 'failed')
    const queue = await fits('runs.queue', await client.runs.queue(of))
    assert.deepEqual(
      queue.facts?.culprits.map(({ tasks, again }) => [...tasks, again]),
      [
        ['spoilt', true],
        ['spoilt', false],
      ],
    )
    assert.ok((queue.facts?.batches.length ?? 0) >= 2 && queue.facts?.verifications)
    assert.deepEqual(
      queue.conflicts.map(({ task, paths }) => [task, paths]),
      [['right', ['both.txt']]],
    )
    assert.ok(queue.refusals.some(({ tasks, waitsForPerson }) => tasks[0] === 'right' && waitsForPerson))
    const sides = await client.tasks.conflict({ ...of, task: 'right' })
    const [file] = sides.files
    assert.deepEqual(
      [file?.path, file?.kind, file?.base, file?.branch, file?.work],
      ['both.txt', 'text', 'first\n', 'left\n', 'right\n'],
    )
    assert.match(file?.merged ?? '', /<<<<<<<[\s\S]*left[\s\S]*=======[\s\S]*right[\s\S]*>>>>>>>/)
    await assert.rejects(client.tasks.conflict({ ...of, task: 'left' }), /is not in conflict/)
    const opened = await client.tasks.openConflict({ ...of, task: 'right' })
    writeFileSync(`${opened.path}/both.txt`, 'left and right\n')
    const answered = await client.tasks.answerConflict({ ...of, task: 'right', answer: 'resolved' })
    assert.deepEqual([answered.task, answered.pid], ['right', null])
    await until('it to land', async () => (await statusOf('right')) === 'landed')
  })

  test('landings by page, and money', async () => {
    writeFileSync(repository.at('open'), '')
    await until('the end', async () => (await client.runs.get(of)).engine === null)
    const pages: string[] = []
    let next: string | undefined
    do {
      const { items, next: rest } = await fits(
        'runs.landings',
        await client.runs.landings({ ...of, limit: 2, after: next }),
      )
      pages.push(...items.flatMap(({ tasks }) => tasks))
      next = rest ?? undefined
    } while (next !== undefined)
    const byLanding = (await client.tasks.list(of)).items.filter(({ landedAt }) => landedAt !== null)
    byLanding.sort((a, b) => (b.landedAt ?? 0) - (a.landedAt ?? 0))
    assert.deepEqual(
      pages,
      byLanding.map(({ id }) => id),
    )

    const spending = await fits('runs.spending', await client.runs.spending(of))
    assert.deepEqual([spending.budgets?.budgetUsd, spending.overTime, spending.tasks], [9, [], []])
    const folder = await client.tasks.open({ ...of, task: 'spoilt' })
    assert.equal(folder.kind, 'worktree')
    await assert.rejects(client.tasks.change({ ...of, task: 'left', priority: 1 }), /has finished/)
    assert.equal((await rig.ask('GET', `/api/projects/repo/runs/${of.run}/queue`)).headers.etag !== undefined, true)
  })
})

/** The answer, once it is known to be what the table says. */
async function fits<T>(name: RouteName, answer: T): Promise<T> {
  const shape = ROUTES[name].answer
  assert.ok(!isText(shape))
  const read = (shape as import('zod').ZodType).safeParse(answer)
  assert.ok(read.success, `${name}: ${read.error?.message}`)
  return answer
}
