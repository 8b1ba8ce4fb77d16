// Suites, searches and plans that agents make, through the server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRepository, write } from '../rig/repository.ts'
import { adds, FILES, SMALLEST } from '../rig/search.ts'
import { until } from '../rig/until.ts'
import { reasonOf, ServerRig } from './server-rig.ts'

const SUITE = `
retries: 0
matrix: {color: [red, blue]}
entries:
  - {id: good, run: 'echo "<b>$ESPALIER_MATRIX_COLOR</b>" > out.txt', artifacts: [out.txt]}
  - {id: bad, run: 'echo no; test "$ESPALIER_MATRIX_COLOR" = red'}
`

test('a suite: checked, started, its matrix, its report in every form, its files and its history', async () => {
  await using repository = await makeRepository({ files: { 'suite.yaml': SUITE } })
  await using rig = await ServerRig.open({ repository })
  const { client } = rig
  const check = await client.suites.check({ project: 'repo' })
  assert.deepEqual([check.ok, check.entries?.length], [true, 4])
  const wrong = await client.suites.check({ project: 'repo', suite: { text: 'entries: 1', name: 'suite.yaml' } })
  assert.ok(!wrong.ok && wrong.problems.length > 0)
  const { run } = await client.suites.start({ project: 'repo', maxConcurrency: 2 }, { idempotencyKey: 'one' })
  const of = { project: 'repo', run }
  await until('its end', async () => (await client.runs.get(of)).engine === null)
  assert.deepEqual(
    (await client.suites.list({ project: 'repo' })).items.map((one) => [one.run, one.kind]),
    [[run, 'suite']],
  )
  const { report, progress } = await client.suites.get(of)
  assert.deepEqual([progress.total, progress.completed, progress.failed, report.ok], [4, 4, 1, false])
  assert.ok(report.matrix)
  const formats = { md: /bad/, json: /"version": ?1/, html: /<html/, junit: /<testsuites/ } as const
  for (const [format, like] of Object.entries(formats))
    assert.match(await client.suites.report({ ...of, format: format as keyof typeof formats }), like)
  const { entries } = await client.suites.history({ project: 'repo' })
  assert.ok(entries.some(({ records }) => records[0]?.verdict === 'failed'))

  const [good] = report.entries.filter(({ entry }) => entry === 'good')
  const task = good?.tasks[0] ?? ''
  const path = (await client.tasks.get({ ...of, task })).history[0]?.result?.artifacts?.[0] ?? ''
  assert.equal(await client.tasks.artifact({ ...of, task, path }), '<b>red</b>\n')
  const base = `/api/projects/repo/runs/${run}/tasks/${task}/artifact?path=`
  const { headers } = await rig.ask('GET', `${base}${encodeURIComponent(path)}`)
  assert.match(String(headers['content-type']), /^application\/octet-stream/)
  assert.match(String(headers['content-disposition']), /^attachment; filename\*=UTF-8''out\.txt$/)
  for (const away of [
    '../note.json',
    'artifacts/../note.json',
    '/etc/passwd',
    'artifacts',
    'artifacts/../../../x',
    '%00',
  ])
    assert.equal(reasonOf(await rig.ask('GET', `${base}${encodeURIComponent(away)}`)), 'not-found', away)
})

test('a search: checked, started, its tree, its events, and two nodes side by side', async () => {
  await using repository = await makeRepository({ files: FILES })
  for (const [name, number] of Object.entries({ one: 1, five: 5 }))
    await write(repository.at(`repo/ideas/${name}.md`), adds(number))
  await write(repository.at('repo/search.yaml'), SMALLEST.replace('depth: 2', 'depth: 1'))
  await using rig = await ServerRig.open({ repository })
  const { client } = rig
  const check = await client.searches.check({ project: 'repo', search: 'search.yaml' })
  assert.deepEqual([check.ok, check.ideas?.length, check.beam_width], [true, 2, 3])
  const started = await client.searches.start({
    project: 'repo',
    search: 'search.yaml',
    maxParallelEvals: 2,
    beamWidth: 2,
  })
  const of = { project: 'repo', run: started.run }
  await until('its end', async () => (await client.runs.get(of)).engine === null)
  assert.deepEqual(
    (await client.searches.list({ project: 'repo' })).items.map(({ kind }) => kind),
    ['search'],
  )
  const manifest = await client.searches.get(of)
  assert.deepEqual([manifest.status, manifest.evals.length, manifest.beam_width], ['completed', 2, 2])
  const best = manifest.nodes.find(({ node_id }) => node_id === manifest.best_node_id)
  assert.equal(best?.score, 15)
  const both = await client.searches.compare({ ...of, a: 'root', b: best?.node_id ?? '', patch: true })
  assert.deepEqual([both.a.score, both.b.score], [10, 15])
  assert.match(both.diff ?? '', /-10\n\+15/)
  const { items } = await client.searches.events(of)
  assert.ok(items.some(({ type }) => type === 'completed'))
  const formats = { md: /15/, json: /"best_node_id"/, html: /<html/, mermaid: /^(graph|flowchart)/ } as const
  for (const [format, like] of Object.entries(formats))
    assert.match(await client.searches.report({ ...of, format: format as keyof typeof formats }), like)
  await assert.rejects(client.suites.get(of), /is not a suite/)
  await assert.rejects(client.searches.compare({ ...of, a: 'root', b: 'none' }), /no node or eval none/)
})

test('a plan that an agent makes is found again after the server was gone, and so is why there is none', async () => {
  await using repository = await makeRepository()
  await using rig = await ServerRig.open({ repository })
  const ask = (command: string) =>
    rig.client.plans.make({ project: 'repo', objective: 'More tests', command, timeoutMs: 60_000 })
  const good = await ask(`printf 'tasks: [{id: a, title: A test, run: "true"}]\\n' > espalier-plan.yaml`)
  await rig.restart()
  const over = async (job: string) => {
    const made = await rig.client.plans.made({ project: 'repo', job })
    return made.status === 'running' ? null : made
  }
  const made = await until('the plan', () => over(good.job))
  assert.deepEqual([made.status, made.objective, made.problems], ['done', 'More tests', []])
  assert.match(made.plan ?? '', /id: a/)
  const bad = await ask('true')
  const none = await until('its end', () => over(bad.job))
  assert.equal(none.status, 'failed')
  assert.match(none.problems[0]?.message ?? '', /no plan was made/)
  await assert.rejects(rig.client.plans.made({ project: 'repo', job: '0'.repeat(16) }), /no such plan/)
  await assert.rejects(rig.client.plans.make({ project: 'repo' }), /name an objective/)
})
