// Runs through the server: real engines as processes of their own, seen and changed from both sides.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import type * as z from 'zod'
import { isText } from '../../src/server/resources/route.ts'
import { ROUTES } from '../../src/server/resources/routes.ts'
import { espalier } from '../rig/espalier.ts'
import { recordedIn } from '../rig/recorded-page.ts'
import { makeRepository, temporaryFolder } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { callOf, ROUTE_NAMES } from './route-calls.ts'
import { reasonOf, ServerRig } from './server-rig.ts'

const PLAN = `name: demo
epics: [{id: one, title: First}, {id: two, title: Second, needs: [one]}]
tasks:
  - {id: a, epic: one, run: 'echo "<script>alert(1)</script>"; echo a > a.txt'}
  - {id: b, epic: two, run: 'cat a.txt > b.txt', title: '<img src=x onerror=alert(2)>'}
`
const SLOW = "name: slow\ntasks: [{id: wait, run: 'echo begun; sleep 600'}, {id: next, needs: [wait], run: 'true'}]\n"

async function withPlan(): Promise<ServerRig> {
  const repository = await makeRepository({ files: { 'espalier.yaml': PLAN, 'slow.yaml': SLOW } })
  return ServerRig.open({ repository })
}

const HOSTILE_LINE = '<script>alert(1)</script>'

