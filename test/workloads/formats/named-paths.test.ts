import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathsOfItem } from '../../../src/workloads/formats/listed-paths.ts'
import { pathsInProse } from '../../../src/workloads/formats/prose-paths.ts'

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
    ['authentication/authorization and/or I/O, CRUD list/create', []],
    ['Look at https://example.com/a/b.html and localhost:3000', []],
    ['Use Node.js, Next.js and rrule.js, version 1.2', []],
    ['Configure it in vite.config.js and `setup.py`', ['setup.py', 'vite.config.js']],
    ['POST /users/:id returns it', []],
    ['Import Card from `@workspace/ui`', []],
    ['as plan.md and spec.md say', []],
    ['call `total()`', []],
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
