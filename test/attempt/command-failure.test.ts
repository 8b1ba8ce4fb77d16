import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandFailure } from '../../src/attempt/worktree-commands.ts'
import type { Exit } from '../../src/process/supervise/exit.ts'
import { temporaryFolder } from '../rig/repository.ts'

const AROUND = { endedAt: 0, leftovers: 0, survivors: [], outputLost: false }

for (const [exit, reason] of [
  [{ kind: 'exited', code: 0, ...AROUND }, undefined],
  [{ kind: 'exited', code: 1, ...AROUND }, 'verify-failed'],
  [{ kind: 'signalled', signal: 'SIGSEGV', ...AROUND }, 'verify-failed'],
  [{ kind: 'lost', ...AROUND }, 'supervisor-lost'],
] as [Exit, string | undefined][]) {
  test(`a check whose command ${exit.kind} ${'code' in exit ? exit.code : ''}: ${reason ?? 'passed'}`, async () => {
    await using folder = await temporaryFolder()
    assert.equal((await commandFailure(folder.path, 'npm test', 'verify-failed', exit))?.reason, reason)
  })
}
