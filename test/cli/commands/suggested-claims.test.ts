import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestedClaims } from '../../../src/cli/plan/suggested-claims.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { sectionLines } from '../../../src/cli/terminal/section-lines.ts'

test('suggested claims can be copied into a plan', () => {
  const touched = { paths: ['src/api/a.ts', 'src/api/b.ts'], count: 2 }
  const offer = { task: 'api', run: 'shop-1', touched }
  const section = suggestedClaims([
    { ...offer, claims: { write: ['src/api/**'], read: [] } },
    { ...offer, task: 'web', claims: { write: ['app/\\[id]/x', '**/y'], read: ['docs'] } },
  ])
  assert.deepEqual(sectionLines([section], { width: Number.POSITIVE_INFINITY, palette: palette(false) }), [
    'Suggested claims, by the last run',
    '  api, which changed src/api/a.ts, src/api/b.ts in shop-1: claims: [src/api/**]',
    '  web, which changed src/api/a.ts, src/api/b.ts in shop-1: claims: {write: ["app/\\\\[id]/x", "**/y"], read: [docs]}',
  ])
})
