// Events: what was missed, then live, without gap or double, over lost connections, slow readers and restarts.
import assert from 'node:assert/strict'
import { type AddressInfo, connect as connectSocket, createServer } from 'node:net'
import { suite, test } from 'node:test'
import { WebSocket } from 'ws'
import type { Event } from '../../src/event.ts'
import { connect, type EventMessage } from '../../src/server/client/connect.ts'
import { parsePosition } from '../../src/server/events/subscription.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { makeRepository, type TestRepository } from '../rig/repository.ts'
import { WHOLE } from '../rig/sampled.ts'
import { until } from '../rig/until.ts'
import { BASE, event, newRun, summary } from '../store/contract.ts'
import { reasonOf, ServerRig } from './server-rig.ts'

/** A journal that the test writes, as an engine would. */
async function journalOf(repository: TestRepository): Promise<Store & AsyncDisposable> {
  const { mkdirSync } = await import('node:fs')
  mkdirSync(`${repository.top}.espalier`, { recursive: true })
  const opened = await openStore(`${repository.top}.espalier/state.db`)
  assert.ok(opened.ok)
  await opened.value.createRun(newRun())
  return opened.value
}

async function write(store: Store, from: number, to: number): Promise<void> {
  const events: Event[] = []
  for (let seq = from; seq <= to; seq++) events.push(seq === 1 ? event(1, STARTED) : event(seq))
  await store.append('r', events, { run: summary('r', to), tasks: [] })
}

const STARTED = {
  type: 'claims.held' as const,
  ...{ hold: 1, name: 'n', glob: BASE, since: 1, until: 2 },
}

const seqOf = ({ event: said }: EventMessage) => ('seq' in said ? said.seq : 0)

