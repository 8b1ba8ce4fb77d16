import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findProgram } from '../../src/process/program.ts'

const home = mkdtempSync(join(tmpdir(), 'espalier-find-'))
after(() => rmSync(home, { recursive: true }))

/** A file in a folder of its own. */
function file(folder: string, name: string, mode = 0o755): string {
  mkdirSync(join(home, folder), { recursive: true })
  const path = join(home, folder, name)
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, mode)
  return path
}

const PATH = ['one', 'two', 'three'].map((folder) => join(home, folder)).join(':')

test('a name is looked for along the PATH, and the first program counts', () => {
  file('one', 'other')
  const second = file('two', 'agent')
  file('three', 'agent')
  assert.equal(findProgram('agent', { PATH }), second)
  assert.equal(findProgram('missing', { PATH }), null)
})

test('what cannot be run is no program: a folder, a file without the right', () => {
  mkdirSync(join(home, 'one', 'tool'), { recursive: true })
  file('two', 'tool', 0o644)
  const third = file('three', 'tool')
  assert.equal(findProgram('tool', { PATH }), third)
})

test('a name with a slash is a path, whatever the PATH says', () => {
  const path = file('elsewhere', 'agent')
  assert.equal(findProgram(path, { PATH }), path)
  assert.equal(findProgram('./agent', { PATH: join(home, 'elsewhere') }), null)
})

test('without a PATH nothing is found', () => {
  assert.equal(findProgram('agent', {}), null)
})
