// A plan is taken over by a run whose branch does not have what the file calls done meanwhile.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

type Task = { id: number; title: string; status: string; dependencies: number[] }

const task = (id: number, dependencies: number[] = [], status = 'pending'): Task => {
  return { id, title: `Do ${id}`, status, dependencies }
}

test('what needs it is not started without it, until the file says that it does not need it', async () => {
  const tasks = [task(1, [], 'done'), task(2, [1]), task(3, [2]), task(4, [3])]
  await using repository = await makeRepository({ files: { 'tasks.json': JSON.stringify({ tasks }) } })
  const file = repository.at('repo', 'tasks.json')
  const edit = (change: (tasks: Task[]) => void) => {
    const now = JSON.parse(readFileSync(file, 'utf8')) as { tasks: Task[] }
    change(now.tasks)
    writeFileSync(file, JSON.stringify(now))
  }
  const bad = repository.at('bad')
  const agent = `cat >/dev/null; grep -qx "$ESPALIER_TASK" '${bad}' && exit 3; echo x >"$ESPALIER_TASK.txt"`
  const type = async (expected: number, ...args: string[]) => {
    const { status, out, err } = await espalierHere(repository.top, args)
    assert.equal(status, expected, out + err)
    return out + err
  }
  writeFileSync(bad, 'task-3\n3\n')
  const first = await type(1, 'run', 'tasks.json', '--retries', '0', '--command', agent)
  const [, run = ''] = /espalier\/(\S+?-1)\b/.exec(first) ?? []
  edit((all) => {
    for (const one of all) if (one.id === 3) one.status = 'done'
    all.push(task(5, [3]))
  })
  const before = repository.git('for-each-ref')
  const refused = await type(2, 'retry', '--replan')
  assert.match(refused, /`3` is done by the plan file, but not by run \S+: .* and `4` and 1 more need it\n/)
  assert.match(refused, new RegExp(`\`espalier land ${run}\`, then a new run of the plan file`))
  assert.doesNotMatch(refused, /plan changes applied/)
  assert.equal(repository.git('for-each-ref'), before)

  edit((all) => {
    for (const one of all) if (one.id > 3) one.dependencies = [2]
  })
  await type(0, 'retry', '--replan')
  const { tasks: after } = JSON.parse(readFileSync(file, 'utf8')) as { tasks: Task[] }
  assert.deepEqual(new Set(after.map(({ status }) => status)), new Set(['done']))
})
