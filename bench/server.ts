// What it costs an engine that somebody looks on: 50 WebSockets and 200 requests a second on a run of 10,000 tasks with 50 events a
// second. Engine, server and clients are processes of their own; the server is that of the installed package.
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atMost, type Benchmark } from './benchmark.ts'
import { installedHere } from './installed.ts'
import { createSampleRepository } from './sample-repository.ts'
import type { Seen } from './server-clients.ts'
import type { Ticks } from './server-engine.ts'
import { mean, median, percentile } from './statistics.ts'

const SOCKETS = 50
const REQUESTS_PER_SECOND = 200
const STARTS = 9

export const server: Benchmark = {
  name: 'server',
  about: `a run of 10,000 tasks with 50 events/s that ${SOCKETS} clients follow; \`serve\` until it is ready (Linux)`,
  async run({ scratch, full, say }) {
    const [quietMs, loadedMs] = full ? [30_000, 600_000] : [15_000, 60_000]
    const repo = join(scratch, 'repo')
    mkdirSync(join(scratch, 'home'))
    await createSampleRepository(repo, 200)
    say('packing and installing')
    const desk = { bin: installedHere(join(scratch, 'package')), repo, home: join(scratch, 'home') }
    say('starting the server again and again')
    const starts = await timeStarts(desk)

    say('an engine without a server')
    const engine = forked('server-engine.ts', [repo])
    const [run] = (await once(engine, 'message')) as [string]
    const before = await ticksFor(engine, quietMs)
    say(`the same with a server, ${SOCKETS} WebSockets and ${REQUESTS_PER_SECOND} requests a second`)
    await using serving = await serve(desk)
    const clients = forked('server-clients.ts', [
      serving.url,
      serving.token,
      run,
      String(SOCKETS),
      String(REQUESTS_PER_SECOND),
    ])
    await once(clients, 'message') // all are connected
    await wait(WARM_MS)
    const memory = sampleMemory(serving, loadedMs)
    const loaded = await ticksFor(engine, loadedMs)
    const samples = await memory
    clients.send('end')
    const [seen] = (await once(clients, 'message')) as [Seen]
    await ended(clients)
    await serving[Symbol.asyncDispose]()
    say('and without it again')
    const after = await ticksFor(engine, quietMs)
    await ended(engine)

    const quiet = [...before, ...after]
    const third = Math.floor(samples.length / 3)
    const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
    const rss = (some: readonly Memory[]) => mean(some.map((one) => one.rss))
    const rows = [
      ['without a server', quiet.length, median(quiet), mean(quiet), percentile(quiet, 0.99)],
      ['with one', loaded.length, median(loaded), mean(loaded), percentile(loaded, 0.99)],
    ]
    return {
      tables: [
        { title: 'a tick of the engine (decide, write), ms', columns: ['', 'ticks', 'median', 'mean', 'p99'], rows },
        {
          title: `what clients saw in ${loadedMs / 1000} s`,
          columns: ['', 'number', 'median ms', 'p99 ms', 'worst ms'],
          rows: [
            [
              'events, journal to client',
              seen.latencies.length,
              median(seen.latencies),
              percentile(seen.latencies, 0.99),
              seen.latencies.reduce((most, ms) => Math.max(most, ms), 0),
            ],
            [
              'requests for the status',
              seen.answers.length,
              median(seen.answers),
              percentile(seen.answers, 0.99),
              seen.answers.reduce((most, ms) => Math.max(most, ms), 0),
            ],
          ],
        },
        {
          title: 'the server',
          columns: ['', ''],
          rows: [
            ['heap in use, least, middle third, MB', leastHeap(middle)],
            ['heap in use, least, last third, MB', leastHeap(last)],
            ['resident, middle third, MB', rss(middle)],
            ['resident, last third, MB', rss(last)],
            ['ready, median of starts, ms', median(starts.serve)],
            ['node -e 0, ms', median(starts.node)],
          ],
        },
      ],
      bars: [
        atMost('a tick with a server, median', median(loaded) / median(quiet), 1.05, '× without'),
        atMost('an event, journal to client, p99', percentile(seen.latencies, 0.99), 100, 'ms'),
        atMost('heap in use, last third', leastHeap(last) / leastHeap(middle), 1.1, 'of the middle third'),
        // In a minute a heap has not found its size yet.
        ...(full ? [atMost('resident memory, last third', rss(last) / rss(middle), 1.1, 'of the middle third')] : []),
        atMost('events that a client missed or got twice', seen.wrong, 0),
        atMost('requests that were not answered', seen.failed, 0),
        atMost('`serve` until it is ready', median(starts.serve), 500, 'ms'),
      ],
    }
  },
}

/** Until what the server keeps of the newest events is full. */
const WARM_MS = 25_000

type Desk = { bin: string; repo: string; home: string }

async function ticksFor(engine: ChildProcess, ms: number): Promise<number[]> {
  engine.send('measure')
  await wait(ms)
  engine.send('tell')
  const [{ ticks }] = (await once(engine, 'message')) as [Ticks]
  return ticks
}

async function serve({ bin, repo, home }: Desk) {
  const child = spawn(process.execPath, [bin, 'serve', '--json', '--port', '0'], {
    cwd: repo,
    env: environment(home),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, tokenFile } = JSON.parse(String(line)) as { url: string; tokenFile: string }
  const token = readFileSync(tokenFile, 'utf8').trim()
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { child, url, token, [Symbol.asyncDispose]: stop }
}

/** What this process keeps compiled is not what a person has. */
function environment(home: string): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  return { ...env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), NO_COLOR: '1' }
}

async function timeStarts(desk: Desk): Promise<{ serve: number[]; node: number[] }> {
  const times: { serve: number[]; node: number[] } = { serve: [], node: [] }
  for (let n = 0; n <= STARTS; n++) {
    const bare = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    const start = performance.now()
    const serving = await serve(desk)
    const ready = performance.now()
    await serving[Symbol.asyncDispose]()
    if (n === 0) continue // fills caches
    times.node.push(start - bare)
    times.serve.push(ready - start)
  }
  return times
}

type Memory = { rss: number; heap: number }

/** In MB, once a second. */
async function sampleMemory({ url, token }: { url: string; token: string }, ms: number): Promise<Memory[]> {
  const samples: Memory[] = []
  for (const end = performance.now() + ms; performance.now() < end; await wait(1_000)) {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / (1 << 20)
    samples.push({ rss: figure('process_resident_memory_bytes'), heap: figure('nodejs_heap_size_used_bytes') })
  }
  return samples
}

/** What is left after a collection is in use: the least of some time. */
function leastHeap(samples: readonly Memory[]): number {
  return Math.min(...samples.map(({ heap }) => heap))
}

function forked(file: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return fork(path, args, { execArgv: ['--disable-warning=ExperimentalWarning'], serialization: 'advanced' })
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}
