import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { test } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { watchRun } from '../../src/workspace/read-runs.ts'
import { stateOf } from '../learning/known.ts'
import { makeRepository } from '../rig/repository.ts'
import { workspaceAt } from '../rig/workspace-at.ts'
import { event, newRun, summary, view } from '../store/contract.ts'

test('who watches a run sees how it stands at once, what others write, and that it is removed', async () => {
  await using repository = await makeRepository()
  await mkdir(stateOf(repository), { recursive: true })
  const opened = await openStore(`${stateOf(repository)}/state.db`)
  assert.ok(opened.ok)
  await using store = opened.value
  await store.createRun(newRun())
  await store.append('r', [event(1)], { run: summary('r', 1), tasks: [view('a', 'running')] })
  const seen: (string | null)[] = []
  for await (const now of watchRun(await workspaceAt(repository.top), { run: 'r', everyMs: 10 })) {
    assert.ok(now.ok, JSON.stringify(now))
    const status = now.value ? (now.value.tasks[0]?.status ?? '') : null
    if (status === seen.at(-1)) continue // only time has passed
    seen.push(status)
    if (status === 'running')
      await store.append('r', [event(2)], { run: summary('r', 2), tasks: [view('a', 'landed')] })
    else if (status === 'landed') await store.deleteRun('r')
    else break
  }
  assert.deepEqual(seen, ['running', 'landed', null])
})

test('who watches all runs gets every event once, in one order, from a cursor on', async () => {
  await using repository = await makeRepository()
  await mkdir(stateOf(repository), { recursive: true })
  const opened = await openStore(`${stateOf(repository)}/state.db`)
  assert.ok(opened.ok)
  await using store = opened.value
  for (const id of ['r', 's']) await store.createRun(newRun(id))
  const write = (run: string, seq: number) => store.append(run, [event(seq)], { run: summary(run, seq), tasks: [] })
  await write('r', 1)
  await write('s', 1)
  const workspace = await workspaceAt(repository.top)
  const seen: string[] = []
  const cursors: number[] = []
  for await (const { cursor, run, event } of workspace.watch(0)) {
    seen.push(`${run} ${'seq' in event && event.seq}`)
    cursors.push(cursor)
    if (seen.length === 2) await write('r', 2)
    if (seen.length === 3) break
  }
  assert.deepEqual(seen, ['r 1', 's 1', 'r 2'])
  for await (const { run, event } of workspace.watch(cursors[0] ?? 0, { run: 'r' })) {
    assert.deepEqual([run, 'seq' in event && event.seq], ['r', 2])
    break
  }
})
