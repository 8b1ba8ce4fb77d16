// Every YAML block of the documentation is a whole plan, suite, search or settings file, and is read as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentNames } from '../../src/agents/list.ts'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { formatProblem } from '../../src/problem.ts'
import { readPlan } from '../../src/workloads/plan/read.ts'
import { readSearch } from '../../src/workloads/search/read.ts'
import { readSettings } from '../../src/workloads/settings/read.ts'
import { readSuite } from '../../src/workloads/suite/read.ts'
import { type Block, blocksOf, pageNames } from './pages.ts'

const blocks = pageNames().flatMap((page) => blocksOf(page).filter(({ info }) => /^ya?ml\b/.test(info)))

/** Both errors and warnings. */
function problemsOf({ text }: Block): string[] {
  if (/^# \S*config\.yaml$/m.test(text)) {
    const read = readSettings(text, 'config.yaml')
    return read.ok ? [] : read.problems.map(formatProblem)
  }
  // Of Kubernetes.
  if (/^apiVersion:/m.test(text)) return []
  if (/^evaluate:/m.test(text)) {
    const read = readSearch(text, 'search.yaml', DEFAULT_SETTINGS)
    return (read.ok ? read.value.warnings : read.problems).map(formatProblem)
  }
  if (/^entries:/m.test(text)) {
    const read = readSuite(text, 'suite.yaml')
    return (read.ok ? read.value.warnings : read.problems).map(formatProblem)
  }
  const read = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS, { agents: [...agentNames(DEFAULT_SETTINGS), 'acp:goose'] })
  return (read.ok ? read.value.warnings : read.problems).map(formatProblem)
}

for (const block of blocks.filter(({ info }) => info !== 'yaml invalid')) {
  test(`the YAML in ${block.page}:${block.line} is sound`, () => {
    assert.deepEqual(problemsOf(block), [])
  })
}

for (const block of blocks.filter(({ info }) => info === 'yaml invalid')) {
  test(`the invalid plan in ${block.page}:${block.line} gives the messages that stand below it`, () => {
    const below = blocksOf(block.page).find(({ line }) => line > block.line)
    assert.equal(`${problemsOf(block).join('\n')}\n`, below?.text)
  })
}

test('there are plans, settings and an invalid plan among the blocks', () => {
  assert.ok(blocks.some(({ text }) => text.includes('config.yaml')))
  assert.ok(blocks.some(({ info }) => info === 'yaml invalid'))
  assert.ok(blocks.filter(({ text }) => /^tasks:/m.test(text)).length >= 5)
})
