// Suites by the real command line on real repositories: what runs, what is said of it, and what is left alone.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'

async function put(repository: TestRepository, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(repository.top, name)), { recursive: true })
    await writeFile(join(repository.top, name), text)
  }
}

async function committed(files: Record<string, string>): Promise<TestRepository> {
  const repository = await makeRepository()
  await put(repository, files)
  repository.git('add', '-A')
  repository.git('commit', '-qm', 'suite')
  return repository
}

async function suite(repository: TestRepository, ...args: string[]) {
  const said = await espalierHere(repository.top, ['suite', 'run', '--json', ...args])
  const report = said.out === '' ? null : JSON.parse(said.out)
  const entry = (id: string) => report.entries.find((one: { id: string }) => one.id === id)
  return { ...said, report, entry, verdicts: () => verdictsOf(report) }
}

function verdictsOf(report: { entries: { id: string; verdict: string }[] }): Record<string, string> {
  return Object.fromEntries(report.entries.map(({ id, verdict }) => [id, verdict]))
}

const PLAN = `# Plan
## Batch 1: one
### Task 1.1: first
Do it.
### Task 1.2: second
Do it too.
## Batch 2: two
**Dependencies:** Batch 1
### Task 2.1: third
At last.
`

test('commands and plans, a flaky and a failing entry: verdicts, JUnit, exit status; nothing of the user changes', async () => {
  await using repository = await committed({
    'plans/e2e.md': PLAN,
    'suite.yaml': `workers: 2
retries: 1
command: 'test "$ESPALIER_TASK" = e2e-task-1-1 || cat done.txt; echo "$ESPALIER_TASK" >> done.txt'
entries:
  - {id: unit, run: 'test -f suite.yaml && touch new.txt'}
  - {id: e2e, plan: plans/e2e.md, batch_range: 1-2, agent: command}
  - {id: flaky, run: 'test "$ESPALIER_ATTEMPT" -gt 1'}
  - {id: bad, run: 'echo "oh no <&>"; mkdir junk; touch junk/x; exit 3'}
  - {id: after, run: 'true', needs: [bad]}
  - {id: known, run: 'false', quarantine: true}
`,
  })
  await put(repository, { 'mine.txt': 'uncommitted' })
  const before = repository.git('status', '--porcelain', '--branch')
  const { status, verdicts, entry, report } = await suite(repository, '--junit', 'r.xml')
  assert.equal(status, 1)
  assert.deepEqual(verdicts(), {
    ...{ unit: 'passed', e2e: 'passed', flaky: 'flaky', bad: 'failed', after: 'blocked', known: 'failed' },
  })
  assert.equal(report.summary.quarantined, 1)
  assert.equal(entry('e2e').tasksPassed, 3)
  assert.equal(entry('bad').tries.length, 2)
  assert.ok(existsSync(join(entry('bad').kept, 'junk', 'x')), 'its worktree is there as it was')
  assert.match(entry('bad').output, /oh no/)
  const xml = readFileSync(join(repository.top, 'r.xml'), 'utf8')
  assert.match(xml, /tests="6" failures="1"/)
  assert.match(xml, /oh no &lt;&amp;&gt;/)
  assert.equal(repository.git('status', '--porcelain', '--branch'), `${before}\n?? r.xml`)
  assert.equal(repository.git('branch', '--list', 'espalier/*'), '')
  const opened = await espalierHere(repository.top, ['open', 'bad'])
  assert.equal(opened.out, `${entry('bad').kept}\n`)
  const names = readdirSync(join(`${repository.top}.espalier`, 'slots'))
  assert.deepEqual(
    names.filter((name) => /^(work-of|left)/.test(name)),
    [],
    "what tests leave is nobody's work",
  )
  const worktree = await espalierHere(repository.top, ['open', 'e2e'])
  assert.equal(readFileSync(join(worktree.out.trim(), 'done.txt'), 'utf8').split('\n').length, 4)
  assert.equal((await espalierHere(repository.top, ['clean', '--all'])).status, 0)
  assert.equal(repository.git('worktree', 'list').split('\n').length, 1)
  assert.equal(existsSync(entry('bad').kept), false)
})

test('a suite of what is known to be flaky passes; the next run expects what the last one took', async () => {
  await using repository = await committed({
    'suite.yaml': 'retries: 0\nquarantine: [a]\nentries: [{id: a, run: "false"}, {id: b, run: "true"}]',
  })
  assert.equal((await suite(repository)).status, 0)
  const again = await suite(repository)
  assert.equal(again.entry('a').stability.kind, 'broken')
  const history = await espalierHere(repository.top, ['suite', 'history', 'b', '--json'])
  const [{ records }] = JSON.parse(history.out).entries
  assert.equal(records.length, 2)
  assert.deepEqual(records[0].tries, [true])
})

test('a retry has a fresh worktree: no file, cache or setup of the try before', async () => {
  await using repository = await committed({
    '.gitignore': 'cache\nmade\n',
    'suite.yaml': `retries: 1
workers: 1
keep: [cache]
setup: 'echo x >> made; touch "$ESPALIER_LOG_DIR/../../../setups-$ESPALIER_ATTEMPT"'
entries:
  - {id: a, run: 'test ! -e cache && touch cache && test "$ESPALIER_ATTEMPT" = 2 && test "$(cat made)" = x'}
`,
  })
  const { status, verdicts } = await suite(repository)
  assert.deepEqual([status, verdicts()], [0, { a: 'flaky' }])
})

