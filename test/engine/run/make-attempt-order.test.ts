// Orders as the engine writes them: plain data, and all that whoever executes an attempt has to know of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localRunner } from '../../../src/attempt/attempt.ts'
import type { AttemptOrder } from '../../../src/attempt/attempt-order.ts'
import { DEFAULT_SETTINGS, type LayerSettings } from '../../../src/config.ts'
import { Learner } from '../../../src/engine/expertise/learner.ts'
import type { MakeRunner } from '../../../src/engine/open/check-before-run.ts'
import { withModel } from '../../../src/engine/run/make-attempt-order.ts'
import type { AttemptResult } from '../../../src/event.ts'
import { readEvents, readRun } from '../../../src/index.ts'
import type { AttemptView } from '../../../src/view.ts'
import type { TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { Core, planOf } from '../../scheduler/plan-rig.ts'

const SECRET = 'hunter2-hunter2'

/** Writes down what it was told, is done only when it is told again, and prints a secret of its machine. */
const AGENT = [
  'cp "$ESPALIER_PROMPT_FILE" "told-$ESPALIER_ATTEMPT-$ESPALIER_ITERATION.md"',
  'echo "used $MY_TOKEN"',
  '[ "$ESPALIER_ATTEMPT" = 2 ] || [ "$ESPALIER_ITERATION" = 2 ] || exit 0',
  'echo done > "done-$ESPALIER_TASK.txt"',
].join('; ')

const TASKS: TaskDraft[] = [
  { id: 'command', run: 'echo "$GREETING $(cat made)" > a.txt', env: { GREETING: 'hello' }, setup: ['echo own > own'] },
  { id: 'asked-again', prompt: 'Do it.', iterations: 2, verify: ['test -f done-asked-again.txt'], budgetUsd: 5 },
  { id: 'retried', prompt: 'Do it too.', retries: 1, verify: ['test -f done-retried.txt'], protected: ['*.lock'] },
  { id: 'undeclared', prompt: 'Stay inside.', claims: { write: ['src/**'], read: [] }, completion: 'used' },
  { id: 'first', run: 'echo ignored > x.ignored', epic: 'shared', isolation: 'epic' },
  { id: 'second', run: 'test -f x.ignored && echo b > b.txt', epic: 'shared', isolation: 'epic' },
]

const FILES = {
  '.gitignore': '*.ignored\nmade\nown\n',
  '.espalier/prompts/follow-up.md': '{{first}}\n\nNot yet: {{message}}\n',
}

async function executed(runner: MakeRunner) {
  await using rig = await Rig.open({ files: FILES })
  const settings: LayerSettings = { command: AGENT, setup: ['echo it > made'], claims: 'enforce', envAllow: ['MY_*'] }
  const run = await (await rig.start(TASKS, settings, { ...process.env, MY_TOKEN: SECRET }, runner)).finish()
  const tasks = run.run.status().tasks.map(({ id, status, history }) => [id, status, history.map(withoutTimes)])
  return { tasks, tree: rig.git('ls-tree', '-r', run.outcome.branch) }
}

/** What of an attempt is the same each time the same is done. */
function withoutTimes({ startedAt, finishedAt, slot, base, commit, checks, failure, ...view }: AttemptView) {
  const checked = checks?.map(({ command, passed }) => [command, passed])
  return { ...view, checked, failure: failure?.reason, hasCommit: commit !== null }
}

test('an order that was written as JSON and read again executes the same attempt', async () => {
  const orders: AttemptOrder[] = []
  const written = await executed((machine) => {
    const local = localRunner(machine)
    return {
      start(order, host) {
        orders.push(order)
        return local.start(JSON.parse(JSON.stringify(order)), host)
      },
    }
  })
  const asItIs = await executed(localRunner)
  assert.deepEqual(written, asItIs)
  const statuses = asItIs.tasks.map(([, status]) => status)
  assert.deepEqual(statuses, ['landed', 'landed', 'landed', 'failed', 'passed', 'landed'])
  assert.match(asItIs.tree, /told-1-2\.md[\s\S]*told-2-1\.md/)
  for (const order of orders) assertData(order, order.task.id)
  assert.ok(!JSON.stringify(orders).includes(SECRET), 'what its machine keeps secret is in no order')
})

test('who executed an attempt, and what it came to, comes back from the journal', async () => {
  await using rig = await Rig.open()
  const result: AttemptResult = { counts: { passed: 3 }, artifacts: ['out/a.png'], scores: { speed: 0.5 } }
  const run = await rig.start([{ id: 'a', run: 'true' }], {}, process.env, (machine) => ({
    start(order, host) {
      const attempt = localRunner(machine).start(order, host)
      return {
        result: attempt.result.then((finished) => ({ ...finished, result })),
        stop: (why, decidedAt) => attempt.stop(why, decidedAt),
        allow: async (globs) => attempt.allow?.(globs),
        setBudget: (budget) => attempt.setBudget?.(budget),
        letGo: () => attempt.letGo(),
      }
    },
  }))
  await run.finish()
  const workspace = await workspaceAt(rig.top)
  const [events, view] = [await readEvents(workspace, { run: run.id }), await readRun(workspace)]
  assert.ok(events.ok && view.ok)
  const facts = events.value.flatMap((event) => (event.type === 'attempt.started' ? [event.worker] : []))
  assert.deepEqual(facts, ['local'])
  assert.deepEqual(events.value.find((event) => event.type === 'attempt.finished')?.result, result)
  const [attempt] = view.value?.tasks[0]?.history ?? []
  assert.deepEqual([attempt?.worker, attempt?.result], ['local', result])
})

/** Nothing but what JSON can say; what is undefined is left out there. */
function assertData(value: unknown, where: string): void {
  if (value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value)) return
  assert.ok(typeof value === 'object', `${where} is a ${typeof value}`)
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  assert.ok(isPlain, `${where} is neither a list nor a plain object`)
  for (const [name, part] of Object.entries(value)) assertData(part, `${where}.${name}`)
}

test('`model: auto` counts the tries that a task has after `retry`, not those of before', async () => {
  const task = {
    id: 'a',
    retries: 2,
    work: {
      kind: 'prompt',
      prompt: 'Add a route that answers with the invoices of a customer.',
      agent: 'claude',
      model: 'auto',
    },
  } as const
  const plan = planOf(task)
  const learner = await Learner.open({ experiences: async () => [] } as never, DEFAULT_SETTINGS)
  const chosen = (core: Core) => {
    const started = core.decisions.findLast((one) => one.type === 'attempt.started')
    assert.ok(started?.type === 'attempt.started')
    const fact = withModel({ ...started, agent: 'claude' }, { state: core.state, settings: DEFAULT_SETTINGS, learner })
    return fact.type === 'attempt.started' ? fact.choice?.model : undefined
  }
  const core = new Core(plan)
  const first = chosen(core)
  assert.ok(first)
  for (let tries = 0; tries < 3; tries++) core.fail('a').wait(60_000)
  core.tell({ type: 'run.replanned', plan, again: ['a'] }).tell({ type: 'run.resumed', limits: core.state.limits })
  assert.deepEqual(core.running, ['a'])
  assert.equal(chosen(core), first)
})
