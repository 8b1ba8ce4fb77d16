// Runs to report on: a night's work of a dozen tasks in which nearly everything happens, and runs of any size.
import type { Failure } from '../../src/event.ts'
import type { ReportInput } from '../../src/reports/facts/run.ts'
import { TASK_STATUSES } from '../../src/status.ts'
import type { Plan, Task } from '../../src/task.ts'
import { NO_USAGE } from '../../src/usage.ts'
import type { AttemptView, Counts, RunView, TaskView } from '../../src/view.ts'

/** 2026-03-03 21:40 UTC */
export const START = Date.UTC(2026, 2, 3, 21, 40)
const SECOND = 1_000
const BASE = '4f1d2c0b9a8e7d6c5b4a39281706f5e4d3c2b1a0'

type Given = Partial<Omit<TaskView, 'history'>> & { id: string; history?: Partial<AttemptView>[]; after?: string[] }

export function taskOf(given: Given): TaskView {
  const { after: _, ...rest } = given
  const history = (given.history ?? []).map((attempt, index) => attemptOf({ attempt: index + 1, ...attempt }))
  const first = history[0]
  const last = history.at(-1)
  return {
    title: given.id,
    epic: null,
    needs: [],
    status: 'landed',
    outcome: last?.outcome ?? null,
    attempts: history.length,
    startedAt: first?.startedAt ?? null,
    finishedAt: last?.finishedAt ?? null,
    durationMs: first && last?.finishedAt ? last.finishedAt - first.startedAt : null,
    landedCommit: null,
    landedAt: null,
    failure: null,
    conflict: null,
    retryAt: null,
    stalledSince: null,
    ...rest,
    history,
  }
}

export function attemptOf(given: Partial<AttemptView>): AttemptView {
  return {
    attempt: 1,
    worker: 'local',
    slot: 1,
    base: BASE,
    startedAt: START,
    finishedAt: START + SECOND,
    outcome: 'changed',
    failure: null,
    commit: null,
    diff: null,
    usage: null,
    summary: null,
    ...given,
  }
}

export function planOf(tasks: Given[], estimateMs: number | null = null): Plan {
  const epics = [...new Set(tasks.map((task) => task.epic).filter((epic) => typeof epic === 'string'))]
  return {
    name: 'checkout',
    base: null,
    epics: epics.map((id) => ({ id, title: `Epic ${id}`, needs: [] })),
    tasks: tasks.map((task) => planTask(task, estimateMs)),
  }
}

function planTask({ id, title, epic, needs, after }: Given, estimateMs: number | null): Task {
  return {
    id,
    title: title ?? id,
    epic: epic ?? null,
    needs: needs ?? [],
    after: after ?? [],
    claims: { write: [], read: [] },
    work: { kind: 'prompt', prompt: '…', agent: 'command', model: null },
    verify: [],
    priority: 0,
    estimateMs,
    timeoutMs: 1_800_000,
    retries: 1,
    land: true,
    isolation: 'task',
    env: {},
    tags: [],
  }
}

export function viewOf(tasks: TaskView[], given: Partial<RunView> = {}): RunView {
  const counts = { total: tasks.length } as Counts
  for (const status of TASK_STATUSES) counts[status] = tasks.filter((task) => task.status === status).length
  const usage = { ...NO_USAGE }
  for (const attempt of tasks.flatMap((task) => task.history)) {
    usage.inputTokens += attempt.usage?.inputTokens ?? 0
    usage.outputTokens += attempt.usage?.outputTokens ?? 0
    usage.costUsd += attempt.usage?.costUsd ?? 0
  }
  return {
    run: 'checkout-7k3f',
    name: 'checkout',
    status: 'failed',
    resumable: false,
    engine: null,
    repo: 'shop',
    enginePid: 4711,
    branch: 'espalier/checkout-7k3f',
    base: BASE,
    head: BASE,
    startedAt: START,
    finishedAt: START,
    durationMs: 0,
    slots: 3,
    schedule: 'eager',
    counts,
    usage,
    tasks,
    ...given,
  }
}

