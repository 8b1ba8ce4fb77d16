import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionOption } from '@agentclientprotocol/sdk'
import { optionFor, outsideOf } from '../../../src/agents/acp/tools.ts'

const CASES: [kind: string, paths: string[], mayWrite: string[] | null, outside: string[]][] = [
  ['edit', ['/w/src/a.ts'], ['src/**'], []],
  ['edit', ['src/a.ts'], ['src'], []],
  ['edit', ['/w/docs/a.md', '/w/src/a.ts'], ['src'], ['docs/a.md']],
  ['delete', ['docs/a.md'], ['src'], ['docs/a.md']],
  ['move', ['/w/src/a.ts', '/w/b.ts'], ['src'], ['b.ts']],
  ['other', ['/w/b.ts'], ['src'], ['b.ts']],
  // Out of the worktree, however that is written.
  ['edit', ['/etc/passwd'], ['**'], ['/etc/passwd']],
  ['edit', ['../w2/src/a.ts'], ['**'], ['../w2/src/a.ts']],
  ['edit', ['/w/src/../../x'], ['src'], ['/w/src/../../x']],
  ['edit', ['..a/b'], ['**'], []],
  // A task with nothing but read claims writes nothing.
  ['edit', ['/w/src/a.ts'], [], ['src/a.ts']],
  // It says too little, or writes nothing.
  ['edit', [], ['src'], []],
  ['other', ['/w'], ['src'], []],
  ['read', ['/etc/passwd'], ['src'], []],
  ['execute', ['/w/docs'], ['src'], []],
  // Nobody insists.
  ['edit', ['/etc/passwd'], null, []],
]

for (const [kind, paths, mayWrite, outside] of CASES) {
  test(`${kind} ${paths.join(' ')} with ${JSON.stringify(mayWrite)}`, () => {
    assert.deepEqual(outsideOf({ kind, paths }, mayWrite, '/w'), outside)
  })
}

test('it answers for once where it can, and never the opposite of what was decided', () => {
  const all: PermissionOption[] = (['allow_always', 'reject_always', 'reject_once', 'allow_once'] as const).map(
    (kind) => ({ optionId: kind, name: kind, kind }),
  )
  assert.equal(optionFor(all, 'allowed'), 'allow_once')
  assert.equal(optionFor(all, 'denied'), 'reject_once')
  assert.equal(optionFor(all.slice(0, 2), 'allowed'), 'allow_always')
  assert.equal(optionFor(all.slice(0, 2), 'denied'), 'reject_always')
  assert.equal(optionFor(all.slice(0, 1), 'denied'), null)
  assert.equal(optionFor(all.slice(1, 3), 'allowed'), null)
})
