// The landing queue with verification: how many verifications it takes against one for every piece of work, whom it
// sends away, and what the settings trade for what. Counted with the real scheduler on a virtual clock; then the real
// engine, with a verify command that is counted outside.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_SETTINGS, type RunEvent } from '../src/index.ts'
import { type Random, random } from '../test/simulation/random.ts'
import { atLeast, atMost, type Benchmark, type Table } from './benchmark.ts'
import { commandPlan, open } from './espalier-run.ts'
import { createSampleRepository } from './sample-repository.ts'
import { mean } from './statistics.ts'
import { type QueueRun, virtualQueue } from './virtual-queue.ts'

const ITEMS = 64
const BAD = 3
const SLOTS = 2
const SEEDS = 40
const FLAKY_SEEDS = 1_000
const FLAKE_RATE = 1 / 20
const VERIFY_MS = 1_000
/** The real engine's verify command takes this long: short, so that nobody waits for minutes. */
const SLEEP_S = 0.25
const WINDOWS = [1, 2, 4]
const DEFAULT = { ...DEFAULT_SETTINGS.landing, verify: true }

type Trial = Partial<typeof DEFAULT> & { bad?: number; flakeRate?: number; seed: number }

export const queue: Benchmark = {
  name: 'queue',
  about: `the landing queue with verification: ${ITEMS} branches of which ${BAD} are bad, ${SLOTS} slots`,
  async run({ scratch, say }) {
    const batched = WINDOWS.map((window) => trials(SEEDS, { window, bad: BAD }))
    const standard = batched[0] ?? []
    const flaky = trials(20, { flakeRate: FLAKE_RATE, bad: BAD })
    say('the real engine')
    const real = await realEngine(scratch)
    return {
      tables: [strategies(batched), rerunsTable(), costs(), real.table],
      bars: [
        atLeast('one by one / in batches, verifications', ITEMS / mean(standard.map(({ run }) => run.trees)), 3, '×'),
        atMost('good work sent away', goodEjected(batched.flat()) + real.goodEjected, 0),
        atMost('bad work landed', badLanded(batched.flat()) + real.badLanded, 0),
        atMost('good work sent away in 20 runs with 1 flake in 20', goodEjected(flaky), 0),
      ],
    }
  },
}

type Tried = { run: QueueRun; bad: Set<string> }

function trials(count: number, trial: Omit<Trial, 'seed'>): Tried[] {
  return Array.from({ length: count }, (_, n) => tryOnce({ ...trial, seed: n + 1 }))
}

function tryOnce({ seed, bad: count = 0, flakeRate = 0, window, allgreen, reruns }: Trial): Tried {
  const rnd = random(seed)
  const bad = someOf(rnd, count)
  const landing = {
    verify: true,
    window: window ?? DEFAULT.window,
    allgreen: allgreen ?? DEFAULT.allgreen,
    reruns: reruns ?? DEFAULT.reruns,
  }
  const run = virtualQueue({
    ...{ items: ITEMS, slots: SLOTS, verifyMs: VERIFY_MS, landing },
    isBad: (tasks) => [...bad].some((task) => tasks.has(task)),
    flakes: () => rnd.chance(flakeRate),
  })
  return { run, bad }
}

function someOf(rnd: Random, count: number): Set<string> {
  const found = new Set<string>()
  while (found.size < count) found.add(`t${rnd.int(ITEMS)}`)
  return found
}

function goodEjected(tried: Tried[]): number {
  return tried.flatMap(({ run, bad }) => run.ejected.filter((task) => !bad.has(task))).length
}

function badLanded(tried: Tried[]): number {
  return tried.flatMap(({ run, bad }) => run.landed.filter((task) => bad.has(task))).length
}

/** One by one under the same rules: a verification each, and what fails is repeated. */
const ONE_BY_ONE = { trees: ITEMS, runs: ITEMS + BAD * DEFAULT.reruns }

function strategies(batched: Tried[][]): Table {
  const rows = WINDOWS.map((window, n) => {
    const runs = (batched[n] ?? []).map(({ run }) => run)
    const trees = runs.map((run) => run.trees)
    const commands = runs.map((run) => run.runs)
    const seconds = mean(runs.map((run) => run.makespanMs)) / 1_000
    const less = ONE_BY_ONE.trees / mean(trees)
    return [`window ${window}`, mean(trees), Math.max(...trees), less, mean(commands), Math.max(...commands), seconds]
  })
  const { trees, runs } = ONE_BY_ONE
  return {
    title: `${BAD} of ${ITEMS} bad, ${SEEDS} seeds, a command of 1 s, as many cores as it takes, ${DEFAULT.reruns} reruns`,
    columns: ['', 'verifications', 'most', 'times fewer', 'commands run', 'most', 'seconds'],
    rows: [['one by one', trees, trees, 1, runs, runs, runs], ...rows],
  }
}

