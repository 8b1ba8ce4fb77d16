import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { attemptFolder, isCheckOf, stateFolder, stepName, stepsIn } from '../../src/workspace/state-folder.ts'
import { temporaryFolder } from '../rig/repository.ts'

test('the folders of an attempt in the order in which their commands ran', async () => {
  await using folder = await temporaryFolder()
  const ran = [
    'setup-1',
    'setup-10',
    'work',
    'verify-1',
    'verify-2',
    'verify-10',
    'work-2',
    'verify-2.1',
    'verify-2.10',
  ]
  const later = ['work-10', 'verify-10.1']
  const others = ['files', 'worktree', 'works', 'work-x', 'verify-1.2.3', 'prompt-2.md']
  for (const name of [...others, ...later, ...ran.toReversed()]) await mkdir(folder.at(name))
  await writeFile(folder.at('verify-3'), 'no folder')
  assert.deepEqual(await stepsIn(folder.path), [...ran, ...later])
})

test('the first iteration has the plain names', () => {
  const { iteration } = attemptFolder(stateFolder('/shop', '/s'), 'r', 't', 1)
  assert.deepEqual([iteration(1).work, iteration(2).work], ['/s/runs/r/t/1/work', '/s/runs/r/t/1/work-2'])
  assert.deepEqual([stepName('verify', 2), stepName('verify', 1, 2)], ['verify-2', 'verify-2.1'])
})

test('a check belongs to one iteration', () => {
  assert.ok(isCheckOf('verify-2', 'verify', 1))
  assert.ok(isCheckOf('verify-2.1', 'verify', 2))
  for (const name of ['verify-2', 'verify-3.2', 'work-2', 'setup-2']) assert.ok(!isCheckOf(name, 'verify', 2), name)
})
