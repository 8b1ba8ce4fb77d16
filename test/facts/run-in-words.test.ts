import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateOf, verdictOf } from '../../src/facts/run-in-words.ts'
import type { TaskStatus } from '../../src/status.ts'
import type { RunView } from '../../src/view.ts'
import { sampleRun, sampleTask } from '../cli/sample-run.ts'

const viewOf = (statuses: TaskStatus[], more: Partial<RunView>) =>
  sampleRun(
    statuses.map((status, index) => sampleTask(`t${index}`, status)),
    more,
  )
const atRest = { engine: null, resumable: false } as const
const waiting = { status: 'waiting', engine: null } as const
const login = { agent: 'claude', until: 0, why: 'login', needsLogin: true } as const

const cases: { view: RunView; state: string; title: string; detail?: string }[] = [
  { view: viewOf(['landed', 'running'], {}), state: 'running', title: 'Running: 1 of 2 done' },
  {
    view: viewOf(['landed', 'ready'], { engine: null }),
    state: 'interrupted',
    title: 'Interrupted: 1 of 2 done',
    detail: '1 landed on espalier/checkout-7, 1 waiting',
  },
  { view: viewOf(['conflict'], waiting), state: 'waiting for you', title: 'Waiting for you: 0 of 1 done' },
  {
    view: viewOf(['pending'], { ...waiting, paused: [login] }),
    state: 'waiting for a login',
    title: 'Waiting for a login: 0 of 1 done',
  },
  {
    view: viewOf(['ready'], { ...waiting, unplaced: [{ labels: ['gpu'], uses: {}, tasks: 1 }] }),
    state: 'waiting for a worker',
    title: 'Waiting for a worker: 0 of 1 done',
  },
  {
    view: viewOf(['landed', 'cancelled'], { ...atRest, status: 'cancelled' }),
    state: 'cancelled',
    title: 'Cancelled: 1 of 2 done',
  },
  { view: viewOf(['landed'], { ...atRest, status: 'completed' }), state: 'completed', title: 'Everything landed' },
  { view: viewOf(['passed'], { ...atRest, status: 'completed' }), state: 'completed', title: 'Everything passed' },
  { view: viewOf(['failed'], { ...atRest, status: 'failed' }), state: 'failed', title: 'Nothing landed' },
  {
    view: viewOf(['landed', 'failed', 'blocked'], { ...atRest, status: 'failed' }),
    state: 'failed',
    title: '1 of 3 tasks landed',
    detail: '1 landed on espalier/checkout-7 and on main, 1 failed, 1 blocked',
  },
  {
    view: viewOf(['landed', 'cancelled'], { ...atRest, status: 'failed' }),
    state: 'incomplete',
    title: '1 of 2 tasks landed',
  },
  { view: viewOf([], { ...atRest, status: 'completed' }), state: 'completed', title: 'Nothing to do' },
]

for (const { view, state, title, detail } of cases) {
  test(`${title} (${state})`, () => {
    const verdict = verdictOf(view, detail?.includes('main') ? 'main' : null)
    assert.deepEqual([stateOf(view), verdict.title], [state, title])
    if (detail !== undefined) assert.equal(verdict.detail, detail)
  })
}
