// What each program is known to have done while it works, by what it printed when it was run against the scripted model.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { makeAgent } from '../../src/agents/agents-by-name.ts'
import type { KnownAgent } from '../../src/agents/list.ts'

/** Two calls, each in an answer of its own, and a last answer. Codex tells its answers not apart. */
const TURNS: Partial<Record<KnownAgent, number>> = { claude: 3, codex: 1, gemini: 3, opencode: 3 }

for (const [name, turns] of Object.entries(TURNS)) {
  const text = readFileSync(new URL(`./transcripts/${name}-success.jsonl`, import.meta.url), 'utf8')

  test(`${name}: turns and calls are counted, and its last message is whole`, () => {
    const reader = makeAgent(name, name).reader()
    for (const line of text.split('\n')) reader.line(line)
    const { activity } = reader
    assert.deepEqual([activity?.turns, activity?.toolCalls, activity?.repeats], [turns, 2, 1])
    assert.equal(reader.result({ code: 0, signal: null }).final, 'I wrote hello.txt.')
  })

  test(`${name}: the same call is known again`, () => {
    const reader = makeAgent(name, name).reader()
    const calls = text.split('\n').filter((line) => line.includes('cat hello.txt') && !line.includes('item.started'))
    const call = calls.find((line) => line.includes('tool_use') || line.includes('command_execution')) ?? assert.fail()
    for (let times = 1; times <= 3; times++) reader.line(call)
    assert.equal(reader.activity?.repeats, 3)
  })
}

test('codex: of a change to a file only the path is told, so two are never the same', () => {
  const reader = makeAgent('codex', 'codex').reader()
  const item = { type: 'file_change', changes: [{ path: 'a.txt', kind: 'update' }] }
  for (let times = 1; times <= 3; times++) reader.line(JSON.stringify({ type: 'item.completed', item }))
  assert.deepEqual([reader.activity?.toolCalls, reader.activity?.repeats], [3, 1])
})
