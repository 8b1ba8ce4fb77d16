import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathsInProse } from '../../../../src/workloads/formats/claims-from-paths.ts'

describe('paths in a sentence', () => {
  const cases: [text: string, paths: string[]][] = [
    ['Create the User model in src/models/user.py.', ['src/models/user.py']],
    ['Documentation updates in docs/', ['docs/']],
    ['Card in `packages/ui/src/card.tsx` (sizes: none/sm/md/lg)', ['packages/ui/src/card.tsx']],
    [
      'Add `.github/workflows/lint.yml`, `src/actions/` and `tests/x`',
      ['.github/workflows/lint.yml', 'src/actions/', 'tests/x'],
    ],
    ['The page src/app/(shop)/[id]/page.tsx', ['src/app/(shop)/[id]/page.tsx']],
    ['Everything below src/models', ['src/models']],
    ['Both src/{a,b}.ts and `lib/{c,d}.ts`', ['src/{a,b}.ts', 'lib/{c,d}.ts']],
    ['see src/a.ts:12-20', ['src/a.ts']],
    ['(see src/a.ts:12). (in src/b.ts.) and ([src/c.ts])', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
    ['docs/*.md and `src/components/**/*.tsx`', ['docs/*.md', 'src/components/**/*.tsx']],
    ['backend/src/api and lib/text', ['backend/src/api', 'lib/text']],
    [
      'web/Dockerfile, backend/.dockerignore, `src/routes/$id.tsx`',
      ['web/Dockerfile', 'backend/.dockerignore', 'src/routes/$id.tsx'],
    ],
    ['see [the link](src/link.ts) and [that](https://example.com/a.md)', ['src/link.ts']],
    ['**src/bold.ts**, _src/slanted.ts_ and **Files: src/last.ts**', ['src/bold.ts', 'src/slanted.ts', 'src/last.ts']],
    // Whoever names it may write it: what is said about it is for the agent.
    ['Add x in src/m.ts following src/a.ts, do not touch src/b.ts', ['src/m.ts', 'src/a.ts', 'src/b.ts']],
    // A bare name may lie anywhere.
    ['Update package.json, `api.ts`, .gitignore, Dockerfile and README.md', []],
    ['Use Node.js, Next.js/React.js and rrule.js, version 1.2', []],
    // No paths.
    ['authentication/authorization and/or I/O, CRUD list/create, docs/tests', []],
    ['Look at https://example.com/a/b.html and localhost:3000/a.html', []],
    ['POST /users/:id returns `application/json`', []],
    ['Import Card from `@workspace/ui`, call `total()`', []],
    ['types from `../models/user.ts` and ../../a.ts, src/../b.ts', []],
    ['Lint all *.md and `**/*.ts`', []],
    ['Use github.com/foo/bar.go and node_modules/x/y.js', []],
    ['as specs/001-x/plan.md and contracts/users.yaml say', []],
  ]
  for (const [text, paths] of cases) test(text, () => assert.deepEqual(pathsInProse(text), paths))

  test('long lines are read soon', () => {
    for (const words of ['src/a.ts, ', ', ././', '{a/', '(a/b', '[[[', ')))', 'a/b:1', '](a/b.c', '**'])
      assert.ok(pathsInProse(words.repeat(20_000)))
  })
})
