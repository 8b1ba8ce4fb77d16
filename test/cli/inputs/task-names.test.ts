// A task is found by what the plan file calls it, wherever one is named; and without a plan, in the newest run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const step = (id: number, more: object) => ({ id, title: `Step ${id}`, status: 'pending', dependencies: [], ...more })
const subtasks = [step(1, { description: 'one' }), step(2, { description: 'two', dependencies: [1] })]
const TASKS = { master: { tasks: [step(1, { description: 'all of it', subtasks })] } }

test('the names of the plan file are understood by every command that takes a task', async () => {
  await using repository = await makeRepository({ files: { 'tasks.json': JSON.stringify(TASKS) } })
  const said = (...args: string[]) => espalier(repository.top, args)
  const before = await said('prompt', '1.2', 'tasks.json')
  assert.equal(before.status, 0, before.err)
  assert.match(before.out, /two/)

  const run = await said('run', 'tasks.json', '--command', 'echo "it is $ESPALIER_TASK"; exit 1', '--retries', '0')
  assert.equal(run.status, 1, run.err)
  const [first] = (JSON.parse((await said('status', '--json')).out) as { tasks: { id: string }[] }).tasks
  assert.ok(first && first.id !== '1.1')
  assert.match((await said('logs', '1.1')).out, new RegExp(`it is ${first.id}\\n`))
  assert.match((await said('trace', '1.1')).out, new RegExp(first.id))
  assert.match((await said('sessions', '--task', '1.1')).out, new RegExp(first.id))
  assert.match((await said('cancel', '1.1')).err, /has finished \(failed\)/, 'it knows the task')
  assert.match((await said('resolve', '1.1')).err, new RegExp(`^${first.id} of run \\S+ is failed`))
  assert.match((await said('prompt', '1.1', '--attempt', '1')).out, /one/)

  const unnamed = await said('prompt', '1.2')
  assert.equal(unnamed.status, 0, unnamed.err)
  assert.match(unnamed.out, /two/)
  assert.match(unnamed.err, /^note: no plan is named, so this is \S+ of run \S+\n$/)

  const unknown = await said('logs', '7.7')
  assert.deepEqual([unknown.status, /has no task 7\.7; it has /.test(unknown.err)], [2, true])
  assert.match((await said('prompt', '7.7')).err, /name one of the plans there are/)
})
