// Random plans against the plainest possible reading of the rules: every epic need written out, every shared epic one node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { assignWaves } from '../../../src/scheduler/dispatch/waves.ts'
import { planOverview } from '../../../src/workloads/analysis/overview.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

type WrittenTask = { id: string; run: string; epic?: string; needs: string[]; after: string[]; claims: string[] }
type WrittenEpic = { id: string; needs: string[]; isolation: 'task' | 'epic' }
type WrittenPlan = { epics: WrittenEpic[]; tasks: WrittenTask[] }

const EPICS = ['e0', 'e1', 'e2']

/** Mostly forward edges, so that about half of the plans are sound. */
const plans = fc
  .record({
    epics: fc.tuple(
      ...EPICS.map((id) =>
        fc.record({
          id: fc.constant(id),
          needs: fc.subarray(EPICS.slice(0, EPICS.indexOf(id))),
          isolation: fc.constantFrom<WrittenEpic['isolation']>('task', 'epic'),
        }),
      ),
    ),
    tasks: fc.array(
      fc.record({
        epic: fc.option(fc.constantFrom(...EPICS)),
        needs: fc.array(fc.nat(20), { maxLength: 2 }),
        after: fc.array(fc.nat(20), { maxLength: 1 }),
        backwards: fc.integer({ min: 0, max: 30 }),
        claims: fc.subarray(['src/a', 'src/**', 'docs/*.md'], { maxLength: 1 }),
      }),
      { minLength: 1, maxLength: 9 },
    ),
  })
  .map(({ epics, tasks }): WrittenPlan => {
    const written = tasks.map(({ epic, needs, after, backwards, claims }, i): WrittenTask => {
      const reach = backwards === 0 ? tasks.length : i
      const names = (list: number[]): string[] => [...new Set(reach === 0 ? [] : list.map((n) => `t${n % reach}`))]
      const own = (name: string): boolean => name !== `t${i}`
      const fields = { id: `t${i}`, run: 'x', needs: names(needs).filter(own), after: names(after).filter(own), claims }
      return epic === null ? fields : { ...fields, epic }
    })
    return { epics, tasks: written }
  })

/** What every task waits for, with the needs of epics written out in full. */
function writtenOut({ epics, tasks }: WrittenPlan, withAfter: boolean): Map<string, string[]> {
  const tasksOf = (epic: string): string[] => tasks.filter((task) => task.epic === epic).map(({ id }) => id)
  return new Map(
    tasks.map((task) => {
      const epic = epics.find(({ id }) => id === task.epic)
      return [task.id, [...task.needs, ...(withAfter ? task.after : []), ...(epic?.needs ?? []).flatMap(tasksOf)]]
    }),
  )
}

function everythingBefore(edges: Map<string, string[]>, id: string): Set<string> {
  const found = new Set<string>()
  const open = [...(edges.get(id) ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...(edges.get(next) ?? []))
  }
  return found
}

function isSound(plan: WrittenPlan, withAfter = true): boolean {
  const edges = writtenOut(plan, withAfter)
  const unitOf = (id: string): string => {
    const task = plan.tasks.find((candidate) => candidate.id === id)
    const epic = plan.epics.find((candidate) => candidate.id === task?.epic)
    return epic?.isolation === 'epic' ? epic.id : id
  }
  const units = new Map<string, string[]>()
  for (const [id, before] of edges) {
    const unit = unitOf(id)
    const others = before.map(unitOf).filter((other) => other !== unit)
    units.set(unit, [...(units.get(unit) ?? []), ...others])
  }
  const inside = [...edges.keys()].every((id) => !everythingBefore(edges, id).has(id))
  return inside && [...units.keys()].every((unit) => !everythingBefore(units, unit).has(unit))
}

test('a plan is refused exactly when something would wait for itself', () => {
  let refused = 0
  let taken = 0
  fc.assert(
    fc.property(plans, (plan) => {
      const result = readPlan(JSON.stringify(plan), 'p.json', DEFAULT_SETTINGS)
      assert.equal(result.ok, isSound(plan, false), JSON.stringify(result))
      if (!result.ok) {
        refused++
        assert.ok(result.problems.some(({ message }) => /waits? for/.test(message)))
        return
      }
      taken++
      // The scheduler throws on a cycle among its units.
      assert.equal(assignWaves(result.value.plan).length, plan.tasks.length)
    }),
    { numRuns: 3_000 },
  )
  assert.ok(refused > 100 && taken > 100, `${refused} refused, ${taken} taken: one side was hardly tried`)
})