function at(slot: number, from: number, to: number | null, more: Partial<AttemptView> = {}): Partial<AttemptView> {
  const seconds = (to ?? from + 60) - from
  return {
    slot,
    startedAt: START + from * SECOND,
    finishedAt: to === null ? null : START + to * SECOND,
    outcome: to === null ? null : 'changed',
    usage:
      to === null
        ? null
        : {
            ...NO_USAGE,
            inputTokens: seconds * 310,
            outputTokens: seconds * 42,
            costUsd: Math.round(seconds * 0.37) / 100,
          },
    ...more,
  }
}

const wrong = (reason: Failure['reason'], message: string, more: Partial<Failure> = {}): Failure => ({
  reason,
  message,
  ...more,
})
const commit = (seed: number) => (seed * 7_919_113).toString(16).padStart(8, 'a').repeat(5).slice(0, 40)
const landed = (seed: number, second: number) => ({
  status: 'landed' as const,
  landedCommit: commit(seed),
  landedAt: START + second * SECOND,
})
const changed = (files: number, insertions: number, deletions: number, summary: string) => ({
  diff: { files, insertions, deletions },
  summary,
  commit: commit(files + insertions),
})

const CONFLICT = wrong(
  'conflict',
  'src/api/routes.ts does not merge with what cart landed meanwhile; tried again on the new base.',
  {
    paths: ['src/api/routes.ts'],
    cause: 'cart',
  },
)
const VERIFY = wrong(
  'verify-failed',
  'verify command 1 of 2 ended with status 1: npm run test:payments\n3 tests failed in test/payments/refund.test.ts. Read the log, fix the prompt or the test, and run the task again.',
)

