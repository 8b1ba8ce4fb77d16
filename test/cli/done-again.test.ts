// A plan that is run again although its last run has something left: the word that a person gets before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere, said, startEspalier } from '../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'

const task = (id: string, run: string) => `  - { id: ${id}, run: "${run}" }\n`
const A = task('a', 'echo a >a.txt')
const PLAN = `name: shop\ndefaults: { retries: 0 }\ntasks:\n`
const GOOD = 'echo b >b.txt'

/** What `run --dry-run` warns of. */
async function warned(top: string, ...args: string[]): Promise<string[]> {
  const { status, err } = await espalierHere(top, ['run', '--dry-run', ...args])
  assert.equal(status, 0, err)
  return err.split('\n').filter((line) => line.includes('warning: '))
}

async function run(repository: TestRepository, expected: number, ...args: string[]) {
  const done = await espalierHere(repository.top, args)
  assert.equal(done.status, expected, done.out + done.err)
  return done
}

test('what landed in the last run of a plan without statuses is named, with the way to do only the rest', async () => {
  const files = { 'plan.yaml': PLAN + A + task('b', 'exit 3'), 'other.yaml': PLAN + A }
  await using repository = await makeRepository({ files })
  const { top } = repository
  assert.deepEqual(await warned(top, 'plan.yaml'), [], 'nothing has run yet')
  const { err: first } = await run(repository, 1, 'run', 'plan.yaml')
  assert.doesNotMatch(first, /warning/)

  const warning = (repeat = '') =>
    `warning: a landed in run shop-1, and this run does it again: \`espalier retry --run shop-1${repeat}\` tries only what ` +
    'did not succeed there (`--replan`: as the plan is written now)'
  assert.deepEqual(await warned(top, 'plan.yaml'), [`${repository.at('repo', 'plan.yaml')}: ${warning()}`])
  assert.deepEqual(await warned(top, 'other.yaml'), [], 'another file is another plan, whatever its name')
  const elsewhere = repository.at('elsewhere')
  repository.git('worktree', 'add', '-q', '--detach', elsewhere)
  assert.deepEqual(await warned(elsewhere, 'plan.yaml'), [`${elsewhere}/plan.yaml: ${warning()}`])
  const [fromOutside] = await warned(repository.path, 'repo/plan.yaml', '--repo', 'repo')
  assert.equal(fromOutside, `${repository.at('repo', 'plan.yaml')}: ${warning(' --repo repo')}`)

  // The rest of the plan only: nothing of it is done again.
  await repository.write('plan.yaml', PLAN + task('b', GOOD))
  assert.deepEqual(await warned(top, 'plan.yaml'), [])
  // It is a warning, and none of the events.
  await repository.write('plan.yaml', PLAN + A + task('b', GOOD))
  const again = await run(repository, 0, 'run', 'plan.yaml', '--json')
  assert.ok(again.err.includes(warning()), again.err)
  for (const line of again.out.trimEnd().split('\n')) assert.ok(JSON.parse(line).type)
  assert.deepEqual(await warned(top, 'plan.yaml'), [], 'all of the last run succeeded')
  assert.match((await run(repository, 0, 'status', '--all')).out, /espalier\/shop-2 {2}plan\.yaml\n.* plan\.yaml\n$/)
})

test('a run that is not over can be resumed instead', async () => {
  const slow = `  - { id: b, needs: [a], run: "exec sleep 1000" }\n`
  await using repository = await makeRepository({ files: { 'plan.yaml': PLAN + A + slow } })
  const child = startEspalier(repository.top, ['run', 'plan.yaml'])
  let shown = ''
  child.stdout?.on('data', (chunk) => {
    shown += String(chunk)
  })
  const over = said(child)
  try {
    await until('b is at work', () => shown.includes('b started'))
    assert.deepEqual(await warned(repository.top, 'plan.yaml'), [], 'while it is at work nothing is to be said of it')
  } finally {
    child.kill('SIGINT')
    await over
  }
  assert.equal(child.exitCode, 130)
  const [warning] = await warned(repository.top, 'plan.yaml')
  assert.match(warning ?? '', /a landed in run shop-1, .*`espalier resume shop-1` goes on with that run instead/)
})

test('a file that says itself what is done is believed, unless nothing was written into it', async () => {
  const boxes = '# Tasks: Tea\n\n- [ ] T001 Put the kettle on in kettle.txt\n- [ ] T002 Pour it into cup.txt\n'
  await using repository = await makeRepository({ files: { 'tasks.md': boxes } })
  const agent = ['--command', 'cat >/dev/null; test $ESPALIER_TASK = t001 && echo x >kettle.txt', '--retries', '0']
  await run(repository, 1, 'run', 'tasks.md', '--no-write-back', ...agent)
  const [warning] = await warned(repository.top, 'tasks.md', '--no-write-back', ...agent)
  assert.match(warning ?? '', /t001 landed in run tea-1, and this run does it again: `espalier retry --run tea-1`/)
  assert.deepEqual(await warned(repository.top, 'tasks.md', ...agent), [])
})
