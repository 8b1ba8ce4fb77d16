import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedLines, markedLines } from '../../dashboard/src/views/queue/side-lines.ts'

const shown = (lines: ReturnType<typeof changedLines>) => lines.map(({ text, look }) => `${look}${look && ' '}${text}`)

test('lines of a side that the file did not have before', () => {
  assert.deepEqual(shown(changedLines('a\nX\nb\nc\nY\nd\n', 'a\nb\nc\nd\n')), [
    ...['a', 'insert X', 'b', 'c', 'insert Y', 'd'],
  ])
  assert.deepEqual(shown(changedLines('b\na\n', 'a\nb\n')), ['insert b', 'a'])
  assert.deepEqual(shown(changedLines('new\n', null)), ['insert new'])
  assert.deepEqual(changedLines('', 'a\n'), [])
})

test('a side of very many other lines is shown without comparing each with each', () => {
  const lines = (word: string) => Array.from({ length: 5_000 }, (_, number) => `${word} ${number}`).join('\n')
  const changed = changedLines(`same\n${lines('new')}\nend`, `same\n${lines('old')}\nend`)
  assert.equal(changed.filter(({ look }) => look === 'insert').length, 5_000)
  assert.deepEqual([changed[0]?.look, changed.at(-1)?.look], ['', ''])
})

test('conflict markers of git, and a line of equal signs that is none', () => {
  assert.deepEqual(shown(markedLines('a\n<<<<<<< landed\n1\n=======\n2\n>>>>>>> task\n=======\n')), [
    ...['a', 'marker <<<<<<< landed', 'insert 1', 'marker =======', 'delete 2', 'marker >>>>>>> task', '======='],
  ])
})
