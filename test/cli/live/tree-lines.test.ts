// The lines of a search in the live view, grown from its outcomes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { treeLines } from '../../../src/cli/live/tree-lines.ts'
import type { Outcome } from '../../../src/workloads/search/promote.ts'
import { Tree } from '../../../src/workloads/search/tree.ts'
import { hashOf, makeSearch } from '../../rig/virtual-search.ts'

test('the best so far is what was measured, before it is promoted, and no noise', () => {
  const tree = new Tree(makeSearch({ beam: 1, depth: 1, eager: false }, 4))
  const outcomes = new Map<string, Outcome>()
  const known = {
    outcome: (id: string): Outcome => outcomes.get(id) ?? { state: 'open' },
    proposed: () => null,
  }
  const scored = (id: string, score: number, spread = 0) => {
    outcomes.set(id, { state: 'scored', score, spread, tree: hashOf(id) })
    tree.advance(known)
    return treeLines(tree)
  }
  const [best] = scored('root', 10).slice(-1)
  assert.match(best ?? '', /^best so far: \w+ 10$/)
  const [first, , third] = tree.search.ideas.map(({ path }) => path.split('/').at(-1))
  assert.deepEqual(scored('root-1', 12).slice(-2), [
    'depth 1 of 1: 1/4 evals done',
    `best so far: ${tree.search.score.rankedBy} 12 with ${first}; the root has 10`,
  ])
  assert.match(scored('root-2', 13, 5).at(-1) ?? '', / 12 with /, 'a gain within the noise is none')
  assert.match(scored('root-3', 20).at(-1) ?? '', new RegExp(` 20 with ${third};`))
})
