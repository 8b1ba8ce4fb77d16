// What the processes of one attempt used together, whatever their counters count from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AgentRecord } from '../../../src/attempt/watch/agent-usage.ts'
import { NO_USAGE, type Usage } from '../../../src/usage.ts'

function told(inputTokens: number, costUsd: number): Usage {
  return { ...NO_USAGE, inputTokens, costUsd }
}

/** Three processes, the second and third in the conversation of the first. */
const RESUMED = [told(10, 1), told(14, 3), told(20, 4)].map((usage, i) => ({ usage, resumed: i > 0 }))

test('counted by process', () => {
  assert.deepEqual(sumOf(RESUMED), told(44, 8))
})

test('counted by conversation', () => {
  assert.deepEqual(sumOf(RESUMED.map(ofConversation)), told(20, 4))
})

test('a process that is counted by itself between two that count the conversation is counted once', () => {
  const [first, second, third] = RESUMED.map(ofConversation)
  const own = { usage: told(4, 2), resumed: true }
  assert.ok(first && second && third)
  assert.deepEqual(sumOf([first, own, third]), told(20, 4))
})

test('what is known to be of a process counts, whatever its counters say', () => {
  const [first, second] = RESUMED.map(ofConversation)
  assert.ok(first && second)
  assert.deepEqual(sumOf([first, { ...second, own: told(1, 1) }]), told(11, 2))
})

type Process = { usage: Usage | null; resumed: boolean; own?: Usage; countsConversation?: boolean }

function ofConversation(process: Process): Process {
  return { ...process, countsConversation: true }
}

function sumOf(processes: readonly Process[]): Usage | null {
  const record = new AgentRecord({ order: {} } as never)
  for (const [i, { usage, own = null, countsConversation = false }] of processes.entries()) {
    const session = { id: 's', model: null, turns: 1, messages: 1, toolCalls: 0 }
    const forgets = processes[i + 1]?.resumed === false
    const said = { usage, countsConversation, session, forgets, failure: null, limited: null, summary: null }
    record.add({ result: said, own }, {})
  }
  return record.usage()
}

test('a conversation that was begun anew is counted from its start', () => {
  const processes = [told(10, 1), told(4, 2)].map((usage) => ({ usage, resumed: false }))
  assert.deepEqual(sumOf(processes.map(ofConversation)), told(14, 3))
})

test('a counter that begins anew with a process is counted in full, and goes on from there', () => {
  const processes = [told(10, 1), told(4, 0.5), told(6, 2)].map((usage, i) => ({ usage, resumed: i > 0 }))
  assert.deepEqual(sumOf(processes.map(ofConversation)), told(16, 3))
})

test('a process that told nothing does not make the one after it count from the start', () => {
  const processes = [
    { usage: told(10, 1), resumed: false },
    { usage: null, resumed: true },
    { usage: told(14, 3), resumed: true },
  ]
  assert.deepEqual(sumOf(processes.map(ofConversation)), told(14, 3))
})

test('where nobody told anything, nothing is known', () => {
  assert.equal(sumOf([{ usage: null, resumed: false }]), null)
  assert.equal(sumOf([]), null)
})
