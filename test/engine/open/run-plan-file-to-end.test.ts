import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type RunEvent, readRun, runPlan } from '../../../src/index.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a plan file is run to its end in one call, and its events are told', async () => {
  await using repository = await makeRepository()
  const file = repository.at('tea.yaml')
  await writeFile(
    file,
    'tasks:\n  - { id: tea, run: echo green > tea.txt }\n  - { id: menu, needs: [tea], run: cp tea.txt menu.txt }\n',
  )
  const events: RunEvent[] = []
  const result = await runPlan(file, { repo: repository.top, onEvent: (event) => events.push(event) })
  assert.ok(result.ok, JSON.stringify(result))
  assert.equal(result.value.status, 'completed')
  assert.equal(repository.git('show', `${result.value.branch}:menu.txt`), 'green')
  assert.equal(events[0]?.type, 'run.started')
  assert.equal(events.at(-1)?.type, 'run.finished')
})

test('what is wrong with the file, or where there is none, is refused with its place', async () => {
  await using repository = await makeRepository()
  const file = repository.at('wrong.yaml')
  await writeFile(file, 'tasks:\n  - id: a\n')
  const wrong = await runPlan(file, { repo: repository.top })
  assert.deepEqual(wrong.ok ? null : [wrong.problems[0]?.file, wrong.problems[0]?.line], [file, 2])
  const none = await runPlan(repository.at('none.yaml'), { repo: repository.top })
  assert.match(JSON.stringify(none), /no such file/)
})

test('a plan may name the agents that the settings of the program add', async () => {
  await using repository = await makeRepository()
  const file = repository.at('goose.yaml')
  await writeFile(file, 'tasks: [{ id: a, prompt: x, agent: "acp:goose" }]\n')
  const settings = { agents: { acp: { goose: { program: '/nowhere/goose' } } } }
  const refused = await runPlan(file, { repo: repository.top, settings })
  assert.match(JSON.stringify(refused), /the agent acp:goose \(of a\) cannot be started/)
})

test('a signal interrupts it, and it can be resumed', async () => {
  await using repository = await makeRepository()
  const file = repository.at('long.yaml')
  await writeFile(file, 'tasks:\n  - { id: long, run: sleep 600 }\n')
  const stop = new AbortController()
  const onEvent = ({ type }: RunEvent) => type === 'attempt.started' && stop.abort()
  const result = await runPlan(file, { repo: repository.top, onEvent, signal: stop.signal })
  assert.ok(result.ok && result.value.interrupted, JSON.stringify(result))
  const view = await readRun(await workspaceAt(repository.top))
  assert.equal(view.ok && view.value?.resumable, true)
})
