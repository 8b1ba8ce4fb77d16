import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathsOfItem } from '../../../src/workloads/formats/paths/listed.ts'
import { pathsInProse } from '../../../src/workloads/formats/paths/prose-paths.ts'

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
    ['Update package.json and README.md.', ['package.json', 'README.md']],
    ['Everything below src/models', ['src/models']],
    ['see src/a.ts:12-20', ['src/a.ts']],
    ['(see src/a.ts:12). (in src/b.ts.)', ['src/a.ts', 'src/b.ts']],
    ['authentication/authorization and/or I/O, CRUD list/create', []],
    ['Look at https://example.com/a/b.html and localhost:3000', []],
    ['Use Node.js, Next.js and rrule.js, version 1.2', []],
    ['Configure it in vite.config.js and `setup.py`', ['setup.py', 'vite.config.js']],
    ['POST /users/:id returns it', []],
    ['Import Card from `@workspace/ui`', []],
    ['as plan.md and spec.md say', []],
    ['call `total()`', []],
    ['types from `../models/user.ts` and ../../a.ts, src/../b.ts', []],
    ['Lint all *.md and *.test.ts files, `*.md`, `**/*.ts`, .md and `.test.ts`', []],
    ['docs/*.md and `src/components/**/*.tsx`', ['src/components/**/*.tsx', 'docs/*.md']],
    ['client/server, backend/frontend, web/mobile, config/env, api/docs, test/build, docs/tests', []],
    ['ios/android/web parity', []],
    ['backend/src/api, server/auth/session and lib/utils', ['backend/src/api', 'server/auth/session', 'lib/utils']],
    ['Use github.com/foo/bar.go and node_modules/x/y.js', []],
    ['Do not touch src/db.py or `src/sql.py`. Create src/a.py', ['src/a.py']],
    ["Change src/a.ts, don't modify src/b.ts, create src/c.ts", ['src/a.ts', 'src/c.ts']],
    ['without changing `src/b.ts`; never edit src/d.ts\nsrc/c.ts', ['src/c.ts']],
    ['do not change anything but src/db.py', ['src/db.py']],
    ['do not change src/add.ts and lib/update/x.ts', []],
    [
      '`.env.example`, `.gitignore`, `.prettierrc`, `src/routes/$id.tsx`, `LICENSE`',
      ['.env.example', '.gitignore', '.prettierrc', 'src/routes/$id.tsx', 'LICENSE'],
    ],
    ['.env.example, .nvmrc and backend/.dockerignore', ['.env.example', '.nvmrc', 'backend/.dockerignore']],
    ['the LICENSE of it, `process.env` and `application/json`', []],
    ['see [the link](src/link.ts) and [that](https://example.com/a.md)', ['src/link.ts']],
    ['**src/bold.ts**, _src/slanted.ts_ and **Files: src/last.ts**', ['src/bold.ts', 'src/slanted.ts', 'src/last.ts']],
    ['Add `__init__.py` and _layout.tsx', ['__init__.py', '_layout.tsx']],
  ]
  for (const [text, paths] of cases) test(text, () => assert.deepEqual(pathsInProse(text), paths))
})

describe('paths of an item in a list of files', () => {
  const cases: [item: string, paths: string[]][] = [
    ['`src/api.ts` (helpers only; the rest comes in Task 4.1)', ['src/api.ts']],
    ['`a.ts`, `b/c.ts`', ['a.ts', 'b/c.ts']],
    ['a.txt, b/c.txt and d.txt', ['a.txt', 'b/c.txt', 'd.txt']],
    ['Makefile - add a target', ['Makefile']],
    ['/etc/passwd', ['/etc/passwd']],
    ['None', []],
    ['', []],
  ]
  for (const [item, paths] of cases) test(item || 'nothing', () => assert.deepEqual(pathsOfItem(item), paths))
})
