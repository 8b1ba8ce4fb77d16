// What a suite can be told besides its entries, by the real command line: until when it runs, what it keeps, whom it tells.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'

type Entry = { id: string; verdict: string; kept: string | null; tries: { attempts: { attempt: number }[] }[] }

async function withSuite(text: string): Promise<TestRepository> {
  return makeRepository({ files: { 'suite.yaml': text } })
}

async function suite(repository: TestRepository, args: string[] = [], env: Record<string, string> = {}) {
  const said = await espalierHere(repository.top, ['suite', 'run', '--json', ...args], { env })
  assert.notEqual(said.out, '', said.err)
  const { entries } = JSON.parse(said.out) as { entries: Entry[] }
  return { ...said, entries, verdicts: entries.map(({ verdict }) => verdict) }
}

function lines(file: string): string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

function slots({ top }: TestRepository): string[] {
  return readdirSync(join(`${top}.espalier`, 'slots')).filter((name) => /^\d+$/.test(name))
}

test('--until-fail repeats an entry until it fails, and starts nothing after that', async () => {
  await using repository = await makeRepository()
  const count = repository.at('count')
  const entry = { id: 'a', run: 'echo x >> "$COUNT"; test "$(wc -l < "$COUNT")" -lt 3', env: { COUNT: count } }
  await repository.write('suite.yaml', `workers: 1\nentries: [${JSON.stringify(entry)}]`)
  const { status, verdicts } = await suite(repository, ['--until-fail', '--repeat', '6'])
  assert.equal(status, 1)
  assert.equal(lines(count).length, 3, 'it ran three times')
  assert.deepEqual(verdicts, ['passed', 'passed', 'failed', 'cancelled', 'cancelled', 'cancelled'])
})

test('--until-fail of what does not fail passes after the repetitions that were asked for', async () => {
  await using repository = await withSuite('entries: [{id: a, run: "true"}]')
  const { status, verdicts } = await suite(repository, ['--until-fail', '--repeat', '3'])
  assert.deepEqual([status, verdicts], [0, ['passed', 'passed', 'passed']])
})

/** Ends its own supervisor with SIGKILL, the first time. */
const KILLS_SUPERVISOR =
  'echo x >> "$MARKS"; test "$ESPALIER_ATTEMPT" != 1 || { kill -9 $(sed "s/.*\\"pid\\":\\([0-9]*\\).*/\\1/" "$ESPALIER_LOG_DIR/../work/supervisor"); sleep 60; }'

for (const [restarts, expected] of [
  ['true', 'passed'],
  ['false', 'failed'],
] as const)
  test(`restartOnError: ${restarts}: an entry whose supervisor was killed has ${expected}`, async () => {
    await using repository = await makeRepository()
    const marks = repository.at('marks')
    const entry = JSON.stringify({ id: 'a', run: KILLS_SUPERVISOR, env: { MARKS: marks } })
    await repository.write('suite.yaml', `retries: 0\nrestartOnError: ${restarts}\nentries: [${entry}]\n`)
    const { verdicts } = await suite(repository)
    assert.deepEqual(verdicts, [expected])
    assert.equal(lines(marks).length, restarts === 'true' ? 2 : 1)
  })

test('cleanup: true removes the worktrees of the pool, and not those of what failed', async () => {
  await using repository = await withSuite(
    'workers: 2\nretries: 0\ncleanup: true\nentries: [{id: a, run: "true"}, {id: b, run: "touch x; false"}]',
  )
  const { entries } = await suite(repository)
  assert.deepEqual(slots(repository), [])
  const kept = entries.find(({ id }) => id === 'b')?.kept
  assert.ok(kept && existsSync(join(kept, 'x')))
})

test('preserveFailed: the worktrees of so many failed entries stay, the first of a run and the newest runs', async () => {
  const entry = (n: number) => `{id: e${n}, run: "echo ${n} > n; false", priority: ${-n}}`
  const text = (most: string) =>
    `workers: 1\nretries: 0\npreserveFailed: ${most}\nentries: [${[1, 2, 3].map(entry).join(', ')}]\n`
  await using repository = await withSuite(text('2'))
  const first = await suite(repository)
  const isThere = (entries: Entry[]) => entries.map(({ kept }) => kept !== null && existsSync(kept))
  assert.deepEqual(isThere(first.entries), [true, true, false])
  const opened = await espalierHere(repository.top, ['open', 'e3'])
  assert.match(opened.err, /what e3 left is not kept: this is the commit it started from/)
  const second = await suite(repository, ['--entry', 'e3'])
  assert.deepEqual(isThere(second.entries), [true])
  assert.deepEqual(isThere(first.entries), [false, true, false], 'the oldest made room')
  await repository.write('suite.yaml', text('false'))
  const none = await suite(repository)
  assert.deepEqual(isThere([...first.entries, ...second.entries, ...none.entries]), Array(7).fill(false))
})

test('in GitHub Actions failures are annotations and the report is in the summary of the step', async () => {
  await using repository = await withSuite(`retries: 1
entries:
  - {id: fine, run: 'true'}
  - {id: flaky, run: 'test "$ESPALIER_ATTEMPT" = 2'}
  - {id: bad, run: 'printf "100%%\\n::error::of the test\\n"; exit 3'}
  - {id: known, run: 'false', quarantine: true}
`)
  const summary = repository.at('summary.md')
  const { err, out } = await suite(repository, [], { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary })
  const commands = err.split('\n').filter((line) => line.startsWith('::'))
  assert.deepEqual(commands.map((line) => line.split('::')[1]).sort(), [
    'error title=bad',
    'warning title=flaky',
    'warning title=known',
  ])
  const bad = commands.find((line) => line.includes('title=bad')) ?? ''
  assert.match(bad, /exited with status 3/)
  assert.match(bad, /100%25%0A/, 'nothing in a message begins another command')
  assert.match(readFileSync(summary, 'utf8'), /^# Failed: [\s\S]*\| `bad` \| ✗ failed/)
  assert.doesNotThrow(() => JSON.parse(out), 'and --json stays JSON')
  const elsewhere = await suite(repository)
  assert.doesNotMatch(elsewhere.err, /^::/m)
})
