// The tables of the page about agents say what the adapters do.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makeAgent } from '../../src/agents/agents-by-name.ts'
import { AGENTS, KNOWN_AGENTS } from '../../src/agents/list.ts'
import { SPARED_ATTEMPTS } from '../../src/failure.ts'
import { coded, pageText, tableOf } from './pages.ts'

const PAGE = 'docs/agents.md'
const agents = KNOWN_AGENTS.map((name) => ({ name, agent: makeAgent(name, name) }))

/** The second column of a table, by the agent in the first. */
function columnOf(heading: string): Record<string, string> {
  const rows = tableOf(PAGE, heading, 'agent')
  return Object.fromEntries(rows.map(([agent = '', value = '']) => [coded(agent)[0] ?? '', value]))
}

test('each agent is started as the page says', () => {
  const documented = columnOf('What each is started with')
  for (const { name, agent } of agents) {
    const assignment = { promptFile: 'PROMPT', model: 'MODEL', newSession: 'ID', resume: null, mayWrite: null }
    assert.deepEqual(coded(documented[name] ?? ''), [agent.invoke(assignment).argv.join(' ')])
  }
})

test('the files that make an agent are where the page says', () => {
  const paths = pageText(PAGE).match(/src\/agents\/[\w/-]+\.ts/g) ?? []
  assert.ok(paths.length >= 6)
  for (const path of paths)
    for (const name of path.includes('NAME') ? Object.keys(AGENTS) : [''])
      assert.ok(existsSync(new URL(`../../${path.replace('NAME', name)}`, import.meta.url)), path)
})

test('each gets the variables that the page says', () => {
  const documented = columnOf('Their environment')
  for (const { name, agent } of agents) assert.deepEqual(coded(documented[name] ?? ''), agent.variables)
})

test('what counters count from, and who tells the cost, is as the page says', () => {
  const rows = tableOf(PAGE, 'Cost', 'agent')
  for (const { name, agent } of agents) {
    const row = rows.find(([cell = '']) => coded(cell)[0] === name)
    const reader = agent.reader()
    const printed = readFileSync(new URL(`../agents/transcripts/${name}-success.jsonl`, import.meta.url), 'utf8')
    for (const line of printed.split('\n')) reader.line(line)
    const { countsConversation = false } = reader.result({ code: 0, signal: null })
    assert.equal(row?.[1] === 'the conversation', countsConversation, name)
    assert.equal(row?.[2], agent.cost === 'by-tokens' ? 'by list price' : 'reported', name)
  }
})

test('how often what a provider does is free is as the page says', () => {
  const rows = tableOf(PAGE, 'Rate limits', 'reason')
  const documented = Object.fromEntries(rows.map(([reason = '', , , free]) => [coded(reason)[0], Number(free)]))
  const others = new Set(['supervisor-lost', 'resume-failed', 'engine-failed', 'worker-lost'])
  const spared = Object.fromEntries(Object.entries(SPARED_ATTEMPTS).filter(([reason]) => !others.has(reason)))
  assert.deepEqual(documented, spared)
})
