// Who comes in and who does not: every row of the security table, tried on every route there is.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { WebSocket } from 'ws'
import { placesOf } from '../../src/server/guard/allowed-hosts.ts'
import { rateLimit } from '../../src/server/guard/rate.ts'
import { ROUTES } from '../../src/server/resources/routes.ts'
import { SCOPES, type Scope } from '../../src/server/tokens/token-store.ts'
import { callOf, ROUTE_NAMES } from './route-calls.ts'
import { reasonOf, ServerRig } from './server-rig.ts'

const NAMED = { project: 'repo', run: 'none-1', task: 'a' }

suite('the guard', () => {
  let rig: ServerRig
  before(async () => {
    rig = await ServerRig.open({ limits: { failedRate: { perSecond: 1e6, burst: 1e6 } } })
  })
  after(() => rig[Symbol.asyncDispose]())

  test('no route but the public ones answers without a token, or with one that is wrong', async () => {
    for (const name of ROUTE_NAMES) {
      const { method, path, body } = callOf(name, NAMED)
      const given = body === undefined ? {} : { body }
      const isPublic = ROUTES[name].scope === 'public'
      for (const token of [null, 'esp_00000000_wrong', `${rig.token}x`, rig.token.slice(0, -1)]) {
        const answer = await rig.ask(method, path, { token, ...given })
        if (isPublic) assert.notEqual(reasonOf(answer), 'scope-missing', name)
        else assert.deepEqual([answer.status, reasonOf(answer)], [401, 'not-authenticated'], `${name} ${token}`)
      }
      for (const scheme of ['Basic', 'Token', ''])
        if (!isPublic) {
          const headers = { authorization: `${scheme} ${rig.token}`.trim() }
          assert.equal((await rig.ask(method, path, { token: null, headers, ...given })).status, 401, name)
        }
    }
  })

  test('no route does what the scope of the token does not allow', async () => {
    const tokens = new Map<Scope, string>()
    for (const scope of SCOPES) tokens.set(scope, await rig.tokenOf(scope))
    for (const name of ROUTE_NAMES) {
      const { scope: needed } = ROUTES[name]
      if (needed === 'public') continue
      for (const scope of SCOPES.slice(0, SCOPES.indexOf(needed))) {
        const { method, path, body } = callOf(name, NAMED)
        const answer = await rig.ask(method, path, { token: tokens.get(scope) ?? '', ...(body ? { body } : {}) })
        assert.deepEqual([answer.status, reasonOf(answer)], [403, 'scope-missing'], `${name} with ${scope}`)
      }
    }
  })

  test('DNS rebinding: a name that is not of this server is refused everywhere, before anything else', async () => {
    const names = ['evil.example', `evil.example:${rig.port}`, `127.0.0.1.evil.example:${rig.port}`, 'localhost']
    const paths = ['/', '/login', '/login.js', '/healthz', '/readyz', '/metrics', '/api/docs', '/api/openapi.json']
    for (const host of names) {
      for (const path of [...paths, '/api/events', '/nowhere'])
        assert.equal(reasonOf(await rig.ask('GET', path, { headers: { host } })), 'host-not-allowed', `${path} ${host}`)
      for (const name of ROUTE_NAMES) {
        const { method, path, body } = callOf(name, NAMED)
        const answer = await rig.ask(method, path, { headers: { host }, ...(body ? { body } : {}) })
        assert.equal(reasonOf(answer), 'host-not-allowed', `${name} ${host}`)
      }
    }
    for (const host of [`localhost:${rig.port}`, `127.0.0.1:${rig.port}`, `LOCALHOST:${rig.port}`, `[::1]:${rig.port}`])
      assert.equal((await rig.ask('GET', '/api/server', { headers: { host } })).status, 200, host)
  })

  test('a page of another site is refused everywhere, also with a token, and no answer lets one in', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${rig.port + 1}`,
      `https://127.0.0.1:${rig.port}`,
    ]) {
      for (const name of ROUTE_NAMES) {
        const { method, path, body } = callOf(name, NAMED)
        const answer = await rig.ask(method, path, { headers: { origin }, ...(body ? { body } : {}) })
        assert.equal(reasonOf(answer), 'origin-not-allowed', `${name} ${origin}`)
        assert.equal(answer.headers['access-control-allow-origin'], undefined)
      }
      assert.equal(reasonOf(await rig.ask('GET', '/api/events', { headers: { origin } })), 'origin-not-allowed')
      assert.equal((await rig.ask('OPTIONS', '/api/projects', { headers: { origin } })).status, 403)
    }
    const embedded = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    assert.equal(reasonOf(await rig.ask('GET', '/api/projects', { headers: embedded })), 'origin-not-allowed')
    const own = { origin: `http://127.0.0.1:${rig.port}` }
    assert.equal((await rig.ask('GET', '/api/server', { headers: own })).status, 200)
  })

  test('a WebSocket of another site, without a token or under another name is not opened', async () => {
    const status = (headers: Record<string, string>, path = '/api/events') =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${rig.port}${path}`, { headers })
        socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
        socket.on('open', () => {
          socket.close()
          resolve(101)
        })
        socket.on('error', () => {})
      })
    const authorization = `Bearer ${rig.token}`
    assert.equal(await status({ authorization }), 101)
    assert.equal(await status({ authorization, origin: `http://localhost:${rig.port}` }), 101)
    assert.equal(await status({}), 401)
    assert.equal(await status({ authorization: 'Bearer wrong' }), 401)
    assert.equal(await status({ authorization, origin: 'https://evil.example' }), 403)
    assert.equal(await status({ authorization, host: `evil.example:${rig.port}` }), 403)
    assert.equal(await status({ authorization }, '/api/projects'), 404)
    assert.equal(await status({ authorization }, '/api/events?project=none'), 404)
    assert.equal(await status({ authorization }, '/api/events?after=%00'), 400)
    assert.equal(await status({ cookie: `espalier-${rig.port}=${rig.token}` }), 403, 'a cookie needs an origin')
  })

  test('a login link works once, gives a cookie that pages of this server can use, until it is revoked', async () => {
    const [, code = ''] = rig.serving.loginLink().split('#')
    const body = JSON.stringify({ code })
    const origin = `http://127.0.0.1:${rig.port}`
    const login = await rig.ask('POST', '/api/login', { token: null, headers: { origin }, body })
    assert.equal(login.status, 200)
    const [set = ''] = login.headers['set-cookie'] ?? []
    assert.match(set, /^espalier-\d+=esp_[\w-]+; Max-Age=\d+; HttpOnly; SameSite=Strict; Path=\/$/)
    const again = await rig.ask('POST', '/api/login', { token: null, headers: { origin }, body })
    assert.equal(again.status, 401)
    const cookie = set.split(';')[0] ?? ''
    const asked = (method: string, path: string, headers: object) =>
      rig.ask(method, path, {
        token: null,
        headers: { cookie, ...headers },
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
    assert.equal((await asked('GET', '/api/projects', {})).status, 200)
    // Without an Origin it may be another site's form; browsers always send one with a POST.
    assert.equal(reasonOf(await asked('POST', '/api/projects/repo/claims/release', {})), 'origin-not-allowed')
    assert.equal((await asked('POST', '/api/projects/repo/claims/release', { origin })).status, 200)
    const { items } = await rig.client.tokens.list({})
    await rig.client.tokens.revoke({ token: items.find(({ kind }) => kind === 'browser')?.id ?? '' })
    assert.equal((await asked('GET', '/api/projects', {})).status, 401)
  })

  test('a token that is revoked is of no use at once, also on a stream that is open, and the file has no secret', async () => {
    const secret = await rig.tokenOf('read')
    assert.equal((await rig.ask('GET', '/api/server', { token: secret })).status, 200)
    const file = rig.home.at('server', 'tokens.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(rig.serving.tokenFile).mode & 0o777, 0o600)
    const { items } = await rig.client.tokens.list({})
    assert.ok(!JSON.stringify(items).includes(secret) && !readFileSync(file, 'utf8').includes(secret))
    const [, id = ''] = secret.split('_')
    const headers = { authorization: `Bearer ${secret}` }
    const open = new WebSocket(`ws://127.0.0.1:${rig.port}/api/events`, { headers })
    const closed = new Promise<number>((resolve) => open.on('close', resolve))
    await new Promise((resolve) => open.once('message', resolve))
    await rig.client.tokens.revoke({ token: id })
    assert.equal(await closed, 4001, 'the stream ends')
    assert.equal((await rig.ask('GET', '/api/server', { token: secret })).status, 401)
  })

  test('what is too large, no JSON or in another type is refused, and nothing of it is read', async () => {
    const large = JSON.stringify({ paths: ['x'.repeat(2 << 20)] })
    const path = '/api/projects/repo/claims/check'
    assert.equal((await rig.ask('POST', path, { body: large })).status, 413)
    const chunked = { 'transfer-encoding': 'chunked' }
    assert.equal((await rig.ask('POST', path, { body: large, headers: chunked })).status, 413)
    assert.equal((await rig.ask('POST', path, { body: '{' })).status, 400)
    assert.equal((await rig.ask('POST', path, { body: '[]' })).status, 400)
    assert.equal((await rig.ask('POST', path, { body: '"\ud800"' })).status, 400)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal((await rig.ask('POST', path, { body: '{}', headers: { 'content-type': type } })).status, 415)
    assert.equal((await rig.ask('GET', `/api/server?${'x'.repeat(20_000)}`)).status, 431)
  })

  test('a head that two programs could read in two ways is refused', async () => {
    const lines = (...more: string[]) =>
      [...more, `Authorization: Bearer ${rig.token}`, 'Connection: close', '', ''].join('\r\n')
    const host = `Host: 127.0.0.1:${rig.port}`
    const status = async (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(await rig.raw(text))?.[1] ?? 0)
    assert.equal(await status(lines('GET /api/server HTTP/1.1', host)), 200)
    assert.equal(await status(lines('GET /api/server HTTP/1.1', host, 'Host: evil.example')), 400)
    assert.equal(await status(lines('GET /api/server HTTP/1.1')), 400)
    assert.equal(await status(lines('GET /api/server HTTP/1.1', 'Host:')), 400)
    assert.equal(await status(lines('GET http://evil.example/api/server HTTP/1.1', host)), 400)
    const both = ['Content-Length: 2', 'Transfer-Encoding: chunked', 'Content-Type: application/json']
    const path = 'POST /api/projects/repo/claims/release HTTP/1.1'
    assert.equal(await status(`${lines(path, host, ...both)}0\r\n\r\nGET / HTTP/1.1\r\n`), 400)
    assert.equal(await status(`${lines(path, host, 'Content-Length: 2', 'Content-Length: 3')}{}x`), 400)
    assert.equal(await status(lines('GET /api/server HTTP/1.1', host, 'Host : x')), 400)
    assert.equal(await status(lines('GET /api/server HTTP/1.1', host, 'X: a\0b')), 400)
    assert.equal(await status(`GET /api/server HTTP/1.1\n${host}\n\n`), 400, 'line feeds alone')
  })

  test('paths that lead out of their folder lead nowhere', async () => {
    const tries = [
      '..',
      '../..',
      '%2e%2e',
      '..%2f..%2fetc%2fpasswd',
      '%00',
      'a%00',
      '%ff',
      '....//',
      '%5c..%5c',
      '$(id)',
      '-x',
    ]
    for (const text of tries)
      for (const name of ROUTE_NAMES.filter((one) => !['tokens.revoke'].includes(one))) {
        const { method, path, body } = callOf(name, { project: text, run: text, task: text })
        const answer = await rig.ask(method, path, body === undefined ? {} : { body })
        assert.ok(
          [400, 404, 405, 409].includes(answer.status) || name.startsWith('server.') || !path.includes(text),
          `${name} ${path}: ${answer.status}`,
        )
        assert.ok(!answer.body.includes('root:'), path)
      }
    for (const plan of ['../../etc/passwd', '/etc/passwd', '..', '/proc/self/environ']) {
      const answer = await rig.ask('POST', '/api/projects/repo/plans/check', { body: JSON.stringify({ plan }) })
      assert.equal(answer.status, 409, plan)
      assert.match(answer.body, /outside of the repository|no such file/)
    }
  })

  test('every answer says that it is no page, and pages say what they may load', async () => {
    for (const path of ['/api/server', '/nowhere', '/', '/login', '/api/docs', '/healthz']) {
      const { headers } = await rig.ask('GET', path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, path)
      assert.equal(headers['x-frame-options'], 'DENY')
    }
  })

  test('the log has no secret in it', async () => {
    const secret = await rig.tokenOf('run')
    const code = rig.serving.loginLink().split('#')[1] ?? ''
    await rig.ask('GET', '/api/server', { token: secret })
    await rig.ask('POST', '/api/login', { token: null, body: JSON.stringify({ code }) })
    const said = rig.logged.join('')
    for (const one of [secret, code, rig.token]) assert.ok(!said.includes(one))
    assert.match(said, /"path":"\/api\/server"/)
  })
})

test('whoever guesses tokens has to wait, and those with a good one do not', async () => {
  await using rig = await ServerRig.open({ limits: { failedRate: { perSecond: 0.01, burst: 5 } } })
  const statuses: number[] = []
  for (let n = 0; n < 8; n++) statuses.push((await rig.ask('GET', '/api/server', { token: `guess-${n}` })).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429])
  const late = await rig.ask('GET', '/api/server', { token: 'guess' })
  assert.ok(Number(late.headers['retry-after']) > 0)
  assert.equal((await rig.ask('GET', '/api/server')).status, 200)
})

