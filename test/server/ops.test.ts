// What the server tells machines that look after it, and those who do not want to look.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ok } from '../../src/problem.ts'
import { Webhooks } from '../../src/server/ops/webhooks.ts'
import type { Project } from '../../src/server/projects/projects.ts'
import { makeRepository, temporaryFolder } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { ServerRig } from './server-rig.ts'

test('webhooks are signed, tried again, and say what became of a run; metrics count it', async () => {
  const plan = "name: mixed\ntasks: [{id: good, run: 'echo x > x.txt'}, {id: bad, run: 'exit 3', retries: 0}]\n"
  await using repository = await makeRepository({ files: { 'espalier.yaml': plan } })
  const got: { type: string; body: string; id: string; seconds: number; signature: string }[] = []
  let refusals = 1
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers
      if (refusals-- > 0) return response.writeHead(500).end()
      got.push({ type: JSON.parse(body).type, body, id: String(id), seconds: Number(at), signature: String(signature) })
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  await using home = await temporaryFolder()
  const { writeFileSync } = await import('node:fs')
  const secret = 'a secret of at least 16'
  writeFileSync(home.at('webhooks.json'), JSON.stringify([{ url, secret }]))
  {
    await using rig = await ServerRig.open({ repository, home: home.path })
    await rig.client.runs.start({ project: 'repo' })
    await until('all that is told', () => got.some(({ type }) => type === 'run.finished'))
    const [first] = got
    assert.deepEqual(
      got.map(({ type }) => type),
      ['task.failed', 'run.finished'],
    )
    const signed = createHmac('sha256', secret).update(`${first?.id}.${first?.seconds}.${first?.body}`).digest('base64')
    assert.equal(first?.signature, `v1,${signed}`)
    assert.deepEqual(JSON.parse(first?.body ?? '').tasks, ['bad'])
    const { body, status } = await rig.ask('GET', '/metrics')
    assert.equal(status, 200)
    assert.match(body, /espalier_attempts_total\{project="repo",outcome="failed"\} 1/)
    assert.match(body, /espalier_runs\{project="repo",status="failed"\} 1/)
    assert.match(body, /espalier_landing_seconds_count\{project="repo"\} 1/)
    assert.match(body, /nodejs_eventloop_lag_seconds /)
    assert.equal((await rig.ask('GET', '/metrics', { token: null })).status, 401)
    assert.equal((await rig.ask('GET', '/healthz', { token: null })).body, 'ok\n')
    assert.equal((await rig.ask('GET', '/readyz', { token: null })).body, 'ready\n')
  }
  receiver.close()
})

test('a conflict that waits for a person and a failure that is tried again are told apart', async () => {
  const got: string[] = []
  const receiver = createServer((request, response) => {
    request.on('data', (data) => got.push(JSON.parse(data).type)).on('end', () => response.end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await using home = await temporaryFolder()
  const events = ['conflict.waiting' as const, 'task.failed' as const]
  const hook = { url, secret: 'a secret of at least 16', events }
  await using hooks = new Webhooks([hook], home.path, { info: () => {}, warn: () => {}, error: () => {} })
  const project = { id: 'p', workspace: { readViews: async () => ok({ status: 'failed' }) } } as unknown as Project
  const failure = { reason: 'conflict' as const, message: 'no', paths: ['a'] }
  const refused = { type: 'landing.refused' as const, tasks: ['a'], onto: 'x', failure, retry: false, seq: 1, at: 1 }
  const conflict = { commit: 'c', onto: 'x', by: 'person' as const }
  const all = [{ ...refused, retry: true }, { ...refused, conflict }, { ...refused, retry: true }, refused]
  for (const [cursor, event] of all.entries()) await hooks.take(project, { cursor, run: 'r', event, json: '' })
  await until('all that is told', () => got.length === 2)
  assert.deepEqual(got, ['conflict.waiting', 'task.failed'])
  receiver.close()
})