suite('events', { concurrency: true }, () => {
  test('from any cursor on, then live; of one run or of all; and again after the server was restarted', async () => {
    await using repository = await makeRepository()
    await using rig = await ServerRig.open({ repository })
    await using store = await journalOf(repository)
    await write(store, 1, 3)
    const leaving = new AbortController()
    const got: number[] = []
    const all = rig.client.events({ project: 'repo', after: '0', signal: leaving.signal })
    const following = (async () => {
      for await (const message of all) got.push(seqOf(message))
    })()
    await until('what was missed', () => got.length === 3)
    await write(store, 4, 5)
    await until('what came', () => got.length === 5)
    assert.deepEqual(got, [1, 2, 3, 4, 5])
    leaving.abort()
    await following

    const [first] = await take(rig.client.events({ after: 'repo.3' }), 1)
    assert.deepEqual([first?.cursor, first?.project, first?.run, first && seqOf(first)], ['repo.4', 'repo', 'r', 4])
    await store.createRun(newRun('s', 2))
    await store.append('s', [event(1, STARTED)], { run: summary('s', 1), tasks: [] })
    const [other] = await take(rig.client.events({ project: 'repo', run: 's', after: '0' }), 1)
    assert.deepEqual([other?.run, other && seqOf(other)], ['s', 1])
  })

  test('a client whose connection is cut again and again gets every event once, in order', async () => {
    const cuts = WHOLE ? 1_000 : 40
    await using repository = await makeRepository()
    const random = seeded(7)
    let connections = 0
    let target = 0
    // A network that cuts each connection after a random number of bytes of what the server sends.
    const network = createServer((socket) => {
      connections++
      let left = connections <= cuts ? 1 + Math.floor(random() * 3_000) : Number.POSITIVE_INFINITY
      const server = connectSocket({ port: target, host: '127.0.0.1' })
      const cut = () => [socket, server].map((one) => one.destroy())
      for (const one of [socket, server]) one.on('error', cut).on('close', cut)
      socket.pipe(server)
      server.on('data', (data: Buffer) => {
        socket.write(data.subarray(0, Math.min(left, data.length)))
        left -= data.length
        if (left <= 0) socket.end(cut)
      })
    })
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
    const { port } = network.address() as AddressInfo
    await using rig = await ServerRig.open({ repository, allowHosts: [`127.0.0.1:${port}`] })
    await using store = await journalOf(repository)
    target = rig.port
    const client = connect({ url: `http://127.0.0.1:${port}`, token: rig.token })
    const leaving = new AbortController()
    const got: number[] = []
    const following = (async () => {
      for await (const message of client.events({ project: 'repo', after: '0', signal: leaving.signal, waitMs: 1 })) {
        got.push(seqOf(message))
      }
    })()
    let written = 0
    while (connections <= cuts) {
      await write(store, written + 1, written + 20)
      written += 20
      const seen = connections
      await until('it to come back, or all of it', () => connections > seen || got.length === written)
    }
    await until('all of it', () => got.length >= written)
    leaving.abort()
    await following
    network.close()
    assert.deepEqual(
      got,
      Array.from({ length: written }, (_, n) => n + 1),
    )
  })

  test('a client is told why the server refuses, as is whoever asks without a WebSocket', async () => {
    await using rig = await ServerRig.open()
    await assert.rejects(take(rig.client.events({ project: 'none' }), 1), { status: 404, reason: 'not-found' })
    await assert.rejects(take(rig.client.events({ after: 'x' }), 1), { status: 400, reason: 'invalid-request' })
    const stranger = connect({ url: rig.url, token: 'wrong' })
    await assert.rejects(take(stranger.events(), 1), { status: 401, reason: 'not-authenticated' })
    assert.equal(reasonOf(await rig.ask('GET', '/api/events')), 'upgrade-required')
  })

  test('a WebSocket says hello, replays, goes on live, beats, and closes with a word when the server stops', async () => {
    await using repository = await makeRepository()
    await using rig = await ServerRig.open({ repository, limits: { heartbeatMs: 500 } })
    await using store = await journalOf(repository)
    await write(store, 1, 2)
    const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/api/events?project=repo&after=1`, {
      headers: { authorization: `Bearer ${rig.token}` },
    })
    const said: { type?: string; cursor?: string; event?: Event }[] = []
    socket.on('message', (data) => said.push(JSON.parse(String(data))))
    const seqs = () => said.flatMap((one) => one.event?.seq ?? [])
    await until('what was missed', () => seqs().length === 1)
    assert.deepEqual(said[0], { type: 'hello', cursor: '1' })
    await write(store, 3, 3)
    await until('what came', () => seqs().length === 2)
    assert.deepEqual(seqs(), [2, 3])
    await until('a heartbeat', () => said.some(({ type }) => type === 'heartbeat'))
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await rig.restart()
    assert.equal(await closed, 1001)
  })

  test('whoever does not read is cut off with the reason, and comes back to where it was', async () => {
    await using repository = await makeRepository()
    const limits = { unreadBytes: 64 << 10, unreadMs: 300 }
    await using rig = await ServerRig.open({ repository, limits })
    await using store = await journalOf(repository)
    for (let seq = 1; seq <= 60_000; seq += 5_000) await write(store, seq, seq + 4_999)
    const upgrade = [
      'GET /api/events?project=repo&after=0 HTTP/1.1',
      ...[`Host: 127.0.0.1:${rig.port}`, `Authorization: Bearer ${rig.token}`],
      ...[
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ],
      ...['', ''],
    ]
    const socket = connectSocket({ port: rig.port, host: '127.0.0.1' })
    const isClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    socket.write(upgrade.join('\r\n'))
    socket.once('data', () => socket.pause())
    // It holds memory no longer than it may; what it left unread is thrown away.
    await until('the end of its stream', () => rig.logged.some((line) => line.includes('slow consumer')))
    socket.resume()
    await isClosed
    const [next] = await take(rig.client.events({ project: 'repo', after: '59999' }), 1)
    assert.equal(next && seqOf(next), 60_000)
  })

  test('a repository without a run is followed, too, and one whose state was removed and made anew begins anew', async () => {
    await using repository = await makeRepository()
    await using rig = await ServerRig.open({ repository })
    const leaving = new AbortController()
    const got: string[] = []
    const following = (async () => {
      for await (const { run, event: said } of rig.client.events({
        project: 'repo',
        after: '0',
        signal: leaving.signal,
      }))
        got.push(`${run} ${'seq' in said ? said.seq : ''}`)
    })()
    {
      await using store = await journalOf(repository)
      await write(store, 1, 2)
      await until('the first two', () => got.length === 2)
    }
    leaving.abort()
    await following
    assert.deepEqual(got, ['r 1', 'r 2'])
  })

  test('no more streams than may be, and those that end make room', async () => {
    await using rig = await ServerRig.open({ limits: { streamsOfToken: 1 } })
    const open = () => {
      const headers = { authorization: `Bearer ${rig.token}` }
      const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/api/events`, { headers })
      const status = new Promise<number>((resolve) => {
        socket.on('open', () => resolve(101))
        socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
        socket.on('error', () => {})
      })
      return { socket, status }
    }
    const first = open()
    assert.equal(await first.status, 101)
    assert.equal(await open().status, 503)
    first.socket.close()
    await until('room', async () => {
      const again = open()
      const status = await again.status
      again.socket.terminate()
      return status === 101
    })
  })
})

test('a cursor is a number, or one for each project, and nothing else', () => {
  const cursors = (text: string, projects: string[]) => projects.map((project) => parsePosition(text)?.(project))
  assert.deepEqual(cursors('42', ['a', 'b']), [42, 42])
  assert.deepEqual(cursors('a.1~b-c.22', ['a', 'b-c', 'new']), [1, 22, 0])
  for (const wrong of ['', '-1', 'a', 'a.', '.1', 'a.1~', 'A.1', '9'.repeat(16), "1'", 'a.1~~b.2'])
    assert.equal(parsePosition(wrong), null, wrong)
})

async function take(messages: AsyncGenerator<EventMessage>, count: number): Promise<EventMessage[]> {
  const got: EventMessage[] = []
  for await (const message of messages) {
    got.push(message)
    if (got.length === count) break
  }
  return got
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
