// Suites and searches, through the server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRepository, write } from '../rig/repository.ts'
import { adds, FILES, SMALLEST } from '../rig/search.ts'
import { until } from '../rig/until.ts'
import { ServerRig } from './server-rig.ts'

const SUITE = `
retries: 0
matrix: {color: [red, blue]}
entries:
  - {id: good, run: 'echo "<b>$ESPALIER_MATRIX_COLOR</b>" > out.txt'}
  - {id: bad, run: 'echo no; test "$ESPALIER_MATRIX_COLOR" = red'}
`

test('a suite: started, its matrix and its history', async () => {
  await using repository = await makeRepository({ files: { 'suite.yaml': SUITE } })
  await using rig = await ServerRig.open({ repository })
  const { client } = rig
  await assert.rejects(
    client.suites.start({ project: 'repo', suite: { text: 'entries: 1', name: 'suite.yaml' } }),
    /entries/,
  )
  const { run } = await client.suites.start({ project: 'repo', maxConcurrency: 2 })
  const of = { project: 'repo', run }
  await until('its end', async () => (await client.runs.get(of)).engine === null)
  assert.deepEqual(
    (await client.runs.list({ project: 'repo', kind: 'suite' })).items.map((one) => [one.run, one.kind]),
    [[run, 'suite']],
  )
  const { report, progress } = await client.suites.get(of)
  assert.deepEqual([progress.total, progress.completed, progress.failed, report.ok], [4, 4, 1, false])
  assert.ok(report.matrix)
  const { entries } = await client.suites.history({ project: 'repo' })
  assert.ok(entries.some(({ records }) => records[0]?.verdict === 'failed'))
})

test('a search: started, its tree, and two nodes side by side', async () => {
  await using repository = await makeRepository({ files: FILES })
  for (const [name, number] of Object.entries({ one: 1, five: 5 }))
    await write(repository.at(`repo/ideas/${name}.md`), adds(number))
  await write(repository.at('repo/search.yaml'), SMALLEST.replace('depth: 2', 'depth: 1'))
  await using rig = await ServerRig.open({ repository })
  const { client } = rig
  const started = await client.searches.start({
    project: 'repo',
    search: 'search.yaml',
    maxParallelEvals: 2,
    beamWidth: 2,
  })
  const of = { project: 'repo', run: started.run }
  await until('its end', async () => (await client.runs.get(of)).engine === null)
  assert.deepEqual(
    (await client.runs.list({ project: 'repo', kind: 'search' })).items.map(({ kind }) => kind),
    ['search'],
  )
  const manifest = await client.searches.get(of)
  assert.deepEqual([manifest.status, manifest.evals.length, manifest.beam_width], ['completed', 2, 2])
  const best = manifest.nodes.find(({ node_id }) => node_id === manifest.best_node_id)
  assert.equal(best?.score, 15)
  const both = await client.searches.compare({ ...of, a: 'root', b: best?.node_id ?? '', patch: true })
  assert.deepEqual([both.a.score, both.b.score], [10, 15])
  assert.match(both.diff ?? '', /-10\n\+15/)
  await assert.rejects(client.suites.get(of), /is not a suite/)
  await assert.rejects(client.searches.compare({ ...of, a: 'root', b: 'none' }), /no node or eval none/)
})
