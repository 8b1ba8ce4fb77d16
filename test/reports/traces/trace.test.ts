// The trace of a run, as a collector gets it: OTLP over HTTP in JSON, from the real command line.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean; doubleValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  status: { code: number; message?: string }
  links?: { spanId: string }[]
}
type Sent = {
  resourceSpans: { resource: { attributes: { key: string; value: Value }[] }; scopeSpans: { spans: Span[] }[] }[]
}

async function collector() {
  const spans: Span[] = []
  const services: unknown[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      assert.deepEqual([request.url, request.headers['x-team']], ['/v1/traces', 'shop'])
      for (const { resource, scopeSpans } of (JSON.parse(Buffer.concat(parts).toString()) as Sent).resourceSpans) {
        services.push(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue)
        spans.push(...scopeSpans.flatMap((one) => one.spans))
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { spans, services, url, [Symbol.dispose]: () => void server.close() }
}

const PLAN = `name: traced
landing: {verify: 'test ! -e bad.txt'}
tasks:
  - {id: a, run: 'echo a > a.txt', verify: ['test -e a.txt'], epic: one}
  - {id: b, run: 'exit 3', retries: 1, needs: [a]}
epics: [{id: one, title: One}]
`

test('run, tasks, attempts, checks, verifications and landings, each under what it belongs to', async () => {
  await using repository = await makeRepository({ files: { 'espalier.yaml': PLAN } })
  using got = await collector()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: got.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=shop',
    OTEL_SERVICE_NAME: 'mine',
  }
  const ran = await said(startEspalier(repository.top, ['run', '--quiet'], { env }))
  assert.equal(ran.status, 1, ran.err)
  const byName = new Map(got.spans.map((span) => [span.name, span]))
  const run = byName.get('run traced')
  assert.equal(run?.parentSpanId ?? '', '')
  assert.equal(new Set(got.spans.map(({ traceId }) => traceId)).size, 1)
  assert.ok(got.services.every((name) => name === 'mine'))
  const parentOf = (name: string) => got.spans.find(({ spanId }) => spanId === byName.get(name)?.parentSpanId)?.name
  const parents = {
    'task a': 'run traced',
    'attempt 1 of a': 'task a',
    check: 'attempt 1 of a',
    'landing of a': 'task a',
    'verification 1': 'run traced',
    'task b': 'run traced',
    'attempt 2 of b': 'task b',
  }
  for (const [name, parent] of Object.entries(parents)) assert.equal(parentOf(name), parent, name)
  assert.deepEqual(
    byName.get('verification 1')?.links?.map(({ spanId }) => spanId),
    [byName.get('task a')?.spanId],
  )
  const attribute = (name: string, key: string) => byName.get(name)?.attributes.find((one) => one.key === key)?.value
  assert.deepEqual(attribute('task b', 'espalier.status'), { stringValue: 'failed' })
  assert.deepEqual([byName.get('task b')?.status.code, byName.get('task a')?.status.code], [2, 0])
  for (const { name, startTimeUnixNano, endTimeUnixNano } of got.spans)
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano), name)
})

test('without a collector nothing is loaded, and one that is gone holds up nothing', async () => {
  await using repository = await makeRepository({
    files: { 'espalier.yaml': "name: t\ntasks: [{id: a, run: 'true'}]\n" },
  })
  const gone = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const ran = await said(startEspalier(repository.top, ['run', '--quiet'], { env: gone }))
  assert.equal(ran.status, 0, ran.err)
  const grpc = { ...gone, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  const told = await said(startEspalier(repository.top, ['run', '--quiet'], { env: grpc }))
  assert.match(told.err, /no trace is sent: OTEL_EXPORTER_OTLP_PROTOCOL is grpc/)
  const listed = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOADED)}` }
  const off = await said(startEspalier(repository.top, ['run', '--quiet'], { env: listed }))
  assert.ok(off.err.includes('loaded') && !off.err.includes('opentelemetry'), off.err.slice(0, 500))
})

/** Says which modules a process has loaded. */
const LOADED = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => { const found = next(name, context); process.stderr.write('loaded ' + found.url + '\\n'); return found } })`
