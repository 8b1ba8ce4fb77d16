// What `model: auto` and lessons are worth, and what they cost. Scripted agents of different skill and price work through 200 tasks whose
// difficulty is hidden: it shows in their text and paths only statistically. The same tasks go to the cheapest model, to
// the dearest, to an oracle that knows what would have succeeded, and to `auto`, which learns on the way. Then tasks of
// fields that have a trap each, with and without lessons.
import { DEFAULT_SETTINGS } from '../src/config.ts'
import { absorb, judge } from '../src/learning/absorb.ts'
import { expertiseFor } from '../src/learning/lessons-for-prompt.ts'
import { chooseModel, type Tier } from '../src/learning/model-choice.ts'
import { observe } from '../src/learning/observe.ts'
import { looksOf } from '../src/learning/task-features.ts'
import type { Experience, Known } from '../src/learning-records.ts'
import type { Task } from '../src/task.ts'
import { type Random, random } from '../test/simulation/random.ts'
import { atMost, type Benchmark, type Table } from './benchmark.ts'
import { learningCost } from './learning-cost.ts'
import { mean } from './statistics.ts'

const TASKS = 200
const SEEDS = 400
const TRIES = 2
const QUARTER = TASKS / 4

type Prices = { name: string; tiers: Tier[] }
const PRICES: Prices[] = [
  { name: 'prices 1 : 3 : 15', tiers: tiersAt([1, 3, 15]) },
  { name: 'prices 1 : 3 : 5', tiers: tiersAt([1, 3, 5]) },
  { name: 'prices 1 : 5 : 25', tiers: tiersAt([1, 5, 25]) },
]
/** A task is done when skill and luck of a try exceed its difficulty. How good a model is here, nobody is told. */
const SKILL = [
  { from: 0.2, to: 0.6 },
  { from: 0.65, to: 0.85 },
  { from: 0.95, to: 1 },
]
const LUCK = 0.08

export const learning: Benchmark = {
  name: 'learning',
  about: `model: auto on ${TASKS} tasks of hidden difficulty, ${TRIES} tries each, mean of ${SEEDS} seeds`,
  async run({ scratch, say }) {
    const all = PRICES.map((prices) => ({ prices, results: evaluate(prices.tiers) }))
    const first = all[0]?.results as Results
    say('a full store')
    const task = makeWorld(1, tiersAt([1, 3, 15])).tasks[0]?.task as Task
    const [on, off] = [await learningCost(scratch, task, true), await learningCost(scratch, task, false)]
    const [withLessons, without] = [trapped(true), trapped(false)]
    const [early, late] = [mean(first.regret.slice(0, 1)), mean(first.regret.slice(-1))]
    return {
      tables: [
        ...all.flatMap(({ prices, results }) => [costs(prices, results), regrets(prices, results)]),
        trapTable(withLessons, without),
      ],
      bars: [
        atMost('points of success below the dearest', 100 * (first.dearest.success - first.auto.success), 2),
        atMost('cost of auto / cost of the dearest', first.auto.cost / first.dearest.cost, 0.5, '×'),
        atMost('regret in the last quarter / in the first', late / early, 0.95, '×'),
        atMost('cost of auto / cost of middle, then dearest', first.auto.cost / first.ladder.cost, 0.97, '×'),
        atMost('points of success below middle, then dearest', 100 * (first.ladder.success - first.auto.success), 1),
        atMost('tasks that step into a trap another has stepped into, in %', 100 * withLessons.again, 5),
        atMost('ms a task, with 7,000 lessons and 5,000 attempts', on, 20),
        atMost('ms a task, turned off', off, 1),
      ],
    }
  },
}

type Strategy = { success: number; cost: number }
type Results = Record<'cheapest' | 'middle' | 'ladder' | 'dearest' | 'oracle' | 'auto', Strategy> & { regret: number[] }

function evaluate(tiers: Tier[]): Results {
  const sums = new Map<string, { success: number[]; cost: number[] }>()
  const regret: number[][] = [[], [], [], []]
  for (let seed = 1; seed <= SEEDS; seed++) {
    const world = makeWorld(seed, tiers)
    const runs = {
      cheapest: world.tasks.map((task) => climb(task, () => 0)),
      middle: world.tasks.map((task) => climb(task, () => 1)),
      ladder: world.tasks.map((task) => climb(task, (attempt) => 1 + attempt)),
      dearest: world.tasks.map((task) => climb(task, () => 2)),
      oracle: world.tasks.map(oracle),
      auto: auto(world, tiers),
    }
    for (const [name, done] of Object.entries(runs)) {
      const sum = sums.get(name) ?? { success: [], cost: [] }
      sum.success.push(mean(done.map((one) => Number(one.success))))
      sum.cost.push(mean(done.map((one) => one.cost)))
      sums.set(name, sum)
    }
    const failing = mean(runs.dearest.map(({ cost }) => cost))
    runs.auto.forEach((one, n) => {
      const best = runs.oracle[n] as Done
      const lost = Number(best.success) - Number(one.success)
      regret[Math.floor(n / QUARTER)]?.push(one.cost - best.cost + lost * failing)
    })
  }
  const of = (name: string): Strategy => ({
    success: mean(sums.get(name)?.success ?? []),
    cost: mean(sums.get(name)?.cost ?? []),
  })
  return {
    ...{ cheapest: of('cheapest'), middle: of('middle'), ladder: of('ladder'), dearest: of('dearest') },
    ...{ oracle: of('oracle'), auto: of('auto'), regret: regret.map((part) => mean(part)) },
  }
}