test('a token that asks too much has to wait', async () => {
  await using rig = await ServerRig.open({ limits: { rate: { perSecond: 0.01, burst: 3 } } })
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await rig.ask('GET', '/api/server')).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
})

test('slow loris: a head that does not end is cut off, and so is a body', async () => {
  await using rig = await ServerRig.open({ limits: { headMs: 200, requestMs: 400 } })
  const host = `Host: 127.0.0.1:${rig.port}\r\n`
  assert.match(await rig.raw(`GET /api/server HTTP/1.1\r\n${host}X-Slow: `), /^HTTP\/1\.1 408/)
  const head = `POST /api/projects/repo/claims/check HTTP/1.1\r\n${host}Authorization: Bearer ${rig.token}\r\n`
  assert.match(
    await rig.raw(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`),
    /^HTTP\/1\.1 408|^$/,
  )
})

test('beyond this machine only by names that were allowed, and a proxy with TLS makes the cookie its own', async () => {
  const options = { host: '0.0.0.0', port: 4713, allowHosts: ['box.example'], publicUrl: null, allowOrigins: [] }
  const { hosts, origins } = placesOf(options)
  assert.ok(hosts.has('box.example') && hosts.has('box.example:4713') && hosts.has('127.0.0.1:4713'))
  assert.ok(!hosts.has('0.0.0.0:4713') && !origins.has('http://box.example'))
  await using rig = await ServerRig.open({ publicUrl: 'https://espalier.example' })
  assert.equal(rig.url, 'https://espalier.example')
  const [, code = ''] = rig.serving.loginLink().split('#')
  const headers = { host: 'espalier.example', origin: 'https://espalier.example' }
  const login = await rig.ask('POST', '/api/login', { token: null, headers, body: JSON.stringify({ code }) })
  assert.match(login.headers['set-cookie']?.[0] ?? '', /^__Host-espalier=.*; Path=\/; Secure$/)
})

test('a bucket refills, and forgets whoever has not come for long', () => {
  const rate = rateLimit({ perSecond: 2, burst: 2 })
  assert.deepEqual([rate('a', 0), rate('a', 0), rate('a', 0)], [0, 0, 1])
  assert.deepEqual([rate('a', 500), rate('a', 500)], [0, 1])
  assert.equal(rate('b', 500), 0)
})
