// Tasks that are added to a run while it goes on.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AddedTasks } from '../../../src/event.ts'
import { readPlanOf, readRun } from '../../../src/workspace/read-runs.ts'
import type { TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

function added(rig: Rig, tasks: TaskDraft[], epics: AddedTasks['epics'] = []): AddedTasks {
  return { tasks: rig.plan(tasks).tasks, epics }
}

suite('tasks that are added while a run goes on', { concurrency: true }, () => {
  test('they wait for what runs, start when it has landed, and are there for whoever looks', async () => {
    await using rig = await Rig.open()
    const run = await rig.start([{ id: 'a' }])
    const a = await rig.stage.next('a')
    const epic = { id: 'e', title: 'Later', needs: [] }
    const answer = await run.run.add(added(rig, [{ id: 'b', needs: ['a'], epic: 'e' }, { id: 'c' }], [epic]))
    assert.deepEqual(answer, { ok: true, value: undefined })
    const c = await rig.stage.next('c')
    assert.deepEqual(run.statuses(), { a: 'running', b: 'pending', c: 'running' })
    const workspace = await workspaceAt(rig.top)
    const view = await readRun(workspace)
    assert.deepEqual(view.ok && view.value?.tasks.map(({ id }) => id), ['a', 'b', 'c'])
    const plan = await readPlanOf(workspace, { run: run.id })
    assert.deepEqual(plan.ok && plan.value?.epics, [epic])
    assert.deepEqual([run.run.plan.tasks.length, run.run.plan.epics], [3, [epic]])
    await a.deliver('a.txt')
    const b = await rig.stage.next('b')
    assert.equal(await b.sh('cat a.txt'), 'a', 'on top of what it needs')
    await b.deliver('b.txt')
    await c.exit()
    const { outcome } = await run.finish()
    assert.deepEqual(run.statuses(), { a: 'landed', b: 'landed', c: 'passed' })
    assert.equal(outcome.totalTasks, 3)
  })

  test('what cannot be added is refused with the reason, and nothing of it is in the journal', async () => {
    await using rig = await Rig.open()
    const run = await rig.start([{ id: 'a' }])
    const a = await rig.stage.next('a')
    const problemsOf = async (tasks: TaskDraft[]) => {
      const answer = await run.run.add(added(rig, tasks))
      return answer.ok ? '' : answer.problems.map(({ message }) => message).join()
    }
    assert.match(await problemsOf([{ id: 'b', needs: ['x'] }]), /b waits for x, which the run does not have/)
    assert.match(await problemsOf([{ id: 'a' }]), /has a task a already/)
    const work = { kind: 'prompt' as const, prompt: 'x', agent: 'nobody', model: null }
    assert.match(await problemsOf([{ id: 'b', work }]), /nobody/, 'an agent that the settings do not have')
    // Both were asked for at once: the second finds the first.
    const twice = await Promise.all([problemsOf([{ id: 'b', run: 'true' }]), problemsOf([{ id: 'b', run: 'true' }])])
    assert.deepEqual(twice, ['', 'the run has a task b already'])
    await a.exit()
    await run.finish()
    assert.deepEqual(run.statuses(), { a: 'passed', b: 'passed' })
    assert.equal(run.all('tasks.added').length, 1)
    assert.match(await problemsOf([{ id: 'late' }]), /is over/)
  })

  test('an engine that takes over knows them, with what had begun and what had not', async () => {
    await using rig = await Rig.open()
    const run = await rig.start([{ id: 'a' }])
    const a = await rig.stage.next('a')
    await run.run.add(added(rig, [{ id: 'b' }, { id: 'c', needs: ['a', 'b'] }]))
    const b = await rig.stage.next('b')
    run.run.abandon()
    await run.finish()
    const before = run.statuses()
    const again = await rig.resume()
    assert.deepEqual(again.statuses(), before)
    await a.deliver('a.txt')
    await b.deliver('b.txt')
    await (await rig.stage.next('c')).deliver('c.txt')
    const { outcome } = await again.finish()
    assert.deepEqual(again.statuses(), { a: 'landed', b: 'landed', c: 'landed' })
    assert.equal(again.all('attempt.started').length, 3, 'nothing was done twice')
    assert.equal(outcome.status, 'completed')
  })
})
