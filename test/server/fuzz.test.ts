// A sample of fuzz.ts; with WHOLE=1 it is 20,000 requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { PATHS, pathOf, type RouteName } from '../../src/server/resources/route-paths.ts'
import { makeRepository } from '../rig/repository.ts'
import { WHOLE } from '../rig/sampled.ts'
import { until } from '../rig/until.ts'
import { fuzz, type OpenApi, operationsOf } from './fuzz.ts'
import { ServerRig } from './server-rig.ts'

const REQUESTS = WHOLE ? 20_000 : 200
const SEED = Number(process.env.SEED ?? Date.now() % 1e6)

test(`${REQUESTS} requests made from the OpenAPI document: no error of the server (SEED=${SEED})`, {
  timeout: 3_600_000,
}, async () => {
  const plan = "name: demo\ntasks: [{id: a, run: 'echo a > a.txt'}]\n"
  await using repository = await makeRepository({ files: { 'espalier.yaml': plan } })
  const many = { perSecond: 1e6, burst: 1e6 }
  await using rig = await ServerRig.open({ repository, limits: { rate: many, failedRate: many } })
  const { run } = await rig.client.runs.start({ project: 'repo' })
  const isOver = async () => (await rig.client.projects.list({})).items[0]?.engine === null
  await until('its end', isOver)
  const statuses = await fuzz(rig, { project: 'repo', run, task: 'a' }, { requests: REQUESTS, seed: SEED })
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status} ×${count}`)
  process.stdout.write(`# seed ${SEED}: ${counts.join(', ')}\n`)
  assert.ok((statuses.get(200) ?? 0) > REQUESTS / 10, 'some of them were right')
  assert.ok(!rig.logged.some((line) => line.includes('a request failed')), 'no bug in its log')
  if (!(await isOver())) await rig.client.parallel.cancel({ project: 'repo' })
  await until('all of its engines to be gone', isOver)
})

test('the OpenAPI 3.1 document is valid, and has every route of the table and the events', async () => {
  await using rig = await ServerRig.open()
  const { body } = await rig.ask('GET', '/api/openapi.json')
  const document = JSON.parse(body) as OpenApi & { openapi: string }
  const { valid, errors } = await new Validator().validate(document)
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(document.openapi, '3.1.0')
  const listed = operationsOf(document).map(
    ({ method, path, operation }) => `${operation.operationId} ${method} ${path}`,
  )
  const table = (Object.keys(PATHS) as RouteName[]).map((name) => `${name} ${pathOf(name).method} ${pathOf(name).path}`)
  assert.deepEqual(listed.sort(), [...table, 'events GET /api/events'].sort())
  const { body: page } = await rig.ask('GET', '/api/docs')
  for (const name of Object.keys(PATHS) as RouteName[])
    assert.ok(page.includes(`${pathOf(name).method} ${pathOf(name).path}`), name)
})