export const SAMPLE_TASKS: Given[] = [
  {
    id: 'schema',
    title: 'Create the tables for users, carts and orders',
    epic: 'data',
    ...landed(3, 187),
    history: [at(1, 1, 186, changed(6, 214, 3, 'Added five tables with foreign keys and a migration.'))],
  },
  {
    id: 'design-tokens',
    title: 'Extract colours and spacing into design tokens',
    epic: 'web',
    ...landed(5, 142),
    history: [at(2, 1, 141, changed(11, 340, 288, 'Moved 41 colours and 9 sizes into tokens.css.'))],
  },
  {
    id: 'ci',
    title: 'Cache dependencies in CI',
    epic: null,
    ...landed(7, 97),
    history: [at(3, 1, 96, changed(1, 18, 4, 'Cache keyed by lock file.'))],
  },
  {
    id: 'seed-data',
    title: 'Write realistic seed data',
    epic: 'data',
    needs: ['schema'],
    ...landed(11, 322),
    history: [at(1, 188, 321, changed(3, 410, 0, 'Seeds for 40 users and 200 orders.'))],
  },
  {
    id: 'cart',
    title: 'Cart API: add, change and remove lines',
    epic: 'api',
    needs: ['schema'],
    ...landed(13, 458),
    history: [at(2, 188, 457, changed(9, 532, 21, 'Four routes with validation and 23 tests.'))],
  },
  {
    id: 'sessions',
    title: 'Sessions and sign-in',
    epic: 'api',
    needs: ['schema'],
    ...landed(17, 742),
    history: [
      at(3, 188, 489, { ...changed(8, 301, 12, 'Cookie sessions, rotated on sign-in.'), failure: CONFLICT }),
      at(1, 520, 741, changed(8, 306, 12, 'Cookie sessions, rotated on sign-in; routes merged with the cart.')),
    ],
  },
  {
    id: 'orders',
    title: 'Orders API with idempotency keys',
    epic: 'api',
    needs: ['cart', 'sessions'],
    ...landed(19, 1101),
    history: [
      at(2, 743, 812, {
        outcome: 'crashed',
        failure: wrong('agent-crashed', 'The agent was ended by SIGSEGV after 69 s.'),
      }),
      at(2, 816, 1100, changed(12, 688, 40, 'Order creation is idempotent by key; 31 tests.')),
    ],
  },
  {
    id: 'payments',
    title: 'Payments: capture and refund through the provider',
    epic: 'api',
    needs: ['orders'],
    status: 'failed',
    failure: VERIFY,
    history: [
      at(1, 1102, 1420, {
        outcome: 'failed',
        failure: VERIFY,
        ...changed(7, 402, 11, 'Capture works, refunds are partial.'),
      }),
      at(1, 1424, 1688, { outcome: 'failed', failure: VERIFY, ...changed(8, 433, 14, 'Rounding of refunds changed.') }),
    ],
  },
  {
    id: 'cart-page',
    title: 'Cart page',
    epic: 'web',
    needs: ['cart', 'design-tokens'],
    ...landed(23, 701),
    history: [at(3, 490, 700, changed(14, 610, 8, 'Cart page with optimistic updates.'))],
  },
  {
    id: 'account-page',
    title: 'Account page with order history',
    epic: 'web',
    needs: ['sessions', 'orders', 'design-tokens'],
    ...landed(29, 1390),
    history: [at(2, 1103, 1389, changed(10, 455, 2, 'History is paged; empty state included.'))],
  },
  {
    id: 'checkout-page',
    title: 'Checkout page',
    epic: 'web',
    needs: ['payments', 'cart-page'],
    status: 'blocked',
    failure: wrong('need-failed', 'needs payments, which did not succeed', { cause: 'payments' }),
  },
  {
    id: 'receipts',
    title: 'E-mail receipts',
    epic: 'api',
    needs: ['payments'],
    status: 'blocked',
    failure: wrong('need-failed', 'needs payments, which did not succeed', { cause: 'payments' }),
  },
  {
    id: 'e2e',
    title: 'End-to-end test of the whole checkout',
    epic: null,
    needs: ['checkout-page', 'receipts', 'account-page'],
    status: 'blocked',
    failure: wrong('need-failed', 'needs payments, which did not succeed', { cause: 'payments' }),
  },
  {
    id: 'audit',
    title: 'Check licences of all dependencies',
    epic: null,
    needs: [],
    after: ['ci'],
    status: 'passed',
    history: [at(3, 98, 171, { outcome: 'no-change', summary: 'All 212 licences are on the list.' })],
  },
  {
    id: 'changelog',
    title: 'Write the changelog from what landed',
    epic: null,
    needs: [],
    after: ['e2e'],
    ...landed(31, 1771),
    history: [at(3, 1692, 1770, changed(1, 46, 0, 'Unreleased section written.'))],
  },
]

export const SAMPLE_LOGS: Record<string, string> = {
  payments: [
    '> shop@2.1.0 test:payments',
    '> node --test test/payments',
    '',
    '\u001b[32m✔\u001b[0m captures the full amount (12.1ms)',
    '\u001b[32m✔\u001b[0m refuses a second capture (3.4ms)',
    '\u001b[31m✖\u001b[0m refunds part of an order (8.8ms)',
    '  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
    '',
    '  1999 !== 2000',
    '',
    '      at refund (src/payments/refund.ts:48:12)',
    '      at TestContext.<anonymous> (test/payments/refund.test.ts:31:10)',
    '',
    'tests 14',
    'pass 11',
    'fail 3',
  ].join('\n'),
  orders: 'writing src/orders/create.ts\nrunning npm test\n31 tests passed\ndone\n',
  sessions: 'resolved src/api/routes.ts against the new base\n23 + 18 tests passed\n',
}

/** The night's work, at rest: everything that can happen has happened, except an end to the work. */
export function sampleInput(): ReportInput {
  const tasks = SAMPLE_TASKS.map(taskOf)
  return {
    view: viewOf(tasks, { head: commit(31), finishedAt: START + 1772 * SECOND, durationMs: 1772 * SECOND }),
    plan: planOf(SAMPLE_TASKS, 240 * SECOND),
    logTails: SAMPLE_LOGS,
    generatedAt: START + 9 * 3_600 * SECOND,
  }
}

