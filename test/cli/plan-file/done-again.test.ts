// A plan that is run again although its last run has something left: the word that a person gets before.
import assert from 'node:assert/strict'
import { existsSync, renameSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere, said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

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
    `warning: this run repeats a, which landed in run shop-1. Instead: \`espalier retry --run shop-1${repeat}\` ` +
    '(retry b), with `--replan` as the plan is written now'
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
  assert.match(
    (await run(repository, 0, 'status', '--all')).out,
    /^shop-2 .* {2}plan\.yaml\nshop-1 .* {2}plan\.yaml\n$/,
  )
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
  assert.match(
    warning ?? '',
    /repeats a, which landed in run shop-1\. Instead: `espalier resume shop-1` \(continue where it stopped\)/,
  )
})

const BOXES = '# Tasks: Tea\n\n- [ ] T001 Put the kettle on in kettle.txt\n- [ ] T002 Pour it into cup.txt\n'
/** It does the first task only, until there is the file that the second may go by. */
const FIRST = ['--command', 'cat >/dev/null; test $ESPALIER_TASK = t001 && echo x >kettle.txt', '--retries', '0']
const ALL = ['--command', 'cat >/dev/null; echo x >$ESPALIER_TASK.txt']

test('a file that says itself what is done: what was not written into it is done again', async () => {
  await using repository = await makeRepository({ files: { 'tasks.md': BOXES } })
  await run(repository, 1, 'run', 'tasks.md', '--no-write-back', ...FIRST)
  for (const flags of [['--no-write-back'], []]) {
    const [warning, ...more] = await warned(repository.top, 'tasks.md', ...flags, ...FIRST)
    assert.match(
      warning ?? '',
      /this run repeats `T001`, which landed in run tea-1\. Instead: `espalier retry --run tea-1`/,
    )
    assert.deepEqual(more, [])
  }
})

test('a file with statuses that was put back to what it was: what landed before is named, whichever run it was', async () => {
  await using repository = await makeRepository({ files: { 'tasks.md': BOXES } })
  const { top } = repository
  await run(repository, 1, 'run', 'tasks.md', ...FIRST)
  assert.deepEqual(await warned(top, 'tasks.md', '--base', 'HEAD', ...ALL).then(doneAgain), [], 'the file says it')
  await run(repository, 0, 'land', 'tea-1')
  await run(repository, 0, 'run', 'tasks.md', ...ALL)
  await run(repository, 0, 'land', 'tea-2')

  repository.git('checkout', '-q', 'tasks.md')
  const file = repository.at('repo', 'tasks.md')
  const again = 'this run repeats `T001`, `T002`, which landed in earlier runs (tea-2, tea-1)'
  const marked = 'To leave them out, mark them as done in the file'
  assert.deepEqual(await warned(top, 'tasks.md', ...ALL), [`${file}: warning: ${again}. ${marked}`])
  await run(repository, 0, 'clean', '--run', 'tea-1')
  assert.deepEqual(await warned(top, 'tasks.md', ...ALL), [`${file}: warning: ${again}. ${marked}`])

  // Somebody wants one of them again, in other words: that is another task.
  await repository.write('tasks.md', BOXES.replace('[ ] T001', '[x] T001').replace('Pour it', 'Pour milk'))
  assert.deepEqual(await warned(top, 'tasks.md', ...ALL), [])
})

test('what a stopped run could not write into the file is done again: the way to go on is named', async () => {
  await using repository = await makeRepository({ files: { 'tasks.md': BOXES } })
  const [file, away, begun] = [repository.at('repo', 'tasks.md'), repository.at('away.md'), repository.at('begun')]
  // The first task takes the file away, and the second does not end.
  const first = `mv '${file}' '${away}'; echo x >kettle.txt`
  const agent = `cat >/dev/null; test $ESPALIER_TASK = t001 && { ${first}; exit; }; touch '${begun}'; exec sleep 1000`
  const child = startEspalier(repository.top, ['run', 'tasks.md', '--command', agent])
  const over = said(child)
  try {
    await until('the second task is at work', () => existsSync(begun) || child.exitCode !== null)
  } finally {
    child.kill('SIGINT')
    await over
  }
  assert.match((await espalierHere(repository.top, ['status'])).out, /could not be written into/)
  renameSync(away, file)
  const [warning, ...more] = await warned(repository.top, 'tasks.md', ...ALL)
  assert.match(
    warning ?? '',
    /this run repeats `T001`, which landed in run tea-1\. Instead: `espalier resume tea-1` \(continue/,
  )
  assert.deepEqual(more, [])
})

function doneAgain(warnings: string[]): string[] {
  return warnings.filter((line) => line.includes(' again'))
}