function rerunsTable(): Table {
  const rows = [0, 1, 2, 3].map((reruns) => {
    const tried = trials(FLAKY_SEEDS, { reruns, flakeRate: FLAKE_RATE, bad: BAD })
    const spoilt = tried.filter((one) => goodEjected([one]) > 0).length
    const good = FLAKY_SEEDS * (ITEMS - BAD)
    return [
      reruns,
      `${((100 * spoilt) / FLAKY_SEEDS).toFixed(1)} %`,
      (1_000 * goodEjected(tried)) / good,
      badLanded(tried),
      mean(tried.map(({ run }) => run.runs)),
    ]
  })
  const columns = ['reruns', 'runs with good work sent away', 'per 1,000 good', 'bad work landed', 'commands run']
  return {
    title: `1 verification in 20 fails for no reason, ${BAD} of ${ITEMS} bad, ${FLAKY_SEEDS} seeds`,
    columns,
    rows,
  }
}

function costs(): Table {
  const shares = [0, 0.01, 0.05, 0.2]
  const ways = [
    ...WINDOWS.map((window) => ({ window, allgreen: false })),
    { window: 1, allgreen: true },
    { window: 4, allgreen: true },
  ]
  const rows = ways.map(({ window, allgreen }) => {
    const cells = shares.flatMap((share) => {
      const tried = trials(SEEDS, { window, allgreen, bad: Math.round(share * ITEMS) })
      const perLanded = mean(tried.map(({ run }) => run.runs / run.landed.length))
      return [perLanded, mean(tried.map(({ run }) => run.makespanMs / VERIFY_MS))]
    })
    return [`window ${window}${allgreen ? ', allgreen' : ''}`, ...cells]
  })
  const columns = ['', ...shares.flatMap((share) => [`${share * 100} % bad: each`, 'in all'])]
  return {
    title: `commands run per landed item, and the time of all ${ITEMS} in verifications, ${SEEDS} seeds`,
    columns,
    rows,
  }
}

async function realEngine(scratch: string) {
  const repo = join(scratch, 'repo')
  await createSampleRepository(repo, 200)
  const rows: Table['rows'] = []
  let [good, bad] = [0, 0]
  for (const window of WINDOWS) {
    const wrong = someOf(random(window), BAD)
    const count = join(scratch, `count-${window}`)
    const commands = Array.from({ length: ITEMS }, (_, n) => `echo ${n} > ${wrong.has(`t${n}`) ? 'bad' : 'good'}-${n}`)
    // The file it counts in makes it another command each time: nothing is known from the one before.
    const verify = [`echo ran >> '${count}'; sleep ${SLEEP_S}; ! ls | grep -q ^bad`]
    const settings = { maxConcurrency: SLOTS, landing: { ...DEFAULT_SETTINGS.landing, verify, window } }
    await using run = await open(repo, commandPlan(commands), settings)
    const events: RunEvent[] = []
    const watching = (async () => {
      for await (const event of run.events()) events.push(event)
    })()
    await run.execute()
    await watching
    const ejected = events.flatMap((event) => (event.type === 'landing.refused' ? event.tasks : []))
    const landed = events.flatMap((event) => (event.type === 'landing.landed' ? event.tasks : []))
    good += ejected.filter((task) => !wrong.has(task)).length
    bad += landed.filter((task) => wrong.has(task)).length
    const trees = new Set(events.flatMap((event) => (event.type === 'landing.verifying' ? event.commit : []))).size
    const ran = (await readFile(count, 'utf8')).split('\n').length - 1
    const each = mean(
      events.flatMap((event) => (event.type === 'landing.verified' && event.verdict ? event.verdict.durationMs : [])),
    )
    rows.push([`window ${window}`, trees, ran, each, secondsOf(events), (ONE_BY_ONE.runs * each) / 1_000])
  }
  const columns = ['', 'verifications', 'commands run', 'ms each', 'whole run, seconds', 'one by one, seconds']
  const title = `the real engine, a command of ${SLEEP_S} s, ${SLOTS} slots, one seed each`
  return { table: { title, columns, rows }, goodEjected: good, badLanded: bad }
}

function secondsOf(events: RunEvent[]): number {
  return ((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)) / 1_000
}
