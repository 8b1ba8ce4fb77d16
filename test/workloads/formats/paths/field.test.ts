import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathsInField } from '../../../../src/workloads/formats/claims-from-paths.ts'

describe('paths in a field for paths', () => {
  const cases: [text: string, paths: string[]][] = [
    ['src/a.ts', ['src/a.ts']],
    ['Makefile', ['Makefile']],
    ['src/**', ['src/**']],
    ['src/{a,b}.ts', ['src/{a,b}.ts']],
    ['app/(shop)/[id]/page.tsx', ['app/(shop)/[id]/page.tsx']],
    // Remarks.
    ['src/e.ts - add route', ['src/e.ts']],
    ['src/e.ts: add route', ['src/e.ts']],
    ['src/e.ts:12-20 (new)', ['src/e.ts:12-20']],
    ['`src/e.ts` (new)', ['src/e.ts']],
    ['src/auth - rename to login.ts', ['src/auth']],
    ['Makefile (new target)', ['Makefile']],
    ['src/** (all of it)', ['src/**']],
    // Lists.
    ['src/a.ts (new), src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['src/l.ts,src/m.ts', ['src/l.ts', 'src/m.ts']],
    ['src/a.ts and src/b.ts', ['src/a.ts', 'src/b.ts']],
    ['src/a.ts\nsrc/b.ts', ['src/a.ts', 'src/b.ts']],
    ['src/a.ts,\nsrc/b.ts,', ['src/a.ts', 'src/b.ts']],
    ['src/a.ts and more', ['src/a.ts']],
    // Of a list in Markdown.
    ['`src/api.ts` (helpers only; the rest comes in Task 4.1)', ['src/api.ts']],
    ['`a.ts`, `b/c.ts`', ['a.ts', 'b/c.ts']],
    ['a.txt, b/c.txt and d.txt', ['a.txt', 'b/c.txt', 'd.txt']],
    ['Makefile - add a target', ['Makefile']],
    ['src/n.ts:12, 40-45', ['src/n.ts:12']],
    ['/etc/passwd', ['/etc/passwd']],
    // What is left of a remark with commas in it.
    ['src/a.ts (the page (no forms, charts), reports)', ['src/a.ts']],
    ['reports)', []],
    ['(no', []],
    ['lib/a.dart,', ['lib/a.dart']],
    // Names with blanks and brackets.
    ['app/[id]/my page.tsx', ['app/[id]/my page.tsx']],
    ['app/(my shop)/page.tsx', ['app/(my shop)/page.tsx']],
    ['src/foo (copy).ts', ['src/foo (copy).ts']],
    ['src/foo (copy).ts - new', ['src/foo (copy).ts']],
    ['`docs/My Plan.md`', ['docs/My Plan.md']],
    ['my stuff/pictures', ['my stuff/pictures']],
    ['../my page.tsx', ['../my page.tsx']],
    // Sentences.
    ['Existing auth pattern in the codebase', []],
    ['Existing auth pattern in src/auth.ts', ['src/auth.ts']],
    ['All files in src/', ['src/']],
    ['N/A', []],
    ['None (see src/a.ts)', []],
    ['TBD - after the design', []],
    ['https://example.com/a.ts', []],
    ['', []],
  ]
  for (const [text, paths] of cases) test(text || 'nothing', () => assert.deepEqual(pathsInField(text), paths))

  test('a long text is answered soon', () => {
    for (const part of ['a (', ' - ', 'a, ', '( ', ' a.ts', ': ']) pathsInField(part.repeat(100_000))
    for (const part of ['a (', ' - ', 'a, ', '( ', ' a.ts', ': ']) pathsInField(part.repeat(600))
  })
})
