// `espalier retry`, as a person in a terminal meets it.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Limits } from '../../../src/event.ts'
import { readEvents } from '../../../src/index.ts'
import { readPlanOf } from '../../../src/workspace/read-runs.ts'
import { espalier, espalierHere } from '../../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const PLAN = `
name: shop
defaults: { retries: 0 }
tasks:
  - { id: a, run: echo a >a.txt }
  - { id: b, needs: [a], run: exit 3 }
  - { id: c, needs: [b], run: test -e a.txt && test -e b.txt && echo c >c.txt }
`

test('what failed is tried again on the same branch, as the plan is written now; what landed is not', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  const type = async (expected: number, ...args: string[]) => {
    const { status, out, err } = await espalier(repository.top, args)
    assert.equal(status, expected, out + err)
    return out + err
  }
  await writeFile(file, PLAN)
  const first = await type(1, 'run', file)
  assert.match(first, /espalier retry --run shop-1 +retry b$/m)
  assert.match(await type(2, 'resume', 'shop-1'), /`espalier retry --run shop-1` retries what did not succeed/)
  assert.match(await type(2, 'retry', 'nope'), /run shop-1 has no task nope/)
  assert.match(await type(2, 'retry', 'a'), /a is landed: only what failed, was blocked or cancelled/)
  assert.match(await type(2, 'retry', 'c'), /c needs b, which did not succeed either/)
  await type(0, 'land', 'shop-1')
  assert.match(await type(1, 'retry'), /retrying 2 tasks: b, c/)
  await writeFile(file, PLAN.replace('exit 3', 'echo b >b.txt'))
  const done = await type(0, 'retry', 'b', '--replan')
  assert.match(done, /~ changed: b\nplan changes applied/)
  assert.match(done, /b started \(attempt 3 of 3\)/)
  assert.match(done, /landed: a, b, c/)
  const { tasks } = JSON.parse(await type(0, 'status', '--json')) as { tasks: { id: string; attempts: number }[] }
  assert.deepEqual(
    tasks.map(({ id, attempts }) => `${id} ${attempts}`),
    ['a 1', 'b 3', 'c 1'],
  )
  assert.match(await type(2, 'retry'), /nothing to retry: no task of run shop-1 failed, was blocked or cancelled/)
  await type(0, 'land', 'shop-1')
  assert.equal(repository.git('show', 'HEAD:c.txt'), 'c')
})

test('with --replan a task can be named as the plan calls it now', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  await writeFile(file, PLAN)
  const type = (...args: string[]) => espalierHere(repository.top, args)
  await type('run', file)
  await writeFile(file, PLAN.replace('id: b', 'id: beta').replace('[b]', '[beta]').replace('exit 3', 'echo b >b.txt'))
  const unknown = await type('retry', 'beta')
  assert.deepEqual([unknown.status, unknown.err], [2, 'run shop-1 has no task beta; it has a, b, c\n'])
  const nowhere = await type('retry', 'beta', 'nope', '--replan')
  assert.equal(nowhere.status, 2)
  assert.match(nowhere.err, /run shop-1 has no task nope/)
  const { out } = await type('retry', 'beta', '--replan')
  assert.match(out, /beta landed/)
  assert.doesNotMatch(out, /0 tasks to try again/)
})

test('--timeout and --retries hold from then on for tasks that say nothing themselves', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  const own = '{ id: a, run: exit 3, timeout: 1h, retries: 0 }'
  await writeFile(file, `name: shop\ntasks:\n  - ${own}\n  - { id: b, needs: [a], run: echo b >b.txt }\n`)
  const limitsAfter = async (command: string, ...args: string[]) => {
    const { err } = await espalierHere(repository.top, [command, ...args])
    assert.doesNotMatch(err, /has changed since the run began/, 'nobody has changed the file')
    return (await limitsOf(repository)).map(({ timeoutMs, retries }) => [timeoutMs / 1_000, retries])
  }
  const theirs = [3_600, 0]
  assert.deepEqual(await limitsAfter('run', file, '--timeout', '30s'), [theirs, [30, 1]])
  assert.deepEqual(await limitsAfter('retry', '--timeout', '40s'), [theirs, [40, 1]])
  assert.deepEqual(await limitsAfter('retry'), [theirs, [40, 1]])
  assert.deepEqual(await limitsAfter('retry', '--timeout', '50s', '--retries', '3'), [theirs, [50, 3]])
  assert.deepEqual(await limitsAfter('retry', '--timeout', '60s', '--replan'), [theirs, [60, 3]])
})

test('a limit that a task says itself is its own, also if the run gave the same; what was tried in between does not matter', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  const tasks = ['{ id: own, run: exit 3, timeout: 30s }', '{ id: a, run: exit 3 }', '{ id: b, run: exit 3 }']
  await writeFile(
    file,
    `name: shop\ndefaults: { retries: 0 }\ntasks:\n${tasks.map((task) => `  - ${task}\n`).join('')}`,
  )
  const secondsAfter = async (...args: string[]) => {
    const { err } = await espalierHere(repository.top, args)
    assert.doesNotMatch(err, /has changed since the run began/, 'nobody has changed the file')
    return (await limitsOf(repository)).map(({ timeoutMs }) => timeoutMs / 1_000)
  }
  assert.deepEqual(await secondsAfter('run', file, '--timeout', '30s'), [30, 30, 30])
  assert.deepEqual(await secondsAfter('retry', 'b', '--timeout', '40s'), [30, 40, 40])
  assert.deepEqual(await secondsAfter('retry', 'a'), [30, 40, 40], 'what was given holds from then on')
  assert.deepEqual(await secondsAfter('retry', 'a', '--timeout', '50s'), [30, 50, 50])
  assert.deepEqual(await secondsAfter('retry', '--timeout', '60s'), [30, 60, 60])
})

/** Of each task of the run: what it says itself, else what the run was given last. */
async function limitsOf({ top }: TestRepository): Promise<{ timeoutMs: number; retries: number }[]> {
  const workspace = await workspaceAt(top)
  const plan = await readPlanOf(workspace, { run: 'shop-1' })
  const events = await readEvents(workspace, { run: 'shop-1' })
  assert.ok(plan.ok && plan.value && events.ok)
  const { limits } = events.value.findLast(({ type }) => type === 'run.started' || type === 'run.resumed') as {
    limits: Limits
  }
  const { timeoutMs, retries } = limits
  return plan.value.tasks.map((task) => ({ timeoutMs: task.timeoutMs ?? timeoutMs, retries: task.retries ?? retries }))
}
