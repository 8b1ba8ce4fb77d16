// Typed in a folder that somebody has removed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeRepository } from '../../rig/repository.ts'

const BIN = fileURLToPath(new URL('../../../bin/espalier.js', import.meta.url))

function fromGoneFolder(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-gone-'))
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', BIN, ...args]
  // The folder goes when the shell is in it already.
  const script = 'rmdir "$PWD" && exec "$@"'
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, HOME: tmpdir() }
  return spawnSync('/bin/sh', ['-c', script, 'sh', ...argv], { cwd: folder, env, encoding: 'utf8' })
}

test('it says what to do, and works where the repository is named', async () => {
  await using repository = await makeRepository()
  for (const more of [[], ['--repo', '../shop']]) {
    const { status, stderr } = fromGoneFolder('status', ...more)
    const message = 'your current folder is gone: cd to the repository (or name it with --repo)\n'
    assert.deepEqual([status, stderr], [2, message])
  }
  const plan = repository.at('plan.yaml')
  await repository.write('../plan.yaml', 'name: shop\ntasks:\n  - { id: a, run: echo a > a.txt }\n')
  const run = fromGoneFolder('run', plan, '--repo', repository.top)
  assert.equal(run.status, 0, run.stdout + run.stderr)
  assert.match(fromGoneFolder('status', '--repo', repository.top).stdout, /shop-1 {2}completed/)
})
