import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { programVersion } from '../../src/process/program.ts'
import { processIdentity } from '../../src/process/tree/identity.ts'
import { until } from '../rig/until.ts'

const home = mkdtempSync(join(tmpdir(), 'espalier-version-'))
after(() => rmSync(home, { recursive: true }))

function script(name: string, body: string): string {
  const path = join(home, name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  return path
}

const env = { PATH: process.env.PATH ?? '' }
/** So that a busy machine is no reason to fail. */
const LONG_MS = 60_000

test('the first line counts, and only that of --version', async () => {
  const path = script('good', 'test "$1" = --version && echo "agent 1.2.3 (build 7)"; echo more')
  assert.equal(await programVersion(path, env, LONG_MS), 'agent 1.2.3 (build 7)')
})

test('a program that fails, says nothing or is not there has no version', async () => {
  assert.equal(await programVersion(script('bad', 'echo 1.0; exit 3'), env, LONG_MS), null)
  assert.equal(await programVersion(script('mute', ''), env, LONG_MS), null)
  assert.equal(await programVersion(join(home, 'missing'), env, LONG_MS), null)
})

test('one that hangs is given up and ended, with what it started', async () => {
  const note = join(home, 'pid')
  assert.equal(await programVersion(script('slow', `sleep 600 & echo $! > ${note}; wait`), env, 1_000), null)
  // On a machine that is very busy it may have got no further than this.
  const pid = existsSync(note) ? Number(readFileSync(note, 'utf8')) : 0
  if (pid > 0) await until('its child is gone', () => processIdentity(pid) === null)
})

test('what floods is cut', async () => {
  const said = await programVersion(script('flood', 'head -c 5000000 /dev/zero | tr "\\\\0" x'), env, LONG_MS)
  assert.equal(said, 'x'.repeat(100))
})
