import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { handleInterruption } from '../../../src/cli/terminal/interruption.ts'

function rig(agents: number, hangUp: 'leave' | 'interrupt' | 'ignore' = 'leave') {
  const signals = new EventEmitter()
  const happened: string[] = []
  const interruption = handleInterruption({
    run: { interrupt: () => happened.push('interrupt'), abandon: () => happened.push('abandon') },
    running: () => agents,
    note: (text) => happened.push(text),
    leave: (signal) => happened.push(`leave by ${signal}`),
    hangUp,
    signals,
  })
  return { signals, happened, interruption }
}

test('Ctrl-C once ends the agents and says what a second one does', () => {
  const { signals, happened } = rig(3)
  signals.emit('SIGINT')
  assert.deepEqual(happened, [
    'stopping: 3 agents asked to stop; press Ctrl-C again to leave without waiting',
    'interrupt',
  ])
})

test('Ctrl-C twice leaves at once', () => {
  const { signals, happened } = rig(1)
  signals.emit('SIGINT')
  signals.emit('SIGINT')
  assert.deepEqual(happened.slice(1), ['interrupt', 'abandon', 'leave by SIGINT'])
  assert.match(happened[0] ?? '', /1 agent asked to stop; press Ctrl-C again to leave without waiting/)
})

test('SIGTERM asks like Ctrl-C, and never abandons', () => {
  const { signals, happened } = rig(0)
  signals.emit('SIGTERM')
  signals.emit('SIGTERM')
  assert.deepEqual(happened, ['stopping; press Ctrl-C again to leave at once', 'interrupt'])
})

test('a closed terminal asks no agent to end that can be taken over later', () => {
  const { signals, happened } = rig(2)
  signals.emit('SIGHUP')
  assert.deepEqual(happened, ['abandon', 'leave by SIGHUP'])
  const lost = rig(2, 'interrupt')
  lost.signals.emit('SIGHUP')
  assert.equal(lost.happened.at(-1), 'interrupt')
  const none = rig(2, 'ignore')
  none.signals.emit('SIGHUP')
  assert.deepEqual(none.happened, [])
})

test('afterwards signals do what they always do', () => {
  const { signals, interruption } = rig(0)
  interruption[Symbol.dispose]()
  assert.deepEqual(signals.eventNames(), [])
})