type Scripted = {
  task: Task
  /** What each try of each tier would do and cost. */
  tries: { success: boolean; cost: number }[][]
}
type World = { tasks: Scripted[] }
type Done = { success: boolean; cost: number }

function climb(scripted: Scripted, tierOf: (attempt: number) => number): Done {
  let cost = 0
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const one = outcomeOf(scripted, tierOf(attempt), attempt)
    cost += one.cost
    if (one.success) return { success: true, cost }
  }
  return { success: false, cost }
}

function outcomeOf({ tries }: Scripted, tier: number, attempt: number): Done {
  const done = tries[tier]?.[attempt]
  if (!done) throw new Error(`there is no try ${attempt} of tier ${tier}`)
  return done
}

/** Knows what each would do, and takes the cheapest that succeeds; where none does, the cheapest. */
function oracle({ tries }: Scripted): Done {
  const first = tries.map(([one]) => one as Done)
  const good = first.filter(({ success }) => success)
  return (good.length > 0 ? good : first).reduce((best, one) => (one.cost < best.cost ? one : best))
}

function auto({ tasks }: World, tiers: Tier[]): Done[] {
  const past: Experience[] = []
  const { tolerance } = DEFAULT_SETTINGS.models
  return tasks.map((scripted, n) => {
    const looks = looksOf(scripted.task)
    let after: number | null = null
    return climb(scripted, (attempt) => {
      const choice = chooseModel({
        ...{ looks, tiers, past, tries: TRIES - attempt },
        ...{ after, budgetUsd: null, tolerance },
      })
      const tier = choice.tier - 1
      const { success, cost } = outcomeOf(scripted, tier, attempt)
      const outcome: Experience = {
        ...looks,
        ...{ run: 'bench', task: scripted.task.id, attempt: attempt + 1, at: n, agent: 'scripted' },
        ...{ model: choice.model, succeeded: success, costUsd: cost, durationMs: 0 },
      }
      past.push(outcome)
      after = tier
      return tier
    })
  })
}

/** Fields differ in how hard their tasks are, in every project in another way; words and paths are drawn with a bias by field and difficulty. */
function makeWorld(seed: number, tiers: Tier[]): World {
  const rnd = random(seed)
  const names = Object.keys(FIELDS)
  const hardness = new Map(names.map((name) => [name, 0.05 + 0.8 * rnd.next()]))
  const skills = SKILL.map(({ from, to }) => from + (to - from) * rnd.next())
  const tasks = Array.from({ length: TASKS }, (_, n) => {
    const field = rnd.pick(names)
    const { words, paths } = FIELDS[field] as Field
    const difficulty = Math.min(1, Math.max(0, (hardness.get(field) ?? 0) + spread(rnd) * 0.3))
    const said = Array.from({ length: 12 }, () => {
      if (rnd.chance(0.45)) return rnd.pick(words)
      // A hard task has more hard words, but every task may have some: noise.
      return rnd.chance(0.1 + 0.6 * difficulty) ? rnd.pick(HARD) : rnd.pick(PLAIN)
    })
    const files = 1 + rnd.int(1 + Math.round(4 * difficulty))
    const task = scriptedTask(
      n,
      said.join(' '),
      Array.from({ length: files }, () => rnd.pick(paths) + rnd.int(40)),
    )
    const tries = tiers.map(({ price }, tier) =>
      Array.from({ length: TRIES }, () => {
        const margin = (skills[tier] as number) + spread(rnd) * LUCK - difficulty
        // Hard tasks take longer, and longest for those who hardly manage.
        const tokens = 100_000 * (0.5 + difficulty) * (margin < 0.1 ? 1.5 : 1) * (0.7 + 0.6 * rnd.next())
        return { success: margin > 0, cost: (tokens * price.input + tokens * 0.05 * price.output) / 1_000_000 }
      }),
    )
    return { task, tries }
  })
  return { tasks }
}

