// The store beside that of another checkout, on SQLite and on Postgres: what a tick writes, and what `status` reads.
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../test/rig/postgres-server.ts'
import { atMost, type Benchmark } from './benchmark.ts'
import { median } from './statistics.ts'

const TURNS = 15

export const store: Benchmark = {
  name: 'store',
  about: 'appending and reading, SQLite and Postgres, beside another checkout (--baseline)',
  async run({ scratch, baseline, say }) {
    const here = fileURLToPath(new URL('..', import.meta.url))
    const checkouts = [here, ...(baseline ? [resolve(baseline)] : [])]
    await using server = await startPostgres()
    const rows: (string | number)[][] = []
    const bars = []
    for (const database of ['SQLite', 'Postgres']) {
      say(database)
      const urls: string[] = []
      for (const n of checkouts.keys())
        urls.push(database === 'SQLite' ? join(scratch, `${n}.db`) : (await server.newDatabase()).url)
      const sides = checkouts.map((checkout, n) => new Side(checkout, urls[n] ?? ''))
      // In turns, so that a busy moment hits both. The first time fills caches.
      for (let turn = 0; turn <= TURNS; turn++) for (const side of sides) await side.measure(turn > 0)
      for (const [n, what] of ['append', 'status'].entries()) {
        const [mine = 0, theirs] = sides.map(({ times }) => median(times.map((one) => one[n] ?? 0)))
        const ratio = theirs === undefined ? '' : mine / theirs
        rows.push([database, what, mine, theirs ?? '', ratio])
        if (ratio !== '') bars.push(atMost(`${database}: ${what}`, ratio, 1.05, '× of baseline'))
      }
      for (const side of sides) await side.end()
    }
    return {
      tables: [
        {
          title: `a tick of two events with two views; a run of 1,000 tasks read; medians of ${TURNS}`,
          columns: ['', '', 'ms', 'baseline ms', '× of baseline'],
          rows,
        },
      ],
      bars,
    }
  },
}

class Side {
  readonly times: number[][] = []
  readonly #child
  readonly #lines: AsyncIterator<string>

  constructor(checkout: string, url: string) {
    const probe = fileURLToPath(new URL('store-probe.ts', import.meta.url))
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', probe, checkout, url], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  async measure(counts: boolean): Promise<void> {
    this.#child.stdin.write('\n')
    const { value } = await this.#lines.next()
    if (!value) throw new Error('the probe of the store has ended')
    if (counts) this.times.push(JSON.parse(value))
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.stdin.end()
    await ended
  }
}
