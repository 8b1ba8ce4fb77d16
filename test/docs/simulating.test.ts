// What docs/simulating.md shows is what the commands print.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentNames } from '../../src/agents/known-agents.ts'
import { simulationLines } from '../../src/cli/commands/plan-simulate.ts'
import { planShapeLines } from '../../src/cli/plan/show.ts'
import { palette } from '../../src/cli/terminal/palette.ts'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { estimatedPlan } from '../../src/engine/open/estimates.ts'
import { planOverview } from '../../src/workloads/analysis/overview.ts'
import { simulatePlan } from '../../src/workloads/analysis/simulate.ts'
import { readPlan } from '../../src/workloads/plan/read.ts'
import { blocksOf } from './pages.ts'

const WIDTH = 100
const blocks = blocksOf('docs/simulating.md')
const [yaml] = blocks.filter(({ info }) => info === 'yaml')
const [shown, simulated] = blocks.filter(({ info }) => info === 'text').map(({ text }) => text.trimEnd().split('\n'))
const read = readPlan(yaml?.text ?? '', 'plan.yaml', DEFAULT_SETTINGS, { agents: agentNames(DEFAULT_SETTINGS) })
assert.ok(read.ok, JSON.stringify(read))
const { plan } = read.value
const { maxConcurrency, maxPerEpic, budgetUsd } = DEFAULT_SETTINGS

test('the shape of the plan', () => {
  const overview = planOverview(plan, maxConcurrency)
  const times = estimatedPlan(plan).time
  assert.deepEqual(planShapeLines({ plan, overview, times }, { width: WIDTH, palette: palette(false) }), shown)
})

test('its simulation', () => {
  const simulation = simulatePlan(plan, { maxPerEpic, budgetUsd })
  const look = { width: WIDTH, palette: palette(false) }
  assert.deepEqual(simulationLines(plan.name, simulation, estimatedPlan(plan), look), simulated)
})
