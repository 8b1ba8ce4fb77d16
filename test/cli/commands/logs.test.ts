// `espalier logs` of agents that print for a terminal what nobody should hear.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'

const ESCAPES = [
  '\\033]52;c;cm0gLXJmIH4=\\007', // the clipboard
  '\\033]0;a title\\033\\\\',
  '\\033[6n\\033[c', // questions that the terminal answers as if somebody had typed
  '\\033[2J\\033[H',
]

test('logs: nothing but words and line breaks; --raw: byte by byte', async () => {
  await using rig = await Rig.open()
  const hostile = `printf 'before${ESCAPES.join('')}\\033[31mred\\033[0m after\\n'`
  await rig.run([{ id: 'a', run: hostile }])
  const said = await espalierHere(rig.top, ['logs', 'a'])
  assert.equal(said.out, 'beforered after\n')
  const transcript = await espalierHere(rig.top, ['logs', 'a', '--transcript'])
  assert.ok(!transcript.out.includes('\x1b') && transcript.out.includes('beforered after'), transcript.out)
  const raw = await espalierHere(rig.top, ['logs', 'a', '--raw'])
  assert.ok(raw.out.includes('\x1b]52;c;cm0gLXJmIH4=\x07') && raw.out.includes('\x1b[31mred'), JSON.stringify(raw.out))
})

test('of all tasks, the headings between their commands say which these were', async () => {
  await using rig = await Rig.open()
  await rig.run([
    { id: 'a', run: 'echo a > a.txt; echo wrote it', verify: ['test -s a.txt'] },
    { id: 'b', run: 'true', verify: ['echo checked'] },
  ])
  const said = await espalierHere(rig.top, ['logs'])
  const lines = said.out.split('\n').map((line) => line.trimEnd())
  assert.deepEqual(lines, [
    'a │ wrote it',
    'a │ ── verify: test -s a.txt ──',
    'b │ ── verify: echo checked ──',
    'b │ checked',
    '',
  ])
})

test('logs where there is colour: colours stay, nothing else does', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: `printf 'x${ESCAPES.join('')}\\033[1;31mred\\033[0m after\\nno line break'` }])
  const said = await espalierHere(rig.top, ['logs', 'a'], { colour: true })
  assert.equal(said.out, 'x\x1b[1;31mred\x1b[0m after\nno line break\x1b[0m')
})
