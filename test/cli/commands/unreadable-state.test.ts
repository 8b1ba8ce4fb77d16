// A state folder that may not be looked into is not one without runs. A file of its own: where root runs the tests, the
// process becomes another user for good, because root may look into everything.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const SOMEBODY = 65_534

test('a state folder that may not be read: every command says that, and what to do', async () => {
  await using repository = await makeRepository({
    files: { 'espalier.yaml': 'name: shop\ntasks: [{ id: a, run: echo a >a.txt }]\n' },
  })
  const commands = [['status'], ['report'], ['logs', 'a'], ['sessions'], ['resume'], ['land']]
  assert.equal((await espalierHere(repository.top, ['run'])).status, 0)
  // All that they need is loaded now: somebody else might not be allowed to read it.
  for (const command of commands) await espalierHere(repository.top, command)
  if (process.getuid?.() === 0) {
    execFileSync('chown', ['-R', `${SOMEBODY}:${SOMEBODY}`, repository.path])
    process.setgroups?.([])
    process.setgid?.(SOMEBODY)
    process.setuid?.(SOMEBODY)
  }
  const state = repository.at('repo.espalier')
  chmodSync(state, 0)
  try {
    for (const command of commands) {
      const { status, err } = await espalierHere(repository.top, command)
      assert.equal(status, 2, `${command}: ${err}`)
      const told =
        /the state folder .*repo\.espalier cannot be (read|written) .*(give your user the right to|make it writable)/
      assert.match(err, told, command[0])
      assert.doesNotMatch(err, /no runs here|unexpected/)
    }
  } finally {
    chmodSync(state, 0o700)
  }
})
