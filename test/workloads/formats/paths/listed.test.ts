import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathsOfItem } from '../../../../src/workloads/formats/paths/listed.ts'

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
