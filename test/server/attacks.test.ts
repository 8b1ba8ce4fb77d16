// Attacks that guard.test.ts does not have; docs/server.md lists all of them.
import assert from 'node:assert/strict'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { startEspalier } from '../rig/espalier.ts'
import { makeRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { reasonOf, ServerRig } from './server-rig.ts'

test('a token in an address is no token, and is not logged', async () => {
  await using rig = await ServerRig.open()
  for (const query of ['token', 'access_token', 'authorization', 'code'])
    assert.equal((await rig.ask('GET', `/api/projects?${query}=${rig.token}`, { token: null })).status, 401, query)
  const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/api/events?token=${rig.token}`)
  const status = await new Promise((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
    socket.on('error', () => {})
  })
  assert.equal(status, 401)
  assert.ok(!rig.logged.join('').includes(rig.token))
})

test('from this machine only, unless --host says otherwise, and then with a warning', async () => {
  await using rig = await ServerRig.open()
  const others = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4'))
    assert.equal(await reaches(address, rig.port), false, address)
  await using repository = await makeRepository()
  const child = startEspalier(repository.top, ['serve', '--json', '--host', '127.0.0.1', '--port', '0'])
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  await until('its warning', () => said.includes('without TLS'))
  child.kill('SIGTERM')
  await until('its end', () => child.exitCode !== null)
})

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket({ host, port })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

test('more connections than may be are closed, and those that are there go on', async () => {
  await using rig = await ServerRig.open({ limits: { connections: 4 } })
  const open = Array.from({ length: 4 }, () => connectSocket({ host: '127.0.0.1', port: rig.port }))
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  const fifth = connectSocket({ host: '127.0.0.1', port: rig.port })
  fifth.on('error', () => {})
  await new Promise((resolve) => fifth.once('close', resolve))
  const [first] = open
  const head = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${rig.port}\r\nConnection: close\r\n\r\n`
  const answered = new Promise<string>((resolve) => first?.once('data', (data) => resolve(String(data))))
  first?.write(head)
  assert.match(await answered, /^HTTP\/1\.1 200/)
  for (const socket of open) socket.destroy()
})

test('a WebSocket that talks is not listened to, and one that talks too much is cut off', async () => {
  await using rig = await ServerRig.open()
  const headers = { authorization: `Bearer ${rig.token}` }
  const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/api/events`, { headers })
  await new Promise((resolve) => socket.once('message', resolve))
  socket.send(JSON.stringify({ type: 'cancel', run: 'x' }))
  socket.send('x'.repeat(8 << 10))
  assert.equal(await new Promise((resolve) => socket.once('close', resolve)), 1009)
})

const PROMPT = 'tasks: [{id: a, prompt: Do it}]\n'

test('values that look like flags or commands stay values', async () => {
  const plan = "name: p\ntasks: [{id: a, run: 'echo a > a.txt'}]\n"
  await using repository = await makeRepository({ files: { 'espalier.yaml': plan, '-h.yaml': plan } })
  await using rig = await ServerRig.open({ repository })
  const post = (path: string, value: object) =>
    rig.ask('POST', `/api/projects/repo/${path}`, { body: JSON.stringify(value) })
  const mark = repository.at('pwned')
  const hostile = ['--help', `$(touch ${mark})`, `--upload-pack=touch ${mark}`]
  const tried = hostile
    .slice(0, 2)
    .flatMap((word): [string, object][] => [
      ...[{ agent: word, plan: { text: PROMPT } }, { format: word, part: word }, { plan: word }, { base: word }].map(
        (value): [string, object] => ['runs', value],
      ),
      ['suites', { suite: [word] }],
      ['searches', { search: word }],
    ])
  for (const [path, value] of tried) {
    const { status, body } = await post(path, value)
    assert.ok([200, 400, 409].includes(status), `${path} ${JSON.stringify(value)}: ${status} ${body}`)
  }
  const started = await post('runs', { plan: '-h.yaml' })
  assert.equal(started.status, 201, started.body)
  const { run } = JSON.parse(started.body) as { run: string }
  const of = { project: 'repo', run }
  await until('its end', async () => (await rig.client.runs.get(of)).engine === null)
  for (const word of hostile)
    for (const value of [{ into: word }, { push: word }])
      assert.ok([400, 409].includes((await post(`runs/${run}/land`, value)).status), word)
  assert.equal(existsSync(mark), false)
})

test('a link in the repository that leads out of it is no plan, and so is what lies behind it', async () => {
  await using repository = await makeRepository()
  await using rig = await ServerRig.open({ repository })
  writeFileSync(repository.at('secret.yaml'), 'tasks: [{id: secret, run: "true"}]\n')
  symlinkSync(repository.at('secret.yaml'), repository.at('repo', 'link.yaml'))
  symlinkSync(repository.path, repository.at('repo', 'folder'))
  for (const plan of ['link.yaml', 'folder/secret.yaml', 'folder', '../secret.yaml']) {
    const body = JSON.stringify({ plan })
    const answer = await rig.ask('POST', '/api/projects/repo/plans/check', { body })
    assert.equal(reasonOf(answer), 'refused', plan)
    assert.match(answer.body, /outside of the repository/)
  }
  const suite = JSON.stringify({ suite: ['../*.yaml'] })
  assert.equal(reasonOf(await rig.ask('POST', '/api/projects/repo/suites', { body: suite })), 'refused')
})

test('a diff runs no program that the repository or an agent names', async () => {
  const files = { 'a.txt': 'one\n', '.gitattributes': '*.txt diff=evil filter=evil\n' }
  await using repository = await makeRepository({ files })
  const mark = repository.at('pwned')
  for (const name of ['diff.evil.command', 'diff.evil.textconv', 'diff.external', 'core.pager', 'core.fsmonitor'])
    repository.git('config', name, `touch ${mark}`)
  const text = "name: p\ntasks: [{id: a, run: 'echo two > a.txt'}]\n"
  await using rig = await ServerRig.open({ repository })
  const { run } = await rig.client.runs.start({ project: 'repo', plan: { text } })
  const of = { project: 'repo', run, task: 'a' }
  await until('its end', async () => (await rig.client.runs.get({ project: 'repo', run })).engine === null)
  assert.match(await rig.client.tasks.diff(of), /-one\n\+two/)
  assert.match(await rig.client.tasks.diff({ ...of, landed: true }), /-one\n\+two/)
  assert.equal(existsSync(mark), false)
})

test('names with markup are data wherever they come back', async () => {
  await using rig = await ServerRig.open()
  const evil = '<img src=x onerror=alert(1)>'
  const asked = [
    await rig.ask('GET', `/api/projects/${encodeURIComponent(evil)}/plans`),
    await rig.ask('GET', `/${encodeURIComponent(evil)}`),
    await rig.ask('GET', `/api/projects/repo/runs?status=${encodeURIComponent(evil)}`),
    await rig.ask('GET', '/api/projects/repo/runs/none-1/tasks/x', { headers: { accept: 'text/html' } }),
    await rig.ask('POST', '/api/tokens', { body: JSON.stringify({ name: evil, scope: 'read' }) }),
    await rig.ask('GET', '/api/tokens', { headers: { accept: 'text/html' } }),
  ]
  for (const { headers } of asked) {
    assert.match(String(headers['content-type']), /^application\/(problem\+)?json/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
  const { body } = await rig.ask('GET', '/api/docs')
  assert.ok(!body.includes('<script') && !body.includes(evil))
})
