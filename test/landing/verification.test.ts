// `landing.verify` on the real engine: the merged tree is what is checked, and what was checked is what lands.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { LayerSettings } from '../../src/config.ts'
import { Rig, type Started } from '../rig/rig.ts'

type Landing = NonNullable<LayerSettings['landing']>

/** Fails on a tree that holds both files, unless one of them says that they get on. */
const TOGETHER = 'test ! -f a.txt || test ! -f b.txt || grep -q fixed b.txt || { echo they do not get on; exit 7; }'

function verifying(verify: string, more: Landing = {}): LayerSettings {
  return { landing: { verify: [verify], reruns: 1, ...more } }
}

function writes(...ids: string[]) {
  return ids.map((id) => ({ id, run: `echo ${id} > ${id}.txt` }))
}

/** Leaves a line in `file` whenever it runs. */
function counted(file: string, command = 'true'): string {
  return `echo ran >> '${file}'; ${command}`
}

async function linesOf(file: string): Promise<number> {
  return existsSync(file) ? (await readFile(file, 'utf8')).split('\n').length - 1 : 0
}

function verdicts(run: Started): string[] {
  return run
    .all('landing.verified')
    .map(({ verdict }) => (!verdict ? 'halted' : verdict.cached ? 'cached' : verdict.passed ? 'passed' : 'failed'))
}

test('green alone, red together: exactly one goes back, and is told which command failed and how', async () => {
  await using rig = await Rig.open()
  const tasks = ['a', 'b'].map((id) => ({ id, prompt: `write ${id}`, retries: 1 }))
  const run = await rig.start(tasks, { ...verifying(TOGETHER), command: rig.stage.command() })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.deliver('a.txt')
  await run.saw('attempt.finished')
  await b.deliver('b.txt')
  const again = await rig.stage.next('b')
  assert.ok(again.hello.stdin.includes(TOGETHER), 'the command is in the prompt')
  assert.ok(again.hello.stdin.includes('they do not get on'), 'and the end of its output')
  assert.equal(await again.sh('cat a.txt'), 'a', 'it starts from what has landed')
  await again.deliver('b.txt', 'fixed\n')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2'])
  const refused = run.all('landing.refused')
  assert.deepEqual(
    refused.map(({ tasks, failure, retry }) => [tasks, failure.reason, retry]),
    [[['b'], 'landing-failed', true]],
  )
})

