import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusLines } from '../../../src/cli/status/status-table.ts'
import { heldBackIn } from '../../../src/cli/status/waiting-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { TaskStatus } from '../../../src/status.ts'
import { makePlan } from '../../rig/plan.ts'
import { sampleRun, sampleTask } from '../sample-run.ts'

const writes = (glob: string) => ({ write: [glob], read: [] })
const plan = makePlan([
  { id: 'login', run: 'true', claims: writes('src/auth/**') },
  { id: 'cart', run: 'true', claims: writes('src/cart/**') },
  { id: 'docs', run: 'true', claims: writes('docs/**') },
])
const hold = (id: number, glob: string, until: number) => ({ id, name: 'ana', glob, since: 0, until })
const tasks = (...statuses: TaskStatus[]) =>
  ['login', 'cart', 'docs'].map((id, at) => sampleTask(id, statuses[at] ?? 'pending', { title: `Make ${id}` }))

test('what has not started and claims what a person holds is held back, until that is over', () => {
  const heldBack = heldBackIn(plan)
  const holds = [hold(1, 'src/auth/x.ts', 9), hold(2, 'src/**', 5)]
  const at = (now: number) => heldBack({ tasks: tasks('ready', 'pending', 'ready'), holds }, now)
  assert.deepEqual(at(1), { ready: new Map([['login', holds[0]]]), some: true }, 'cart is not ready in any case')
  assert.deepEqual(heldBack({ tasks: tasks('running', 'pending', 'ready'), holds }, 1), {
    ready: new Map(),
    some: true,
  })
  assert.deepEqual(heldBack({ tasks: tasks('running', 'pending', 'ready'), holds }, 5), {
    ready: new Map(),
    some: false,
  })
  assert.deepEqual(at(9), { ready: new Map(), some: false })
})

test('status says who is waited for, and guesses no time that leaves it out', () => {
  const minutes = (count: number) => count * 60_000
  const view = sampleRun(tasks('ready', 'ready', 'ready'), { holds: [hold(1, 'src/auth/**', minutes(59))] })
  const estimates = new Map(plan.tasks.map(({ id }) => [id, minutes(1)]))
  const options = { now: 0, width: 100, palette: palette(false), estimates }
  assert.match(statusLines(view, options)[1] ?? '', /about 1m 00s left/)
  const heldBack = heldBackIn(plan)(view, 0)
  const [, counts, line, , login, cart] = statusLines(view, { ...options, heldBack })
  assert.doesNotMatch(counts ?? '', /about/)
  assert.equal(line, "· 1 task waits for ana's hold on src/auth/**, 59m 00s left: login")
  assert.match(login ?? '', /ready .* waits for ana's hold on src\/auth\/\*\*, 59m 00s left$/)
  assert.match(cart ?? '', /waits for a free slot$/)
})
