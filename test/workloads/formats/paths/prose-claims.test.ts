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
    ['Add x per [the contract](contracts/users.yaml) in src/m.ts', ['src/m.ts'], ['contracts/users.yaml']],
    ['Add x in src/m.ts, per\n  `contracts/users.yaml`', ['src/m.ts'], ['contracts/users.yaml']],
    // Written after all, or perhaps.
    ['Add x in src/m.ts\n  - using docker-compose.yml', ['src/m.ts', 'docker-compose.yml'], []],
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
    ['Implement CSV import: src/import.ts', ['src/import.ts'], []],
    ['Pester mirror x.ps1', ['x.ps1'], []],
    ['Refresh on load Sidebar.tsx', ['Sidebar.tsx'], []],
    ['Add fuzzy match (src/match.ts)', ['src/match.ts'], []],
    ['Add lazy loading (`src/load.ts`) to src/m.ts', ['src/load.ts', 'src/m.ts'], []],
    ['Add a cross-reference: src/ref.ts', ['src/ref.ts'], []],
    ['Match src/types.ts to the new API', ['src/types.ts'], []],
    ['Load src/config.ts lazily in src/m.ts', ['src/config.ts', 'src/m.ts'], []],
    ['Add unit tests for src/parser.rs', ['src/parser.rs'], []],
    ['Add tests for src/a.ts and tests/a.test.ts', ['src/a.ts', 'tests/a.test.ts'], []],
    ['Configure ESLint using .eslintrc.json', ['.eslintrc.json'], []],
    [
      'Set up services using docker-compose.yml and document them in README.md',
      ['docker-compose.yml', 'README.md'],
      [],
    ],
    ['Add search for notes in src/notes.ts', ['src/notes.ts'], []],
    ['Scan for viruses in src/upload.ts', ['src/upload.ts'], []],
    ['Use the builder pattern in src/query.ts', ['src/query.ts'], []],
    ['Write it as an example in docs/a.md', ['docs/a.md'], []],
    ['Each endpoint is documented in docs/api.md', ['docs/api.md'], []],
    ['Fix imports from src/a.ts in src/m.ts', ['src/a.ts', 'src/m.ts'], []],
    ['Fix the crash (see src/m.ts:12)', ['src/m.ts'], []],
    ['Fix the tests for src/a.ts in tests/a.test.ts', ['src/a.ts', 'tests/a.test.ts'], []],
    ['Keep sessions in src/a.ts instead of src/b.ts', ['src/a.ts', 'src/b.ts'], []],
    // Only the first is spoken of.
    ['GET /users per contracts/users.yaml (src/api/users.ts)', ['src/api/users.ts'], ['contracts/users.yaml']],
    ['GET /users per contracts/users.yaml, src/api/users.ts', ['src/api/users.ts'], ['contracts/users.yaml']],
    ['Add it per a/b.yaml, src/a.ts and src/b.ts', ['src/a.ts', 'src/b.ts'], ['a/b.yaml']],
    ['Change src/m.ts (see docs/a.md) and src/b.ts', ['src/m.ts', 'src/b.ts'], ['docs/a.md']],
    // All of them are.
    [
      'GET /users per contracts/users.yaml and `contracts/errors.yaml`',
      [],
      ['contracts/users.yaml', 'contracts/errors.yaml'],
    ],
    ['Add a login, see docs/login.md', [], ['docs/login.md']],
    ['See the example in src/a.ts. Write src/m.ts', ['src/m.ts'], ['src/a.ts']],
    ['Write src/m.ts. Follow the pattern in src/a.ts', ['src/m.ts'], ['src/a.ts']],
    ['Tests for src/a.ts and src/b.ts in tests/m.test.ts', ['tests/m.test.ts'], ['src/a.ts', 'src/b.ts']],
    // To be left alone.
    ['Add x in src/m.ts; leave src/api.ts alone', ['src/m.ts'], []],
    ['Add x in src/m.ts; src/api.ts and `src/b.ts` stay unchanged', ['src/m.ts'], []],
    ['Add x in src/m.ts (`src/api.ts` must not be changed)', ['src/m.ts'], []],
    ['Keep src/db.py as is, edit src/m.ts', ['src/m.ts'], []],
    ['No changes to `src/secret.ts`', [], []],
    ['No changes are needed in src/secret.ts. Write src/m.ts', ['src/m.ts'], []],
    ['Leave a note in src/m.ts', ['src/m.ts'], []],
    ['Without touching src/db.py refactor src/m.ts', ['src/m.ts'], []],
    ['Change nothing but src/m.ts, and do not touch anything in src/db/', ['src/m.ts'], []],
    // Something of it, or something in it, is to stay.
    ['Keep src/a.ts exports unchanged while rewriting its internals', ['src/a.ts'], []],
    ['Rewrite the internals; do not change src/a.ts exports', ['src/a.ts'], []],
    ['Rewrite it; the API of src/a.ts stays unchanged', ['src/a.ts'], []],
    ['Move src/a.ts unchanged to src/b.ts', ['src/a.ts', 'src/b.ts'], []],
    ['Refactor without changing behaviour in src/pay.ts', ['src/pay.ts'], []],
    ['Fix the bug: do not overwrite user settings in src/settings.ts', ['src/settings.ts'], []],
    ['No breaking changes to src/api.ts', ['src/api.ts'], []],
    // One file.
    ['Create a Dockerfile for the frontend in frontend/Dockerfile', ['frontend/Dockerfile'], []],
    ['Create user.ts: src/models/user.ts, and src/other.ts', ['src/models/user.ts', 'src/other.ts'], []],
    ['Create a Dockerfile (web/Dockerfile)', ['web/Dockerfile'], []],
    ['Set .env.example (`HOST`, `PORT` and `USER`) in `web/.env.example`', ['web/.env.example'], []],
    // Two.
    ['Add scripts in package.json and web/package.json', ['package.json', 'web/package.json'], []],
    ['Write docs/README.md and README.md', ['docs/README.md', 'README.md'], []],
    ['Move README.md to docs/README.md', ['README.md', 'docs/README.md'], []],
    ['Write README.md as in docs/README.md', ['README.md'], ['docs/README.md']],
  ]
  for (const [text, write, read] of cases) test(text, () => assert.deepEqual(claimsInProse(text), { write, read }))

  test('long lines of nothing but such words are read soon', () => {
    for (const words of [
      'leave src/a.ts ',
      'see a/b.ts and ',
      'src/a.ts, ',
      'is not changed ',
      'use use ',
      'tests for a/b.ts ',
      'do not edit a/',
      ', ././',
      'without changing a.',
    ])
      assert.ok(claimsInProse(words.repeat(20_000)))
  })
})
