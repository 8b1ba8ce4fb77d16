// Statuses of a plan file after the run that wrote them was discarded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProject, planText } from './project.ts'

test('tasks of a discarded run are open again in their plan file, and a new run does them', async () => {
  await using project = await openProject(planText('a b c'))
  await project.run('c', 1, 'run plan.json')
  assert.equal(project.statuses(), 'a completed b completed c failed')
  await project.type(0, 'clean --discard plan-1 --dry-run', /^would reopen {2}`a`, `b` in .*plan\.json$/m)
  assert.equal(project.statuses(), 'a completed b completed c failed')
  await project.type(0, 'clean --discard plan-1', /^reopened {2}`a`, `b` in .*plan\.json$/m, /branch espalier\/plan-1 /)
  assert.equal(project.statuses(), 'a pending b pending c failed')
  await project.run('', 0, 'run plan.json', /3 tasks/)
})

test('a status of a person stays, and is named', async () => {
  await using project = await openProject(planText('a b', true))
  await project.run('', 0, 'run plan.json')
  project.edit('"completed"', '"skipped"')
  const said = await project.type(0, 'clean --discard plan-1', /the status of `a` stays as it is in .*skipped/)
  assert.match(said, /^reopened {2}`b` in/m)
  assert.equal(project.statuses(), 'a skipped b pending')
})

test('work that is in HEAD stays done', async () => {
  await using project = await openProject(planText('a'))
  await project.run('', 0, 'run plan.json')
  await project.type(0, 'land')
  assert.doesNotMatch(await project.type(0, 'clean --discard plan-1'), /reopened/)
  assert.equal(project.statuses(), 'a completed')
})

test('a run that cannot be discarded is refused', async () => {
  await using project = await openProject(planText('a'))
  await project.run('', 0, 'run plan.json')
  project.repository.git('switch', '-q', '-f', 'espalier/plan-1')
  await project.type(2, 'clean --discard plan-1', 'is checked out in')
})
