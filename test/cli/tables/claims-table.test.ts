import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLines, heldClaimLines } from '../../../src/cli/tables/claims-table.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { ClaimsView, HeldClaim } from '../../../src/held-claims.ts'
import { blocksOf } from '../../docs/pages.ts'

const now = 1_000_000_000
const look = { now, width: Number.POSITIVE_INFINITY, palette: palette(false) }

function held(name: string, glob: string, more: Partial<HeldClaim> = {}): HeldClaim {
  const holder = { kind: 'task' as const, name }
  return { holder, glob, mode: 'write', since: now - 42_000, until: null, origin: 'plan', ...more }
}

const ana = { kind: 'person' as const, name: 'ana' }
const auth = held('', 'src/auth/**', { holder: ana, since: now - 310_000, until: now + 3_290_000, origin: 'person' })

const view: ClaimsView = {
  run: 'shop-1',
  held: [
    held('users', 'api/users.js'),
    held('users', 'db/**', { mode: 'read' }),
    held('users', 'lib/mail.ts', { origin: 'asked' }),
    auth,
  ],
  waiting: [
    { task: 'orders', glob: 'api/**', holder: { kind: 'task', name: 'users' } },
    { task: 'login', glob: 'src/auth/login.ts', holder: ana },
  ],
  waitingCount: 2,
  undeclared: ['notes'],
}

test('a row per claim, then what may change anything and what waits; as the page about it shows it', () => {
  const shown = blocksOf('docs/claims.md').find(({ info }) => info === 'text')?.text
  assert.equal(`${heldClaimLines(view, look).join('\n')}\n`, shown)
})

test('of many that wait the first are named', () => {
  const waiting = Array.from({ length: 200 }, (_, n) => ({ task: `t${n}`, glob: 'x', holder: ana }))
  const lines = heldClaimLines({ ...view, held: [], undeclared: [], waiting, waitingCount: 4_000 }, look)
  assert.deepEqual([lines.length, lines.at(-1)], [11, '  … and 3990 more wait'])
})

test('a check names who stands in the way and for how long, and what else is to be known', () => {
  const conflicts = [
    { ...auth, path: 'src/auth/a.ts' },
    { ...held('users', 'db/**', { mode: 'read' }), path: 'db/x' },
  ]
  const found = { has_conflicts: true, conflicts, warnings: ['notes is at work'], can_proceed: false }
  assert.deepEqual(checkLines(found, look), [
    '✗ src/auth/a.ts: ana (a person) holds src/auth/** for another 54m 50s',
    '✗ db/x: users relies on db/** until its work has landed',
    '! notes is at work',
  ])
  const free = { has_conflicts: false, conflicts: [], warnings: [], can_proceed: true }
  assert.deepEqual(checkLines(free, look), ['✓ free'])
})