function scriptedTask(n: number, prompt: string, write: string[]): Task {
  return {
    ...{ id: `t${n}`, title: prompt.split(' ').slice(0, 4).join(' '), epic: null, needs: [], after: [] },
    ...{ claims: { write, read: [] }, work: { kind: 'prompt', prompt, agent: 'scripted', model: 'auto' } },
    ...{ verify: [], priority: 0, estimateMs: null, timeoutMs: 1, retries: TRIES - 1, land: true },
    ...{ isolation: 'task', env: {}, tags: [] },
  }
}

type Field = { words: string[]; paths: string[] }
/** Only some of these words are known to the code under test. */
const FIELDS: Record<string, Field> = {
  ledger: { words: list('ledger posting balance table query entries accounts'), paths: ['db/ledger/'] },
  shop: { words: list('cart page button checkout form total basket'), paths: ['web/shop/'] },
  gateway: { words: list('endpoint route response header retry upstream client'), paths: ['api/'] },
  login: { words: list('login token cookie session password oauth expiry'), paths: ['auth/'] },
  guides: { words: list('readme wording typo chapter figure link glossary'), paths: ['docs/'] },
  importer: { words: list('csv import column encoding batch mapping rows'), paths: ['src/import/'] },
}
const HARD = list('refactor concurrency race legacy invariant reconcile quirk recover deadlock ordering idempotent')
const PLAIN = list('add show list small value label field simple option print default text')

function list(text: string): string[] {
  return text.split(' ')
}

/** Between -1 and 1, mostly near 0. */
function spread(rnd: Random): number {
  return (rnd.next() + rnd.next() + rnd.next()) / 1.5 - 1
}

function tiersAt(prices: number[]): Tier[] {
  return prices.map((input, n) => ({
    model: ['small', 'medium', 'large'][n] as string,
    price: { input, output: 5 * input, cacheRead: input / 10 },
  }))
}

function costs({ name }: Prices, results: Results): Table {
  const { dearest } = results
  const rows = (['cheapest', 'middle', 'ladder', 'dearest', 'oracle', 'auto'] as const).map((strategy) => {
    const { success, cost } = results[strategy]
    const percent = `${(100 * success).toFixed(1)} %`
    return [strategy, percent, cost.toFixed(3), (cost / dearest.cost).toFixed(2)]
  })
  return { title: name, columns: ['strategy', 'succeeded', '$ a task', '× dearest'], rows }
}

function regrets({ name }: Prices, { regret }: Results): Table {
  const rows = [regret.map((value) => value.toFixed(3))]
  return { title: `${name}: regret of auto, $ a task`, columns: ['tasks 1–50', '51–100', '101–150', '151–200'], rows }
}

const TRAP_TASKS = 60

/**
 * Every field has a trap: a check fails with words of its own unless the agent does something the task does not ask for.
 * The scripted agent steps into it unless its prompt mentions it, and mends it when the check has told it.
 */
function trapped(lessons: boolean): { first: number; again: number } {
  const rnd = random(7)
  const known: Known = new Map()
  const told = new Set<string>()
  let [first, again, later] = [0, 0, 0]
  for (let n = 0; n < TRAP_TASKS; n++) {
    const field = rnd.pick(Object.keys(FIELDS))
    const { words, paths } = FIELDS[field] as Field
    const path = `${paths[0]}${n}.ts`
    const task = scriptedTask(n, `${rnd.pick(words)} ${rnd.pick(words)} ${rnd.pick(PLAIN)}`, [path])
    const looks = looksOf(task)
    const wanted = { domain: looks.domain, words: looks.words, claims: task.claims, verify: [] }
    const given = lessons
      ? expertiseFor(known.values(), { ...wanted, maxTokens: DEFAULT_SETTINGS.learning.promptTokens })
      : []
    const warned = given.some(({ text }) => text.includes(`${field}.sum is stale`))
    if (told.has(field)) later++
    if (!warned && told.has(field)) again++
    if (!warned && !told.has(field)) first++
    told.add(field)
    const message = `\`npm test\` exited with status 1:\nError: ${field}.sum is stale: run tools/sum ${field}`
    const fixed = warned ? [] : [{ message, paths: [`${field}.sum`] }]
    const evidence = { run: 'bench', task: task.id, attempt: 1, session: null, commit: null }
    const session = { domain: looks.domain, evidence, succeeded: true, touched: [path, `${field}.sum`] }
    const seen = observe({ ...session, fixed })
    judge(known, { lessons: given.map(({ id }) => id), succeeded: true }, 0.5, n)
    absorb(known, seen, n)
  }
  return { first, again: again / Math.max(1, later) }
}

function trapTable(withLessons: ReturnType<typeof trapped>, without: ReturnType<typeof trapped>): Table {
  const row = (name: string, { first, again }: typeof without) => [name, first, `${Math.round(100 * again)} %`]
  return {
    title: `${TRAP_TASKS} tasks of ${Object.keys(FIELDS).length} fields with a trap each`,
    columns: ['', 'stepped into first', 'of the later ones, again'],
    rows: [row('without lessons', without), row('with lessons', withLessons)],
  }
}
