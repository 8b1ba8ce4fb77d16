import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatProblem } from '../../../src/problem.ts'
import { looksLikeSuite, readSuite } from '../../../src/workloads/suite/read.ts'

function problems(text: string): string[] {
  const read = readSuite(text, 's.yaml')
  return read.ok ? read.value.warnings.map(formatProblem) : read.problems.map(formatProblem)
}

test('the smallest suite of the documentation is read as it stands', () => {
  const text = `workers: 3
retries: 1
entries:
  - { id: unit, run: npm test, priority: 1 }
  - { id: e2e, plan: docs/plans/e2e-01.md, batch_range: 1-2, agent: claude }
`
  const read = readSuite(text, 'suites/nightly.yaml')
  assert.ok(read.ok)
  assert.equal(read.value.name, 'nightly')
  assert.deepEqual(read.value.entries, [
    { id: 'unit', run: 'npm test', priority: 1 },
    { id: 'e2e', plan: 'docs/plans/e2e-01.md', batch_range: '1-2', agent: 'claude' },
  ])
})

test('everything that is wrong is said at once, each with its place', () => {
  const text = `workers: 0
entriez: 1
entries:
  - {id: a, run: x, plan: y}
  - {id: a}
  - {id: b, run: x, needs: [c]}
  - {id: d, run: "node --test {files}"}
  - {id: e, files: "*.js", run: jest}
  - {id: f, run: x, batch_range: 2}
  - {id: g, plan: p, batch_range: x}
  - {id: h, run: x, uses: {gpu: 1}}
  - {id: ../i, run: x}
`
  assert.deepEqual(problems(text), [
    's.yaml:1:10: `workers` must be at least 1, not 0',
    's.yaml:2:1: unknown field `entriez`; did you mean `entries`?',
    's.yaml:4:21: entry `a` has both `run` and `plan`: it is one of the two',
    's.yaml:5:5: entry `a` has nothing to do: give it `run` (a command), `plan` or `files`',
    's.yaml:5:10: there are two entries `a`; the first is in line 4',
    's.yaml:6:29: entry `b` needs `c`, which does not exist; did you mean `a`?',
    's.yaml:7:18: entry `d` has `{files}` in its command, and no `files`',
    's.yaml:8:33: entry `e` has `files`, and its command no `{files}` to put them',
    's.yaml:9:21: entry `f` has `batch_range`, and no `plan`',
    's.yaml:10:35: `batch_range` must be `all`, a batch such as `2`, or batches such as `1-3`',
    's.yaml:11:28: there is no `gpu` in `resources`',
    's.yaml:12:10: `id: ../i` is not a valid name: use lower-case letters, digits and `-`, at most 63 characters, beginning with a letter or digit',
  ])
})

test('entries that wait for each other, and none at all, are refused; a quarantine of nobody is told', () => {
  assert.match(
    problems('entries: [{id: a, run: x, needs: [b]}, {id: b, run: x, needs: [a]}]')[0] ?? '',
    /entries wait for each other: a → b → a/,
  )
  assert.match(problems('workers: 1')[0] ?? '', /there are no `entries`/)
  assert.match(problems('entries: []')[0] ?? '', /an empty list/)
  assert.match(
    problems('quarantine: [unitt]\nentries: [{id: unit, run: x}]')[0] ?? '',
    /no entry `unitt`; did you mean `unit`\?/,
  )
})

test('a suite is told from a plan by its entries', () => {
  assert.equal(looksLikeSuite('entries:\n- id: a', 'a.yaml'), true)
  assert.equal(looksLikeSuite('{"workers": 2, "entries": []}', 'a.json'), true)
  assert.equal(looksLikeSuite('tasks:\n- id: a', 'a.yaml'), false)
  assert.equal(looksLikeSuite('entries:\n', 'a.md'), false)
})