suite('a run that the server has started', () => {
  let rig: ServerRig
  let run = ''
  before(async () => {
    rig = await withPlan()
    const { client } = rig
    const started = await client.runs.start({ project: 'repo' })
    run = started.run
    assert.notEqual(started.pid, process.pid)
    const { status } = await until('its end', async () => {
      const now = await client.runs.get({ project: 'repo', run })
      return now.engine === null && now.status !== 'running' ? now : null
    })
    assert.equal(status, 'completed')
  })
  after(async () => {
    await rig[Symbol.asyncDispose]()
    await rig.repository[Symbol.asyncDispose]()
  })

  test('every route answers in the shape that the table says, and none with an error of the server', async () => {
    const answered: string[] = []
    for (const name of ROUTE_NAMES) {
      // What starts something or changes the server has tests of its own.
      if (ROUTES[name].scope === 'admin' || /\.(start|resume|retry)$/.test(name)) continue
      const { method, path, body } = callOf(name, { project: 'repo', run, task: 'a' })
      const answer = await rig.ask(method, path, body === undefined ? {} : { body })
      assert.ok(answer.status < 500, `${name}: ${answer.body}`)
      if (answer.status >= 400) continue
      answered.push(name)
      const shape = ROUTES[name].answer
      if (isText(shape))
        assert.ok(
          shape.some((type) => String(answer.headers['content-type']).startsWith(type)),
          name,
        )
      else {
        const read = (shape as z.ZodType).safeParse(JSON.parse(answer.body))
        assert.ok(read.success, `${name}: ${read.error?.message} in ${answer.body.slice(0, 500)}`)
      }
    }
    for (const name of ['runs.get', 'tasks.get', 'tasks.diff', 'tasks.log', 'runs.report', 'plans.show', 'claims.hold'])
      assert.ok(answered.includes(name), `${name} did not answer`)
  })

  test('its diff, as it is and as it landed, and its log a part at a time', async () => {
    const { client } = rig
    const of = { project: 'repo', run, task: 'a' }
    assert.match(await client.tasks.diff(of), /\+\+\+ b\/a\.txt\n@@ -0,0 \+1 @@\n\+a/)
    assert.match(await client.tasks.diff({ ...of, landed: true }), /\+\+\+ b\/a\.txt/)
    const log = await client.tasks.log(of)
    assert.equal(log, '<script>alert(1)</script>\n')
    assert.equal(await client.tasks.log({ ...of, from: 1, limit: 6 }), 'script')
    const { headers } = await rig.ask('GET', `/api/projects/repo/runs/${run}/tasks/a/log`)
    assert.match(String(headers['content-type']), /^text\/plain/)
    await assert.rejects(client.tasks.diff({ ...of, attempt: 9 }), /has no attempt 9/)
  })

  test('an HTML report holds what agents print as data only, and comes in a sandbox', async () => {
    await using folder = await temporaryFolder()
    const template = '<title>Espalier</title><script id="data" type="text/plain"></script>'
    await writeFile(folder.at('report.html'), template)
    await using served = await ServerRig.open({ repository: rig.repository, app: () => folder.path })
    const { headers, body } = await served.ask('GET', `/api/projects/repo/runs/${run}/report?format=html`)
    assert.match(String(headers['content-security-policy']), /^sandbox allow-scripts; default-src 'none'/)
    assert.doesNotMatch(body, /<script>/)
    const { answers, start } = recordedIn(body)
    assert.equal(start, `/repo/${run}/summary`)
    assert.equal(
      String(answers[`/api/projects/repo/runs/${run}/tasks/a/transcript?attempt=1`]).split('\n')[0],
      HOSTILE_LINE,
    )
    assert.match(String(answers[`/api/projects/repo/runs/${run}/tasks/a/diff?landed=true`]), /\+\+\+ b\/a\.txt/)
    const changes = answers[`/api/projects/repo/runs/${run}/changes`]
    assert.equal(ROUTES['runs.changes'].answer.safeParse(changes).success, true)
    const unbuilt = await rig.ask('GET', `/api/projects/repo/runs/${run}/report?format=html`)
    assert.match(unbuilt.body, /`espalier ui` builds it/)
  })

  test('all tasks of a run, then those that have changed', async () => {
    const all = await rig.client.runs.changes({ project: 'repo', run })
    assert.deepEqual([all.run.run, all.tasks.map(({ id }) => id)], [run, ['a', 'b']])
    const since = await rig.client.runs.changes({ project: 'repo', run, after: all.cursor })
    assert.deepEqual(since.tasks, [])
    const before = await rig.client.runs.changes({ project: 'repo', run, after: 0 })
    assert.deepEqual(before.tasks.map(({ id, status }) => `${id} ${status}`).sort(), ['a landed', 'b landed'])
  })

  test('pages of lists, entity tags, and unknown names', async () => {
    const { client } = rig
    const first = await client.tasks.list({ project: 'repo', run, limit: 1 })
    assert.deepEqual([first.items.map(({ id }) => id), first.next], [['a'], 'a'])
    const rest = await client.tasks.list({ project: 'repo', run, limit: 1, after: 'a' })
    assert.deepEqual([rest.items.map(({ id }) => id), rest.next], [['b'], null])
    const events = await client.runs.events({ project: 'repo', run, limit: 2 })
    assert.deepEqual([events.items.map(({ seq }) => seq), events.next], [[1, 2], 2])
    const path = `/api/projects/repo/runs/${run}`
    const { headers } = await rig.ask('GET', path)
    const same = await rig.ask('GET', path, { headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([same.status, same.body], [304, ''])
    for (const wrong of [`${path}x`, '/api/projects/none/runs', `${path}/tasks/none`, '/api/nothing'])
      assert.equal(reasonOf(await rig.ask('GET', wrong)), 'not-found', wrong)
    assert.equal((await rig.ask('PATCH', '/api/projects')).status, 405)
    assert.match((await rig.ask('GET', `${path}/tasks?limt=1`)).body, /Unrecognized key: \\"limt\\"/)
  })

  test('the documents of 001: its batches and what they came to', async () => {
    const { client } = rig
    const status = await client.parallel.status({ project: 'repo' })
    assert.deepEqual(status, { running: false, active_agents: 0, agents: [], max_concurrency: 3 })
    const all = await client.parallel.batches({ project: 'repo' })
    assert.deepEqual([all.total_batches, all.completed_batches, all.total_tasks, all.completed_tasks], [2, 2, 2, 2])
    const second = await client.parallel.batch({ project: 'repo', batch: 1 })
    assert.deepEqual([second.batch_number, second.task_ids, second.status], [1, ['b'], 'completed'])
    await assert.rejects(client.parallel.batch({ project: 'repo', batch: 2 }), /no batch 2/)
  })
})

test('started by the server, seen and cancelled in a terminal; started in a terminal, cancelled by the server', async () => {
  await using rig = await withPlan()
  await using _repository = rig.repository
  const { client } = rig
  const started = await client.parallel.start({ project: 'repo', max_concurrency: 2, plan: 'slow.yaml' })
  const at = { project: 'repo', run: started.run }
  await until('the task', async () => (await client.parallel.status({ project: 'repo' })).active_agents === 1)
  const [agent] = (await client.parallel.status({ project: 'repo' })).agents
  assert.deepEqual([agent?.task_id, agent?.epic_id, agent?.model], ['wait', null, null])
  // A log that is followed has what comes, and ends with the task.
  const log = await client.stream('tasks.log', { ...at, task: 'wait', follow: true })
  const following = new Response(log).text()
  const seen = await espalier(rig.repository.top, ['status', '--json'])
  assert.equal(JSON.parse(seen.out).run, started.run)
  const changed = await client.runs.change({ ...at, maxConcurrency: 5 })
  assert.deepEqual([changed.maxConcurrency, changed.delivered], [5, 'to-engine'])
  await until('the change', async () => (await client.runs.get(at)).slots === 5)
  const refused = await rig.ask('POST', '/api/projects/repo/runs', { body: '{}' })
  assert.deepEqual([refused.status, reasonOf(refused)], [409, 'refused'], 'one engine for each repository')
  await espalier(rig.repository.top, ['cancel'])
  await until('the end', async () => (await client.runs.get(at)).status === 'cancelled')
  assert.match(await following, /^begun\n/)

  const { startEspalier } = await import('../rig/espalier.ts')
  const child = startEspalier(rig.repository.top, ['run', 'slow.yaml'])
  const [mine] = await until('the run', async () => {
    const { items } = await client.runs.list({ project: 'repo', status: 'running' })
    return items[0]?.counts.running === 1 ? items : null
  })
  assert.equal(mine?.enginePid, child.pid)
  assert.deepEqual(await client.parallel.cancel({ project: 'repo' }), { cancelled: 1 })
  await until('the end', () => child.exitCode !== null)
})

test('a server that is gone leaves its runs alone, and shows them when it is back; resume and retry', async () => {
  await using rig = await withPlan()
  await using _repository = rig.repository
  const { run, pid } = await rig.client.runs.start({ project: 'repo', plan: { text: SLOW, name: 'mine.yaml' } })
  const at = { project: 'repo', run }
  await until('the task', async () => (await rig.client.runs.get(at)).counts.running === 1)
  await rig.restart()
  const view = await rig.client.runs.get(at)
  assert.deepEqual([view.status, view.engine, view.counts.running], ['running', { pid }, 1])
  process.kill(pid, 'SIGINT') // as Ctrl-C: it can be resumed
  await until('the engine to leave', async () => (await rig.client.runs.get(at)).engine === null)
  const resumed = await rig.client.runs.resume({ ...at, maxConcurrency: 1 })
  assert.ok(resumed.run === run && resumed.pid !== pid)
  await rig.client.tasks.cancel({ ...at, task: 'wait' })
  await until('the end', async () => (await rig.client.runs.get(at)).engine === null)
  const over = await rig.client.tasks.get({ ...at, task: 'next' })
  assert.equal(over.status, 'blocked')
  const retried = await rig.client.runs.retry({ ...at, tasks: ['wait'] })
  await until('the task again', async () => (await rig.client.tasks.get({ ...at, task: 'wait' })).status === 'running')
  await rig.client.runs.cancel(at)
  await until('the end', async () => (await rig.client.runs.get(at)).engine === null)
  assert.equal(retried.run, run)
})

test('the documents of 004: test plans side by side, each in a worktree of its own', async () => {
  const tests = {
    'docs/one.yaml': "tasks: [{id: a, run: 'echo 1 > x'}, {id: b, needs: [a], run: 'grep 1 x'}]\n",
    'docs/two.yaml': "tasks: [{id: a, run: 'test ! -e x; exit 3', retries: 0}]\n",
  }
  await using repository = await makeRepository({ files: tests })
  await using rig = await ServerRig.open({ repository })
  const { client } = rig
  const test_plans = Object.keys(tests).map((plan_file) => ({ plan_file }))
  const started = await client.parallelTest.start({ test_plans, num_workers: 2, config: { max_retries: 0 } })
  assert.deepEqual([started.status, started.num_workers, started.tests_queued], ['RUNNING', 2, 2])
  const session = started.session_id
  const done = await until('its end', async () => {
    const now = await client.parallelTest.results({ session })
    return now.status === 'RUNNING' ? null : now
  })
  assert.equal(done.status, 'COMPLETE')
  assert.deepEqual(done.summary, { total_tests: 2, tests_passed: 1, tests_failed: 1 })
  const [one, two] = done.results
  assert.deepEqual([one?.plan_file, one?.status, one?.tasks_passed, one?.tasks_failed], ['one.yaml', 'COMPLETE', 2, 0])
  assert.deepEqual([two?.status, two?.tasks_failed], ['FAILED', 1])
  assert.match((await rig.ask('GET', two?.report_path ?? '')).body, /^# /)
  const status = await client.parallelTest.status({ session })
  assert.deepEqual(status.progress, { total: 2, completed: 1, running: 0, pending: 0, failed: 1 })
  assert.deepEqual(status.workers[0], { worker_id: 'worker-1', status: 'FREE', current_test: null, worktree_id: null })
  assert.equal(repository.git('log', '--format=%s', 'main'), repository.git('log', '--format=%s', 'main'))
})
