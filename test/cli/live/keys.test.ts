// What keys do in a live view: a table of presses and what comes of them.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { NOT_BROWSING, pressed, readKeys } from '../../../src/cli/live/keys.ts'

type Pressed = ReturnType<typeof pressed>

const TASKS = ['a', 'b', 'c']
const [UP, DOWN, ENTER, ESCAPE] = ['\x1b[A', '\x1b[B', '\r', '\x1b']

function type(...keys: string[]): { browsing: Pressed['browsing']; actions: Pressed['action'][] } {
  let browsing = NOT_BROWSING
  const actions: Pressed['action'][] = []
  for (const key of keys) {
    const next = pressed(browsing, key, TASKS)
    browsing = next.browsing
    if (next.action.kind !== 'none') actions.push(next.action)
  }
  return { browsing, actions }
}

test('the cursor moves over the tasks and stays among them', () => {
  assert.equal(type(DOWN).browsing.selected, 'a')
  assert.equal(type(UP).browsing.selected, 'c')
  assert.equal(type(DOWN, DOWN, DOWN, DOWN).browsing.selected, 'c')
  assert.equal(type('j', 'j', 'k').browsing.selected, 'a')
  assert.equal(type(DOWN, ESCAPE).browsing.selected, null)
  assert.equal(pressed({ ...NOT_BROWSING, selected: 'gone' }, DOWN, TASKS).browsing.selected, 'a')
})

test('enter opens the log of the selected task, or of the first', () => {
  assert.deepEqual(type(DOWN, DOWN, ENTER).actions, [{ kind: 'open', task: 'b' }])
  assert.deepEqual(type(ENTER).actions, [{ kind: 'open', task: 'a' }])
  assert.deepEqual(pressed(NOT_BROWSING, ENTER, []).action, { kind: 'none' })
})

test('a task is cancelled only after a yes', () => {
  assert.deepEqual(type('c', 'y').actions, [], 'none is selected')
  assert.deepEqual(type(DOWN, 'c').browsing.mode, 'confirm')
  assert.deepEqual(type(DOWN, 'c', 'y').actions, [{ kind: 'cancel', task: 'a' }])
  for (const key of ['n', ENTER, 'q']) assert.deepEqual(type(DOWN, 'c', key).actions, [])
  assert.deepEqual(pressed({ ...NOT_BROWSING, mode: 'confirm', selected: 'gone' }, 'y', TASKS).action, { kind: 'none' })
})

test('letters belong to the filter while it is typed', () => {
  const { browsing, actions } = type('/', 'c', 'q', 'x', '\x7f', ENTER)
  assert.deepEqual(browsing, { mode: 'list', selected: null, filter: 'cq' })
  assert.deepEqual(actions, [])
  assert.equal(type('/', 'c', ESCAPE).browsing.filter, '')
})

test('q quits, and Ctrl-C interrupts whatever is being asked', () => {
  assert.deepEqual(type('q').actions, [{ kind: 'quit' }])
  for (const keys of [['\x03'], ['/', 'x', '\x03'], [DOWN, 'c', '\x03']])
    assert.deepEqual(type(...keys).actions, [{ kind: 'interrupt' }])
})

test('one read may bring several keys, and one key several bytes', () => {
  const [input, keys] = [new PassThrough(), [] as string[]]
  using _ = readKeys(input, (key) => keys.push(key))
  input.emit('data', Buffer.from('j\x1b[Aü\x1b[5~q'))
  assert.deepEqual(keys, ['j', '\x1b[A', 'ü', '\x1b[5~', 'q'])
})