test('what does not pass and has no retry left is ejected: its ref is kept, what needs it is blocked', async () => {
  await using rig = await Rig.open()
  const [a, b] = writes('a', 'b')
  assert.ok(a && b)
  const tasks = [{ ...a, priority: 10 }, b, { id: 'c', needs: ['b'], run: 'true' }]
  const run = await rig.run(tasks, { ...verifying(TOGETHER), maxConcurrency: 1 })
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'failed', c: 'blocked' })
  assert.equal(run.task('c').failure?.cause, 'b')
  assert.match(run.task('b').failure?.message ?? '', /exited with status 7.*they do not get on/s)
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/b/1:b.txt`), 'b')
  assert.equal(rig.landedFile(run.outcome, 'b.txt'), null)
})

test('the commit that landed is the one that was verified, in a worktree that holds just that', async () => {
  await using rig = await Rig.open()
  const run = await rig.start(writes('a', 'b'), verifying(rig.stage.command('verify')))
  while (!run.statuses().a?.startsWith('landed') || !run.statuses().b?.startsWith('landed')) {
    const check = await rig.stage.next('', 'verify')
    const commit = check.hello.env.ESPALIER_COMMIT ?? ''
    assert.equal(await check.sh('git status --porcelain'), '')
    assert.equal(await check.sh('git rev-parse HEAD'), commit)
    await check.exit()
    await run.saw('landing.landed', (event) => event.commit === commit)
  }
  const { outcome } = await run.finish()
  const passed = run.all('landing.verified').filter(({ verdict }) => verdict?.passed)
  const points = run.all('landing.moving').map(({ commit }) => commit)
  assert.deepEqual(
    points,
    passed.map(({ commit }) => commit),
  )
  assert.equal(points.at(-1), rig.git('rev-parse', outcome.branch))
})

test('a verification that fails now and then ejects nobody, and is counted as a flake', async () => {
  await using rig = await Rig.open()
  const count = rig.repository.at('count')
  const flaky = counted(count, `test $(wc -l < '${count}') -gt 1`)
  const run = await rig.run(writes('a'), verifying(flaky))
  assert.equal(run.outcome.status, 'completed')
  assert.deepEqual(verdicts(run), ['failed', 'passed'])
  assert.deepEqual(run.all('landing.refused'), [])
  const { queue } = run.run.summary()
  assert.deepEqual([queue?.verifications, queue?.flakes], [2, 1])
})

test('a verification that takes too long has failed, and nothing of it is left', async () => {
  await using rig = await Rig.open()
  const hangs = `test ! -e a.txt || ${rig.stage.command('verify')}`
  const run = await rig.start(writes('a'), verifying(hangs, { timeoutMs: 1_500, reruns: 0 }))
  const check = await rig.stage.next('', 'verify')
  await check.ignore('SIGTERM')
  await run.finish()
  assert.equal(check.alive, false)
  assert.equal(run.task('a').failure?.reason, 'landing-failed')
  assert.match(run.task('a').failure?.message ?? '', /was not done after 1\.5s.*landing\.timeout/)
})

test('a tree that has passed the same commands is not verified again, in another run either', async () => {
  await using rig = await Rig.open()
  const count = rig.repository.at('count')
  const command = counted(count)
  const allowed = { envAllow: ['MODE'] }
  const first = await rig.run(writes('a'), verifying(command))
  const second = await rig.run(writes('a'), verifying(command))
  assert.deepEqual([verdicts(first), verdicts(second)], [['passed'], ['cached']])
  assert.equal(await linesOf(count), 1)
  assert.equal(rig.landedFile(second.outcome, 'a.txt'), 'a')
  const changed = await rig.run(writes('a'), verifying(`${command} && true`))
  assert.deepEqual(verdicts(changed), ['passed'], 'another command')
  for (const MODE of ['one', 'two']) {
    const run = await rig.run(writes('a'), { ...verifying(command), ...allowed }, { ...process.env, MODE })
    assert.deepEqual(verdicts(run), ['passed'], `declared: MODE=${MODE}`)
  }
})

test('what failed is not remembered: it may have failed of something outside', async () => {
  await using rig = await Rig.open()
  const broken = rig.repository.at('broken')
  writeFileSync(broken, '')
  const settings = verifying(`test ! -e a.txt || test ! -e '${broken}'`, { reruns: 0 })
  const first = await rig.run(writes('a'), settings)
  assert.deepEqual([verdicts(first), first.statuses()], [['failed'], { a: 'failed' }])
  await rm(broken)
  const second = await rig.run(writes('a'), settings)
  assert.deepEqual([verdicts(second), second.statuses()], [['passed'], { a: 'landed' }])
})

test('what a verify command writes or commits never lands, and is gone before the next one', async () => {
  await using rig = await Rig.open()
  const spoil = [
    'test ! -e more.txt',
    'test "$(cat a.txt)" = a',
    'echo spoilt > a.txt',
    'echo more > more.txt',
    'git add -A',
    'git -c user.name=x -c user.email=x@example.org commit -qm spoilt',
    'echo untracked > rest.txt',
  ].join(' && ')
  const tasks = [...writes('a'), { id: 'b', needs: ['a'], run: 'cat a.txt > b.txt' }]
  const run = await rig.run(tasks, verifying(spoil, { reruns: 0 }))
  assert.equal(run.outcome.status, 'completed', JSON.stringify(run.outcome.failures))
  const tree = rig.git('ls-tree', '-r', '--name-only', run.outcome.branch).split('\n')
  assert.deepEqual(tree, ['README.md', 'a.txt', 'b.txt', 'src/a.txt', 'src/b.txt'])
  assert.deepEqual(
    ['a.txt', 'b.txt'].map((path) => rig.landedFile(run.outcome, path)),
    ['a', 'a'],
  )
})

test('the setup commands run in the worktrees of verifications as well', async () => {
  await using rig = await Rig.open()
  const run = await rig.run(writes('a'), {
    ...verifying('test -f node_modules/ready', { reruns: 0 }),
    setup: ['mkdir -p node_modules && touch node_modules/ready'],
    keep: ['node_modules'],
  })
  assert.equal(run.outcome.status, 'completed', JSON.stringify(run.outcome.failures))
  assert.equal(rig.landedFile(run.outcome, 'node_modules/ready'), null)
})

test('a verification gets a temporary folder and ports of its own, and no task', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }], verifying(rig.stage.command('verify')))
  const work = await rig.stage.next('a')
  await work.deliver('a.txt')
  const check = await rig.stage.next('', 'verify')
  const { env, cwd } = check.hello
  assert.ok(!('ESPALIER_TASK' in env) && env.ESPALIER_RUN === run.id)
  assert.notEqual(env.ESPALIER_PORT, work.hello.env.ESPALIER_PORT)
  assert.notEqual(cwd, work.hello.cwd)
  assert.ok(existsSync(env.TMPDIR ?? ''))
  await check.exit()
  await run.finish()
  assert.equal(existsSync(env.TMPDIR ?? ''), false)
})

for (const allgreen of [false, true])
  test(`${allgreen ? 'every commit' : 'every landing point'} passes when it is checked out and checked elsewhere`, async () => {
    await using rig = await Rig.open({
      files: { 'check.sh': 'for f in *.txt; do test ! -e "bad-with-$f" || exit 1; done\nexit 0\n', 'x.txt': 'x\n' },
    })
    // Each of the pairs is green alone and red together.
    const tasks = Array.from({ length: 10 }, (_, n) =>
      n === 3 || n === 7
        ? { id: `t${n}`, run: `echo > bad-with-t${n - 2}.txt` }
        : { id: `t${n}`, run: `echo ${n} > t${n}.txt` },
    )
    const run = await rig.run(tasks, verifying('sh check.sh', { allgreen, window: 2, reruns: 0 }))
    const ejected = run.all('landing.refused').flatMap((event) => event.tasks)
    assert.equal(ejected.length, 2, String(ejected))
    assert.ok(ejected.some((id) => id === 't1' || id === 't3') && ejected.some((id) => id === 't5' || id === 't7'))
    assert.equal(rig.landings(run.outcome).length, 8)
    const chain = rig.git('rev-list', '--first-parent', `${run.outcome.base}..${run.outcome.branch}`).split('\n')
    const points = run.all('landing.moving').map(({ commit }) => commit)
    assert.ok(points.every((commit) => chain.includes(commit)))
    for (const commit of allgreen ? chain : points) await passesElsewhere(rig, commit, 'sh check.sh')
  })

async function passesElsewhere(rig: Rig, commit: string, command: string): Promise<void> {
  const folder = await mkdtemp(join(rig.repository.path, 'checkout-'))
  rig.git('archive', '-o', join(folder, 'tree.tar'), commit)
  const check = `tar -xf tree.tar && rm tree.tar && ${command}`
  execFileSync('sh', ['-c', check], { cwd: folder, stdio: 'pipe' })
}
