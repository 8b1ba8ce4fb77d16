import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claimsInProse } from '../../../../src/workloads/formats/paths/prose-claims.ts'

describe('what a sentence says is to be written, and what it only speaks of', () => {
  const cases: [text: string, write: string[], read: string[]][] = [
    ['Add x in src/m.ts — see docs/data-model.md for details', ['src/m.ts'], ['docs/data-model.md']],
    ['Add x in src/m.ts per `contracts/users.yaml`', ['src/m.ts'], ['contracts/users.yaml']],
    ['Add x in src/m.ts following the existing pattern in src/errors.ts', ['src/m.ts'], ['src/errors.ts']],
    [
      'Add x in src/m.ts following src/a.ts, src/b.ts and `src/c.ts`',
      ['src/m.ts'],
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
    ],
    ['Add x in src/m.ts (reference: src/ref.ts)', ['src/m.ts'], ['src/ref.ts']],
    ['As described in specs/001/plan.md, write src/m.ts', ['src/m.ts'], ['specs/001/plan.md']],
    ['Write src/m.ts, importing the types from src/types.ts', ['src/m.ts'], ['src/types.ts']],
    ['Write src/m.ts, which reads settings from config/app.yaml', ['src/m.ts'], ['config/app.yaml']],
    ['Use `next/dynamic` for lazy loading in src/m.ts', ['src/m.ts'], ['next/dynamic']],
    ['Copy templates/a.md to docs/a.md', ['docs/a.md'], ['templates/a.md']],
    ['Unit tests for src/m.ts in tests/m.test.ts', ['tests/m.test.ts'], ['src/m.ts']],
    ['Grep for the old name in src/ and confirm zero matches', [], ['src/']],
    // Written after all, or perhaps.
    ['Search for the old name in src/ and replace it', ['src/'], []],
    ['Use bcrypt in src/auth.ts, following TDD in tests/auth.test.ts', ['src/auth.ts', 'tests/auth.test.ts'], []],
    ['Remove unused imports from src/m.ts', ['src/m.ts'], []],
    ['Move x from src/old.ts to src/new.ts', ['src/old.ts', 'src/new.ts'], []],
    ['Export the types from src/index.ts', ['src/index.ts'], []],
    ['Create a pattern when one is specified in src/m.ts', ['src/m.ts'], []],
    ['Add the search page in src/m.ts', ['src/m.ts'], []],
    ['Refactor the pattern in src/m.ts', ['src/m.ts'], []],
    ['Unit tests for tests/helpers.ts', ['tests/helpers.ts'], []],
    ['Review src/m.ts', ['src/m.ts'], []],
    ['See below. In src/m.ts, add x', ['src/m.ts'], []],
    // To be left alone.
    ['Add x in src/m.ts; leave src/api.ts alone', ['src/m.ts'], []],
    ['Add x in src/m.ts; src/api.ts and `src/b.ts` stay unchanged', ['src/m.ts'], []],
    ['Add x in src/m.ts (`src/api.ts` must not be changed)', ['src/m.ts'], []],
    ['Keep src/db.py as is, edit src/m.ts', ['src/m.ts'], []],
    ['No changes to `src/secret.ts`', [], []],
    ['No changes are needed in src/secret.ts. Write src/m.ts', ['src/m.ts'], []],
    ['Leave a note in src/m.ts', ['src/m.ts'], []],
    // One file.
    ['Create a Dockerfile for the frontend in frontend/Dockerfile', ['frontend/Dockerfile'], []],
    ['Create user.ts: src/models/user.ts, and src/other.ts', ['src/models/user.ts', 'src/other.ts'], []],
  ]
  for (const [text, write, read] of cases) test(text, () => assert.deepEqual(claimsInProse(text), { write, read }))

  test('long lines of nothing but such words are read soon', () => {
    for (const words of ['leave src/a.ts ', 'see a/b.ts and ', 'src/a.ts, ', 'is not changed ', 'use use '])
      assert.ok(claimsInProse(words.repeat(20_000)))
  })
})
