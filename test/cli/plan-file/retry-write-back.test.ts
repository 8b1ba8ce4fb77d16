// What failed or was blocked is tried again: the plan file follows, and no word of the run is taken for a person's.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere, said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

/** What is said where the run takes a status for somebody's. */
const SOMEBODYS = /stays as it is|by now/

type Task = { id: string | number; status: string; subtasks?: Task[] }

test('implementation_plan.json: again in vain, with --replan, and after the engine was killed in the middle of it', async () => {
  const subtasks = ['a', 'b', 'c'].map((id) => ({ id, description: `Do ${id}`, status: 'pending' }))
  const plan = { feature: 'plan', phases: [{ phase: 1, parallel_safe: false, subtasks }] }
  await using repository = await makeRepository({ files: { 'implementation_plan.json': JSON.stringify(plan) } })
  const [file, fixed, go] = [
    repository.at('repo', 'implementation_plan.json'),
    repository.at('fixed'),
    repository.at('go'),
  ]
  const statuses = () => {
    const { phases } = JSON.parse(readFileSync(file, 'utf8')) as { phases: { subtasks: Task[] }[] }
    return phases.flatMap((phase) => phase.subtasks.map(({ id, status }) => `${id} ${status}`)).join(', ')
  }
  const waits = `until [ -e '${go}' ] || [ ! -d '${repository.top}' ]; do sleep 0.02; done`
  const agent = `cat >/dev/null; [ $ESPALIER_TASK != b ] || { [ -e '${fixed}' ] || exit 3; ${waits}; }; echo x > $ESPALIER_TASK.txt`
  const type = async (...args: string[]) => {
    const { status, out, err } = await espalierHere(repository.top, args)
    assert.doesNotMatch(out + err, SOMEBODYS)
    return status
  }
  assert.equal(await type('run', file, '--retries', '0', '--command', agent), 1)
  assert.equal(statuses(), 'a completed, b failed, c blocked')
  assert.equal(await type('retry'), 1)
  assert.equal(statuses(), 'a completed, b failed, c blocked')

  writeFileSync(fixed, '')
  const retried = startEspalier(repository.top, ['retry', '--replan'])
  const ended = said(retried)
  try {
    await until('b at work', () => statuses() === 'a completed, b in_progress, c pending' || retried.exitCode !== null)
  } finally {
    retried.kill('SIGKILL')
  }
  const { out, err } = await ended
  assert.doesNotMatch(out + err, SOMEBODYS)
  writeFileSync(go, '')
  assert.equal(await type('resume'), 0)
  assert.equal(statuses(), 'a completed, b completed, c completed')
  assert.equal(await type('status'), 0)
})

test('Task Master: a task is done with its subtasks; what a person has set since the run ended stays', async () => {
  const task = (id: number, title: string, more: object) => ({
    id,
    title,
    status: 'pending',
    dependencies: [],
    ...more,
  })
  const subtasks = [task(1, 'Part one', {}), task(2, 'Part two', { dependencies: [1] })]
  const tasks = [
    task(1, 'Whole', { subtasks }),
    task(2, 'After it', { dependencies: [1] }),
    task(3, 'Theirs', { dependencies: [1] }),
  ]
  await using repository = await makeRepository({ files: { 'tasks.json': JSON.stringify({ tasks }) } })
  const [file, fixed] = [repository.at('repo', 'tasks.json'), repository.at('fixed')]
  const statuses = () => {
    const all = (JSON.parse(readFileSync(file, 'utf8')) as { tasks: Task[] }).tasks
    return all.flatMap(({ status, subtasks: parts = [] }) => [status, ...parts.map((part) => part.status)]).join(', ')
  }
  const agent = `cat >/dev/null; [ -e '${fixed}' ] || exit 3; echo x > $ESPALIER_TASK.txt`
  assert.equal((await espalierHere(repository.top, ['run', file, '--retries', '0', '--command', agent])).status, 1)
  assert.equal(statuses(), 'in-progress, pending, blocked, blocked, blocked')

  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/("title":"Theirs","status":)"blocked"/, '$1"review"'))
  writeFileSync(fixed, '')
  const { status, out, err } = await espalierHere(repository.top, ['retry'])
  assert.equal(status, 0, out + err)
  assert.equal(statuses(), 'done, done, done, done, review')
  const notices = (out + err).split('\n').filter((line) => SOMEBODYS.test(line) && !line.includes('`3` stays as it is'))
  assert.deepEqual(notices, [])
})