test('an `after` that is part of a circle is left out and named, and where there is none, none is', () => {
  let left = 0
  fc.assert(
    fc.property(
      plans.filter((plan) => isSound(plan, false)),
      (plan) => {
        const result = readPlan(JSON.stringify(plan), 'p.json', DEFAULT_SETTINGS)
        assert.ok(result.ok)
        const { plan: read, warnings } = result.value
        const kept = plan.tasks.map((task, i) => ({ ...task, after: read.tasks[i]?.after ?? [] }))
        assert.ok(isSound({ ...plan, tasks: kept }), JSON.stringify(read))
        if (isSound(plan)) assert.ok(warnings.every(({ message }) => !message.includes('in a circle')))
        for (const [i, { id, after }] of plan.tasks.entries()) {
          for (const name of after.filter((one) => !kept[i]?.after.includes(one))) {
            left++
            const said = `task \`${id}\` does not come after \`${name}\`, because they wait for each other in a circle`
            assert.ok(
              warnings.some(({ message }) => message.startsWith(said)),
              said,
            )
          }
        }
      },
    ),
    { numRuns: 2_000 },
  )
  assert.ok(left > 50, `only ${left} were left out`)
})

test('the needs of epics reach exactly the tasks they would reach written out', () => {
  fc.assert(
    fc.property(
      plans.filter((plan) => isSound(plan)),
      (plan) => {
        const result = readPlan(JSON.stringify(plan), 'p.json', DEFAULT_SETTINGS)
        assert.ok(result.ok)
        const full = writtenOut(plan, false)
        const short = new Map(result.value.plan.tasks.map((task) => [task.id, task.needs]))
        for (const { id } of plan.tasks) assert.deepEqual(everythingBefore(short, id), everythingBefore(full, id))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('JSON and YAML of the same plan are the same plan', () => {
  const texts = fc.string({ minLength: 1 }).filter((text) => /\S/.test(text) && !/\p{Cc}/u.test(text))
  fc.assert(
    fc.property(
      plans.filter((plan) => isSound(plan)),
      texts,
      texts,
      fc.boolean(),
      (plan, title, prompt, flow) => {
        const [first, ...rest] = plan.tasks
        const { run: _, ...fields } = first as WrittenTask
        const whole = { ...plan, tasks: [{ ...fields, title, prompt, estimate: '5m', env: { A: title } }, ...rest] }
        const json = readPlan(JSON.stringify(whole, null, 2), 'p.json', DEFAULT_SETTINGS)
        const text = stringify(whole, { collectionStyle: flow ? 'flow' : 'any' })
        const yaml = readPlan(text, 'p.yaml', DEFAULT_SETTINGS)
        assert.ok(json.ok && yaml.ok, JSON.stringify([json, yaml]))
        assert.deepEqual(yaml.value.plan, json.value.plan)
        assert.equal(yaml.value.warnings.length, json.value.warnings.length)
      },
    ),
    { numRuns: 500 },
  )
})

test('batches and waves respect what the plan says, and the bounds are bounds', () => {
  fc.assert(
    fc.property(
      plans.filter((plan) => isSound(plan)),
      fc.integer({ min: 1, max: 4 }),
      (written, slots) => {
        const result = readPlan(JSON.stringify(written), 'p.json', DEFAULT_SETTINGS)
        assert.ok(result.ok)
        const { plan } = result.value
        const overview = planOverview(plan, slots)
        const batchOf = new Map(
          overview.batches.flatMap(({ tasks, number }) => tasks.map((id) => [id, number] as const)),
        )
        assert.equal(batchOf.size, plan.tasks.length)
        assert.equal(overview.waves.flatMap(({ tasks }) => tasks).length, plan.tasks.length)
        for (const { id, needs, after } of plan.tasks) {
          const before = [...needs, ...after].map((name) => batchOf.get(name) ?? 0)
          assert.equal(batchOf.get(id), Math.max(0, ...before) + 1)
        }
        assert.equal(overview.criticalPath.tasks.length, overview.batches.length)
        assert.ok(overview.lowerBoundMs >= overview.criticalPath.ms)
        assert.ok(overview.lowerBoundMs >= overview.totalMs / slots && overview.lowerBoundMs <= overview.totalMs)
      },
    ),
    { numRuns: 500 },
  )
})