/** The same night, looked at in the middle: attempts run, tasks wait. */
export function runningInput(): ReportInput {
  const now = 1_250
  const tasks = SAMPLE_TASKS.map(taskOf).map((task): TaskView => {
    const history = task.history
      .filter((attempt) => attempt.startedAt < START + now * SECOND)
      .map((attempt) =>
        (attempt.finishedAt ?? 0) > START + now * SECOND
          ? {
              ...attempt,
              finishedAt: null,
              outcome: null,
              failure: null,
              commit: null,
              diff: null,
              usage: null,
              summary: null,
            }
          : attempt,
      )
    const open = history.some((attempt) => attempt.finishedAt === null)
    const done = history.length > 0 && !open
    if (done) return { ...task, history }
    const fresh = {
      outcome: null,
      finishedAt: null,
      durationMs: null,
      landedCommit: null,
      landedAt: null,
      failure: null,
    }
    const status = open ? 'running' : task.id === 'receipts' ? 'ready' : 'pending'
    return { ...task, ...fresh, status, history, attempts: history.length }
  })
  return {
    ...sampleInput(),
    view: viewOf(tasks, { status: 'running', engine: { pid: 4_711 }, finishedAt: null, durationMs: now * SECOND }),
    generatedAt: START + now * SECOND,
  }
}

/** `size` tasks in layers on `slots` slots, a few of which fail; the same every time. */
export function largeInput(size: number, slots = 16, failing = 0.01): ReportInput {
  let seed = 20_260_303
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const layer = Math.max(1, Math.round(Math.sqrt(size) * 2))
  const given: Given[] = []
  const free = Array.from({ length: slots }, () => 0)
  const ready = new Map<string, number | null>()
  const logTails: Record<string, string> = {}
  for (let index = 0; index < size; index++) {
    const id = `task-${index}`
    const depth = Math.floor(index / layer)
    const needs: string[] = []
    for (let need = 0; depth > 0 && need < 3; need++) {
      const from = `task-${(depth - 1) * layer + Math.floor(random() * layer)}`
      if (random() < 0.6 && !needs.includes(from)) needs.push(from)
    }
    const blocked = needs.find((need) => ready.get(need) === null)
    if (blocked !== undefined) {
      ready.set(id, null)
      given.push({
        id,
        title: `Port module ${index}`,
        needs,
        status: 'blocked',
        failure: wrong('need-failed', `needs ${blocked}, which did not succeed`, { cause: blocked }),
      })
      continue
    }
    const slot = free.indexOf(Math.min(...free))
    const from = Math.max(free[slot] ?? 0, ...needs.map((need) => ready.get(need) ?? 0))
    const to = Math.round(from + 20 + random() * 200)
    free[slot] = to
    const fails = random() < failing
    ready.set(id, fails ? null : to)
    logTails[id] = Array.from(
      { length: 60 },
      (_, row) => `[${row}] compiled <module-${index}> & "friends" in ${Math.round(random() * 900)} ms`,
    ).join('\n')
    const failure = wrong('agent-failed', `The agent ended with status 1 in module ${index}. Read its log.`)
    const end = changed(
      1 + Math.floor(random() * 9),
      Math.floor(random() * 300),
      Math.floor(random() * 80),
      `Module ${index} ported.`,
    )
    given.push({
      id,
      title: `Port module ${index} of the old billing system`,
      epic: `part-${depth % 6}`,
      needs,
      ...(fails ? { status: 'failed' as const, failure } : landed(index + 1, to)),
      history: [at(slot + 1, from, to, fails ? { outcome: 'failed', failure } : end)],
    })
  }
  const endMs = Math.max(0, ...free) * SECOND
  return {
    view: viewOf(given.map(taskOf), { slots, finishedAt: START + endMs, durationMs: endMs }),
    plan: planOf(given),
    logTails,
    generatedAt: START + endMs,
  }
}

/** Titles, names and logs like this must stay text. */
export const HOSTILE =
  '</script></title></style><img src=x onerror=alert(1)>"\'><svg onload=alert(2)>\u202e\u001b[31m\u0000'