test('--dirty tests the checkout as it is; the index, the stash and the files stay as they were', async () => {
  await using repository = await committed({
    'a.txt': 'old',
    'suite.yaml':
      'retries: 0\nentries: [{id: a, run: "grep -q new a.txt && grep -q staged b.txt && test -f c.txt && test ! -e gone.txt"}]',
    'gone.txt': '',
  })
  repository.git('rm', '-q', 'gone.txt')
  await put(repository, { 'a.txt': 'new', 'b.txt': 'staged', 'c.txt': '' })
  repository.git('add', 'b.txt')
  const look = () => [
    repository.git('status', '--porcelain'),
    repository.git('ls-files', '--stage'),
    repository.git('stash', 'list'),
  ]
  const before = look()
  assert.equal((await suite(repository)).status, 1)
  assert.equal((await suite(repository, '--dirty')).status, 0)
  assert.deepEqual(look(), before)
})

test('--compare says what is newly broken, fixed and still failing', async () => {
  await using repository = await committed({
    'suite.yaml': `retries: 0
entries:
  - {id: broken, run: 'test -e old'}
  - {id: fixed, run: 'test -e new'}
  - {id: bad, run: 'false'}
  - {id: fine, run: 'true'}
`,
    old: '',
  })
  repository.git('mv', 'old', 'new')
  repository.git('commit', '-qm', 'change')
  const { report } = await suite(repository, '--compare', 'HEAD~1')
  const named = (list: { key: string }[]) => list.map(({ key }) => key)
  const { newlyBroken, newlyFixed, stillFailing, unknown } = report.comparison
  assert.deepEqual([newlyBroken, newlyFixed, stillFailing, unknown].map(named), [['broken'], ['fixed'], ['bad'], []])
})

test('test files are split over workers, their times are learned from JUnit, and the reports are merged', async () => {
  const file = (name: string) => `import { test } from 'node:test'\ntest('${name}', () => {})\n`
  await using repository = await committed({
    'package.json': '{"scripts": {"test": "node --test"}}',
    'test/a.test.mjs': file('a'),
    'test/b.test.mjs': file('b'),
    'test/c.test.mjs': file('c'),
    'suite.yaml': 'workers: 2\nentries: [{id: unit, files: "test/*.test.mjs"}]',
  })
  const first = await suite(repository, '--shards', '2', '--junit', 'r.xml')
  assert.deepEqual(first.verdicts(), { 'unit-1': 'passed', 'unit-2': 'passed' })
  const tests = first.report.entries.map((entry: { counts: { tests: number } }) => entry.counts.tests)
  assert.equal(tests[0] + tests[1], 3)
  assert.match(readFileSync(join(repository.top, 'r.xml'), 'utf8'), /<testcase name="c"/)
  const second = await suite(repository, '--shards', 'auto')
  assert.equal(second.report.entries.length, 2, 'as many as workers, now that the times are known')
})

test('artifacts are kept, links in them are not followed; --repeat and the matrix give rates', async () => {
  await using repository = await committed({
    'suite.yaml': `artifacts: 'out/**'
entries:
  - {id: a, run: 'mkdir -p out/deep && echo {node} > out/deep/x && ln -s /etc/passwd out/link', matrix: {node: [20, 22], repeat: 2}}
`,
  })
  const { report, entry } = await suite(repository)
  assert.deepEqual(entry('a-20-1').artifacts, ['a-20-1/1/artifacts/out/deep/x'])
  const path = join(`${repository.top}.espalier`, 'runs', report.run, entry('a-22-2').artifacts[0])
  assert.equal(readFileSync(path, 'utf8'), '22\n')
  assert.deepEqual(
    report.matrix.cells.map(({ looks, passed, passAt }: { looks: number; passed: number; passAt: object }) => [
      looks,
      passed,
      passAt,
    ]),
    [
      [2, 2, { 1: 1, 2: 1 }],
      [2, 2, { 1: 1, 2: 1 }],
    ],
  )
})

test('plans are entries without a suite file, in a pattern too; what they call done is run all the same', async () => {
  const done = PLAN.replace('### Task 1.1: first\n', '### Task 1.1: first ✅\n')
  await using repository = await committed({ 'docs/one.md': PLAN, 'docs/two.md': done })
  const { verdicts, status, entry } = await suite(repository, 'docs/*.md', '-j', '2', '--command', 'echo x >> x.txt')
  assert.deepEqual([status, verdicts()], [0, { one: 'passed', two: 'passed' }])
  assert.equal(entry('two').tasksPassed, 3)
})

test('--quiet prints the summary and no line per event', async () => {
  await using repository = await committed({
    'suite.yaml': 'entries: [{id: a, run: "true"}, {id: b, run: "false"}]\nretries: 0',
  })
  const loud = await espalierHere(repository.top, ['suite', 'run'])
  const quiet = await espalierHere(repository.top, ['suite', 'run', '-q'])
  assert.match(loud.out, /a started/)
  assert.doesNotMatch(quiet.out, /started/)
  assert.match(quiet.out, /1 passed, 1 failed of 2/)
  assert.equal(quiet.status, 1)
})

test('wrong usage is told with exit status 2, and nothing is written', async () => {
  await using repository = await committed({ 'suite.yaml': 'entries: [{id: a, run: x, nedds: [b]}]' })
  const { status, err } = await suite(repository)
  assert.equal(status, 2)
  const [{ file, line, column, message }] = JSON.parse(err).problems
  assert.deepEqual([file, line, column], ['suite.yaml', 1, 27])
  assert.equal(message, 'unknown field `nedds`; did you mean `needs`?')
  assert.equal((await suite(repository, 'no.yaml')).status, 2)
  assert.equal((await suite(repository, 'x/*.md')).status, 2)
  assert.equal(existsSync(`${repository.top}.espalier`), false)
})
