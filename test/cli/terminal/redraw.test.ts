import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Redraw } from '../../../src/cli/terminal/redraw.ts'
import { FakeTerminal } from '../fake-terminal.ts'

test('a block is drawn over itself, also when it shrinks', () => {
  const terminal = new FakeTerminal(40)
  using redraw = new Redraw(terminal.output)
  redraw.draw(['one', 'two longer', 'three'])
  redraw.draw(['ONE', 'two'])
  assert.deepEqual(terminal.screen, ['ONE', 'two'])
})

test('lines above stay, in their order', () => {
  const terminal = new FakeTerminal(40)
  using redraw = new Redraw(terminal.output)
  redraw.draw(['block'], ['first'])
  redraw.draw(['block'], ['second', 'third'])
  assert.deepEqual(terminal.screen, ['first', 'second', 'third', 'block'])
})

test('a line above that is longer than the terminal wraps and does no harm', () => {
  const terminal = new FakeTerminal(10)
  using redraw = new Redraw(terminal.output)
  redraw.draw(['block'], ['twelve chars'])
  redraw.draw(['BLOCK'])
  assert.deepEqual(terminal.screen, ['twelve cha', 'rs', 'BLOCK'])
})

test('one drawing is one write, so nothing flickers', () => {
  const terminal = new FakeTerminal(40)
  using redraw = new Redraw(terminal.output)
  redraw.draw(['a', 'b', 'c'], ['d'])
  assert.equal(terminal.writes, 1)
})

test('the cursor is hidden while it draws, and comes back with close', () => {
  const terminal = new FakeTerminal(40)
  const redraw = new Redraw(terminal.output)
  assert.equal(terminal.cursorVisible, true)
  redraw.draw(['a'])
  assert.equal(terminal.cursorVisible, false)
  redraw.close()
  assert.equal(terminal.cursorVisible, true)
})

test('nothing is drawn after close, and nothing is left listening', () => {
  const terminal = new FakeTerminal(40)
  const listening = process.listenerCount('exit')
  const redraw = new Redraw(terminal.output)
  redraw.draw(['a'])
  assert.equal(process.listenerCount('exit'), listening + 1)
  redraw.close()
  redraw.draw(['b'])
  assert.deepEqual(terminal.screen, ['a'])
  assert.equal(process.listenerCount('exit'), listening)
})
