// Ways in which work could land that nobody checked, or be undone by somebody else's: each was open once.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a verification that ran out of time before its first command has not passed', async () => {
  await using rig = await Rig.open()
  const landing = { verify: ['false'], timeoutMs: 1, reruns: 0 }
  const { outcome } = await rig.run([{ id: 'a', run: 'echo a > a.txt' }], { landing })
  assert.notEqual(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), [])
})

test('an agent that claims to have merged what has landed does not undo it', async () => {
  await using rig = await Rig.open({ files: { 'f.txt': '1\n2\n3\n' } })
  const run = await rig.start([{ id: 'first' }, { id: 'second' }])
  const [first, second] = [await rig.stage.next('first'), await rig.stage.next('second')]
  await first.sh(`sed -i s/1/one/ f.txt`)
  await first.exit()
  const [landed] = [await run.saw('landing.landed')]
  await second.sh(`sed -i s/3/three/ f.txt; git commit -qam mine; git merge -q -s ours -m merged ${landed.commit}`)
  await second.exit()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.equal(rig.landedFile(outcome, 'f.txt'), 'one\n2\nthree')
})

test('an agent that claims to have merged work that waits does not make it land empty', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }], { landing: { verify: ['true'] } })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  const commit = await b.sh(
    'echo precious > precious.txt; git add .; git commit -qm b; git rev-parse HEAD; cp -r .git/objects/. "$ESPALIER_LOG_DIR"/',
  )
  const objects = await b.sh('echo "$ESPALIER_LOG_DIR"')
  await a.sh(
    `echo a > a.txt; git add .; git commit -qm a; cp -rn ${objects}/. .git/objects/; git merge -q -s ours -m merged ${commit.split('\n')[0]}`,
  )
  await b.exit()
  await run.saw('attempt.finished', ({ task }) => task === 'b')
  await a.exit()
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'landed' })
  assert.equal(rig.landedFile(outcome, 'precious.txt'), 'precious')
})

/** Setup installs what the lock names; the check needs what the code needs. */
const INSTALLS = {
  setup: ['cat package-lock.json > installed.txt'],
  landing: { verify: ['for need in needs-*; do grep -q "$need" installed.txt || exit 1; done'], reruns: 1 },
}
const LOCKED = { files: { 'package-lock.json': 'needs-x\n', 'needs-x': '', '.gitignore': 'installed.txt\n' } }

test('work that changes what is to be installed is verified with that installed', async () => {
  await using rig = await Rig.open(LOCKED)
  const tasks = [{ id: 'a', run: 'echo needs-a >> package-lock.json; : > needs-a' }]
  const { outcome } = await rig.run(tasks, INSTALLS)
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
})

test('what a check spoilt of the setup costs no good work its landing', async () => {
  await using rig = await Rig.open(LOCKED)
  const spoils = 'if [ -e bad ]; then rm -f installed.txt; exit 1; fi'
  const landing = { ...INSTALLS.landing, verify: [spoils, ...INSTALLS.landing.verify] }
  const tasks = [
    { id: 'bad', run: ': > bad' },
    { id: 'good', run: 'echo good > good.txt', after: ['bad'] },
  ]
  const { outcome } = await rig.run(tasks, { ...INSTALLS, landing })
  assert.deepEqual(
    rig.landings(outcome).map((line) => line.split('/')[0]),
    ['good'],
  )
})

test('links that lead out only together do not land together', async () => {
  await using rig = await Rig.open({ files: { 'p/keep': '', 's/keep': '' } })
  const tasks = [
    { id: 'one', run: 'ln -s p/q/r/../../../x l' },
    { id: 'two', run: 'mkdir -p p/q; ln -s ../../s p/q/r' },
  ]
  const { outcome } = await rig.run(tasks)
  assert.equal(rig.landings(outcome).length, 1)
  assert.deepEqual(
    outcome.failures.map(({ failure }) => failure.reason),
    ['symlink-escapes'],
  )
})

test("the plan's variables and the included files count for what is verified", async () => {
  await using rig = await Rig.open({ files: { '.worktreeinclude': '.env\n', '.gitignore': '.env\n' } })
  const env = join(rig.top, '.env')
  writeFileSync(env, 'ok\n')
  const landing = { verify: ['grep -q ok .env && test "$MODE" = on'], reruns: 0, env: { MODE: 'on' } }
  const tasks = [{ id: 'a', run: 'echo a > a.txt' }]
  assert.equal((await rig.run(tasks, { landing })).outcome.status, 'completed')
  writeFileSync(env, 'nope\n')
  assert.ok((await rig.run(tasks, { landing })).outcome.stuck, 'it is not the verdict of before')
})

test('linked worktrees of a repository have one engine between them', async () => {
  await using rig = await Rig.open()
  const other = join(rig.repository.path, 'linked')
  execFileSync('git', ['worktree', 'add', '-q', '--detach', other], { cwd: rig.top })
  const run = await rig.start([{ id: 'a' }])
  const agent = await rig.stage.next('a')
  const { openRun } = await import('../../../src/index.ts')
  const { makePlan, makeSettings } = await import('../../rig/plan.ts')
  const second = await openRun(await workspaceAt(other), { plan: makePlan([{ id: 'b' }]), settings: makeSettings() })
  assert.ok(!second.ok)
  assert.match(second.problems[0]?.message ?? '', /another engine|is at work|process \d+/)
  await agent.exit()
  await run.finish()
})

test('where the branch itself does not pass, nobody is sent back: the run stops, says so, and can go on', async () => {
  await using rig = await Rig.open()
  const tasks = [{ id: 'a', run: 'echo a > a.txt', retries: 1 }]
  const first = await rig.run(tasks, { landing: { verify: ['echo no database; exit 3'] } })
  assert.match(first.outcome.stuck ?? '', /`landing\.verify` does not pass on \w{12} either[\s\S]*status 3/)
  assert.deepEqual(first.all('landing.refused'), [])
  const { outcome } = await (await rig.resume({ landing: { verify: ['true'] } })).finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})
