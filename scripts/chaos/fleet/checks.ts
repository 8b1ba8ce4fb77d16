// What has to hold after a round, whatever was done in it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../../../src/event.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Plan } from '../../../src/task.ts'
import type { TaskView } from '../../../src/view.ts'
import { checkLandings, checkoutOf } from '../checks.ts'
import { processesOf } from '../processes.ts'
import type { Place } from './round.ts'

export type Checked = { attempts: number; lost: number; late: number; joined: number; workersLost: number }

type Round = Place & { tasks: number; url: string; before: string }

/** Of an attempt, in the words of agent.sh. */
const COST_USD = 0.01

export async function checkFleet({ folder, repo, witness, tasks, url, before }: Round): Promise<Checked> {
  for (let looks = 0; processesOf(folder).length > 0 && looks < 50; looks++) await wait(100)
  assert.deepEqual(processesOf(folder), [], 'no process is left')
  assert.ok(!existsSync(join(witness, 'beside')), 'no agent ran beside itself')
  assert.equal(checkoutOf(repo), before, 'the checkout is untouched')
  const opened = await openStore(url, 'read')
  assert.ok(opened.ok)
  await using store = opened.value
  const view = await store.view('fleet-1')
  assert.ok(view)
  assert.equal(view.status, 'completed')
  assert.equal(view.counts.landed, tasks, `all tasks land: ${JSON.stringify(view.counts)}`)
  const events = await store.events('fleet-1')
  const plan = (await store.run('fleet-1'))?.plan
  assert.ok(plan)
  checkJournal(events, plan)
  const views = [...(await store.tasks('fleet-1')).values()]
  checkMoney(views, view.usage.costUsd, paidIn(witness))
  checkLandings(repo, 'fleet-1', tasks)
  const count = (type: Event['type']) => events.filter((event) => event.type === type).length
  const history = views.flatMap((one) => one.history)
  return {
    attempts: history.length,
    lost: history.filter(({ failure }) => failure?.reason === 'worker-lost').length,
    late: count('attempt.late'),
    joined: count('worker.joined'),
    workersLost: count('worker.lost'),
  }
}

/** By the journal alone: I1 to I4, I6, and that nothing in it is missing or there twice. */
function checkJournal(events: readonly Event[], plan: Plan): void {
  const needs = new Map(plan.tasks.map((task) => [task.id, task.needs]))
  const live = new Map<string, number>()
  const places = new Map<string, string>()
  const slots = new Map<string, number>()
  const [landed, ended] = [new Set<string>(), new Set<string>()]
  for (const [index, event] of events.entries()) {
    assert.equal(event.seq, index + 1, 'the journal has no gap')
    switch (event.type) {
      case 'worker.joined':
        slots.set(event.worker, event.slots)
        break
      case 'attempt.started': {
        const { task, worker, slot } = event
        const place = `${worker} ${slot}`
        assert.ok(!live.has(task), `I2: ${task} has one live attempt`)
        assert.ok(!landed.has(task), `I1: ${task} had landed`)
        for (const need of needs.get(task) ?? []) assert.ok(landed.has(need), `I4: ${task} needs ${need}`)
        assert.ok(!places.has(place), `I6: ${place} has ${places.get(place)}, and ${task}`)
        assert.ok(slot <= (slots.get(worker) ?? 0), `I6: ${worker} has ${slots.get(worker)} slots`)
        live.set(task, event.attempt)
        places.set(place, task)
        break
      }
      case 'attempt.finished': {
        const key = `${event.task}/${event.attempt}`
        assert.equal(live.get(event.task), event.attempt, `I2: ${key} was the one alive`)
        assert.ok(!ended.has(key), `${key} ended once`)
        ended.add(key)
        live.delete(event.task)
        for (const [place, task] of places) if (task === event.task) places.delete(place)
        break
      }
      case 'landing.landed':
        for (const task of event.tasks) {
          assert.ok(!landed.has(task), `I3: ${task} landed once`)
          landed.add(task)
        }
        break
      default:
    }
  }
  assert.equal(live.size, 0, 'nothing is at work when the run is over')
}

/** An agent that was paid is counted once. Of one whose worker was lost, what it cost may not have been told. */
function checkMoney(views: readonly TaskView[], totalUsd: number, paid: ReadonlySet<string>): void {
  let sum = 0
  for (const { id, history } of views)
    for (const { attempt, usage, failure } of history) {
      const cost = usage?.costUsd ?? 0
      const isLost = failure?.reason === 'worker-lost'
      sum += cost
      const isOnce = Math.abs(cost - COST_USD) < 1e-9
      assert.ok(isOnce || cost === 0, `${id}/${attempt} counts $${cost}`)
      assert.ok(isOnce || isLost || !paid.has(`${id} ${attempt}`), `${id}/${attempt} was paid and is not counted`)
    }
  assert.ok(Math.abs(sum - totalUsd) < 1e-6, `the run cost $${totalUsd}, its attempts $${sum}`)
}

function paidIn(witness: string): Set<string> {
  const lines = readFileSync(join(witness, 'paid'), 'utf8').trim().split('\n')
  const paid = new Set(lines)
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index)
  assert.deepEqual(twice, [], 'the agent of an attempt is started once')
  return paid
}
