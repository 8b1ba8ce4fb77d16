import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unlandedProblems } from '../../../src/engine/history/unlanded-work.ts'
import { formatProblem } from '../../../src/problem.ts'

const WORK = { run: 'shop-1', branch: 'espalier/shop-1', isRemoved: false, next: null, tasks: ['1.1', '2'] }

function refused(...works: Parameters<typeof unlandedProblems>[0]): string[] {
  return unlandedProblems(works, { planFile: 'tasks.json', base: null }, 'error').map(formatProblem)
}

test('a refusal says which tasks, where their work is, and every way on', () => {
  assert.deepEqual(refused(WORK), [
    'tasks.json: `1.1` and `2` are done by the plan file, but their work is not in HEAD: it is on espalier/shop-1, which was not landed\n  `espalier land shop-1` brings it onto your branch\n  `--base espalier/shop-1` starts the new run from there\n  `--base HEAD` starts it without that work',
  ])
  const next = { kind: 'resume', command: 'espalier resume shop-1', what: 'continue where it stopped' } as const
  assert.match(refused({ ...WORK, next }).join(), /landed\n {2}`espalier resume shop-1` to continue where it stopped\n/)
  const [one = '', other = ''] = refused(WORK, { ...WORK, run: 'shop-2', branch: 'espalier/shop-2', tasks: ['3'] })
  assert.match(one, /`espalier land shop-1`/)
  assert.match(
    other,
    /^tasks.json: `3` is done by the plan file, but its work .*`espalier land shop-2`.*`--base HEAD`/s,
  )
  assert.doesNotMatch(one + other, /--base espalier/)
})

test('a run that was removed cannot be landed by Espalier any more', () => {
  const [problem = ''] = refused({ ...WORK, isRemoved: true })
  assert.match(
    problem,
    /landed\n {2}`git merge espalier\/shop-1` brings it onto your branch\n {2}`--base espalier\/shop-1`/,
  )
  assert.doesNotMatch(problem, /espalier land/)
})

test('a few tasks are named, and the others counted', () => {
  const named = (count: number) => {
    const tasks = Array.from({ length: count }, (_, i) => `t${i + 1}`)
    return /^tasks\.json: (.*?) (?:is|are) done/.exec(refused({ ...WORK, tasks }).join())?.[1]
  }
  assert.equal(named(1), '`t1`')
  assert.equal(named(5), '`t1`, `t2`, `t3`, `t4` and `t5`')
  assert.equal(named(6), '`t1`, `t2`, `t3`, `t4` and 2 more')
})

test('whoever has said where to start is only told', () => {
  assert.deepEqual(unlandedProblems([WORK], { planFile: null, base: 'v1' }).map(formatProblem), [
    'warning: `1.1` and `2` are done by the plan file, but their work is not in v1: it is on espalier/shop-1, which was not landed. `espalier land shop-1` brings it onto your branch',
  ])
  assert.deepEqual(unlandedProblems([], { planFile: null, base: null }), [])
})
