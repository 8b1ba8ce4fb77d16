// Somebody puts a task to rest in the plan file before the run has begun it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PlanFileWatch } from '../../../src/engine/plan-file/notice-settled-by-others.ts'
import { openRun, readPlan } from '../../../src/index.ts'
import { planOrigin } from '../../../src/internal.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository, temporaryFolder } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

function planText(...statuses: string[]): string {
  const subtasks = statuses.map((status, i) => ({ id: `T ${i + 1}`, description: `Do ${i + 1}`, status }))
  return JSON.stringify({ feature: 'plan', phases: [{ phase: 1, parallel_safe: false, subtasks }] })
}

const SETTINGS = makeSettings({ command: 'true' })

function read(file: string) {
  const text = readFileSync(file, 'utf8')
  const plan = readPlan(text, file, SETTINGS)
  assert.ok(plan.ok, JSON.stringify(plan))
  const origin = planOrigin(plan.value.source, [{ file, text }], null)
  assert.ok(origin)
  return { plan: plan.value.plan, origin }
}

function message(file: string, number: number, status: string): string {
  return `\`T ${number}\` is \`${status}\` in ${file} by now, but the run does it all the same: \`espalier cancel t-${number}\` keeps it from starting; what needs it is blocked then`
}

test('it is told once, whatever else happens to the file, and only of what has not begun', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, planText('pending', 'pending', 'pending'))
  const watch = PlanFileWatch.of(read(file).origin, (task) => task !== 't-1')
  assert.ok(watch)
  const told: string[] = []
  watch.tell = (line) => told.push(line)
  watch.everyMs = 1
  watch.start()
  try {
    writeFileSync(file, planText('completed', 'completed', 'pending'))
    await until('the first', () => told.length === 1)
    writeFileSync(file, '{')
    rmSync(file)
    writeFileSync(file, planText('completed', 'completed', 'blocked', 'pending'))
    await until('the second', () => told.length === 2)
    assert.deepEqual(told, [message(file, 2, 'completed'), message(file, 3, 'blocked')])
  } finally {
    await watch.stop()
  }
})

test('a pipe in the place of the file is not read: nobody may ever write into it', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  writeFileSync(file, planText('pending'))
  let looks = 0
  const watch = PlanFileWatch.of(read(file).origin, () => ++looks > 0)
  assert.ok(watch)
  rmSync(file)
  execFileSync('mkfifo', [file])
  watch.everyMs = 1
  watch.start()
  try {
    await until('the third look', () => looks >= 3, 10_000)
  } finally {
    // Somebody who comes and goes: whoever waits for them goes on.
    closeSync(openSync(file, constants.O_RDWR | constants.O_NONBLOCK))
    await watch.stop()
  }
})

test('a run says so while the task can still be cancelled', async () => {
  await using repository = await makeRepository()
  const file = join(repository.top, 'plan.json')
  writeFileSync(file, planText('pending', 'pending'))
  const go = repository.at('go')
  const agent = `until [ -e '${go}' ] || [ ! -d '${repository.top}' ]; do sleep 0.02; done; cat >/dev/null; echo x > x.txt`
  const { plan, origin } = read(file)
  const settings = makeSettings({ command: agent })
  const opened = await openRun(await workspaceAt(repository.top), { plan, settings, origin })
  assert.ok(opened.ok, JSON.stringify(opened))
  await using run = opened.value
  const told: string[] = []
  const listening = (async () => {
    for await (const event of run.events()) {
      if (event.type === 'attempt.started') writeFileSync(file, planText('in_progress', 'completed'))
      if (event.type === 'plan-file.unwritten') told.push(event.message)
    }
  })()
  const executing = run.execute()
  try {
    await until('the line', () => told.length > 0)
    run.cancel('t-2')
  } finally {
    writeFileSync(go, '')
  }
  const { counts } = await executing
  await listening
  assert.deepEqual(told, [message(file, 2, 'completed')])
  assert.deepEqual([counts.landed, counts.cancelled], [1, 1])
})
