// The file of a search: what is filled in, and what is wrong with it, with its place.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { readSearch } from '../../../src/workloads/search/read.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { temporaryFolder } from '../../rig/repository.ts'

const SMALL = 'objective: x\nideas: i/*\nevaluate: [{ run: a }]\nscore: { run: s, goal: max }\n'

function problems(text: string): string[] {
  const read = readSearch(text, 's.yaml', DEFAULT_SETTINGS, { agents: ['command', 'claude'] })
  return read.ok ? [] : read.problems.map(formatProblem)
}

test('defaults, percentages and several numbers', () => {
  const read = readSearch(`${SMALL}minImprovement: 2.5%\n`, 'fast-path.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok)
  const { name, search, settings, warnings } = read.value
  assert.equal(name, 'fast-path')
  assert.deepEqual([search.beam, search.depth, search.repeats, settings.maxConcurrency], [3, 2, 1, 1])
  assert.deepEqual(search.minImprovement, { amount: 2.5, unit: 'percent' })
  assert.deepEqual(search.steps, [{ name: 'step1', work: { kind: 'command', command: 'a' } }])
  assert.match(warnings.map(formatProblem).join(), /nothing is `protected`/)
  const several = readSearch(
    SMALL.replace('goal: max', 'goal: min, keys: [a, b.c], scoreKey: b.c'),
    's.yaml',
    DEFAULT_SETTINGS,
  )
  assert.ok(several.ok)
  assert.equal(several.value.search.score.rankedBy, 'b.c')
})

test('the one that `init` writes is sound', async () => {
  await using folder = await temporaryFolder()
  await espalierHere(folder.path, ['init', '--search'])
  const read = readSearch(readFileSync(folder.at('search.yaml'), 'utf8'), 'search.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok, JSON.stringify(read))
  assert.deepEqual(read.value.warnings, [])
})

test('what is wrong is said with its place', () => {
  for (const [change, said] of [
    [['ideas: i/*\n', ''], /s\.yaml:1:1: there is nothing to try/],
    [['{ run: a }', '{ run: a, prompt: b }'], /both `run` and `prompt`/],
    [['{ run: a }', '{ prompt: a, agent: nobody }'], /there is no agent `nobody`/],
    [['{ run: a }', '{ run: a, name: judge }'], /`judge` is taken/],
    [['goal: max', 'goal: up'], /s\.yaml:4/],
    [['goal: max', 'goal: max, pattern: "("'], /is not a regular expression/],
    [['goal: max', 'goal: max, key: a, pattern: b'], /different ways/],
    [['goal: max', 'goal: max, keys: [a], scoreKey: b'], /none of the numbers/],
    [['objective: x\n', 'objective: x\nbeam: 0\n'], /beam/],
    [['objective: x\n', 'objective: x\ntasks: []\n'], /this is a plan/],
    [['objective: x\n', 'objective: x\ndeepth: 2\n'], /unknown field `deepth`.*depth/],
  ] as const) {
    const found = problems(SMALL.replace(change[0], change[1]))
    assert.match(found.join('\n'), said, change[1])
  }
})
