// Worktrees that nobody can empty: files too deep to name, immutable ones, those of another user (as docker leaves them).
// The folder is set aside, its slot goes on with a new one, and only the task that made it notices anything.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Event } from '../../../src/index.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { makePlan, makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'

/** Below an ignored folder: no part of the work. */
const DEEP = `mkdir cache; cd cache; i=0
while [ $i -lt 50 ]; do mkdir ${'d'.repeat(100)}; cd ${'d'.repeat(100)}; i=$((i+1)); done; touch deep`
const IMMUTABLE = 'mkdir cache; touch cache/stays; chattr +i cache/stays'
const IMMUTABLE_ROOT = 'touch made.txt; chattr +i .'

for (const [what, hostile, skip] of [
  ['files too deep to name', DEEP, false],
  ['immutable files', IMMUTABLE, immutableTrouble()],
  ['an immutable worktree', IMMUTABLE_ROOT, immutableTrouble()],
  ['a repository nobody can remove', `mkdir .git/x; touch .git/x/y; chattr +i .git/x/y`, immutableTrouble()],
] as const)
  test(`${what}: every other task lands at its first attempt`, { skip }, async () => {
    await using rig = await Rig.open({ files: { '.gitignore': 'cache/\n' } })
    using _ = mutable(rig.repository.path)
    const others = Array.from({ length: 6 }, (_, n) => ({ id: `t${n}`, run: `ls > ${n}.txt`, needs: ['hostile'] }))
    const run = await rig.run([{ id: 'hostile', run: hostile }, ...others], { maxConcurrency: 1 })
    assert.deepEqual([run.outcome.status, run.outcome.stuck], ['completed', null])
    const attempts = run.events.filter((event) => event.type === 'attempt.started')
    assert.equal(attempts.length, 7)
  })

test('what could not be removed is named by doctor and clean, with what to type, and goes once it can', {
  skip: immutableTrouble(),
}, async () => {
  await using rig = await Rig.open({ files: { '.gitignore': 'cache/\n' } })
  using _ = mutable(rig.repository.path)
  await rig.run(
    [
      { id: 'a', run: IMMUTABLE },
      { id: 'b', run: 'echo b > b.txt', needs: ['a'] },
    ],
    { maxConcurrency: 1 },
  )
  const [name = ''] = readdirSync(join(rig.state, 'slots')).filter((one) => one.startsWith('left-'))
  const left = join(rig.state, 'slots', name)
  const doctor = await espalierHere(rig.top, ['doctor'])
  assert.ok(doctor.out.includes(left) && doctor.out.includes('sudo rm -rf'), doctor.out)
  assert.match(doctor.out, /chattr -R -i/)
  for (const args of [['clean'], ['clean', '--worktrees']]) {
    const clean = await espalierHere(rig.top, args)
    assert.equal(clean.status, 0, clean.err)
    assert.ok(clean.out.includes(`kept  ${left}`) && clean.out.includes('sudo rm -rf'), clean.out)
  }
  execFileSync('chattr', ['-R', '-i', left])
  assert.ok((await espalierHere(rig.top, ['clean'])).out.includes(`removed  ${left}`))
  assert.ok(!existsSync(left))
})

test("files of root's in the worktree of an ordinary user: every other task lands at its first attempt", {
  skip: process.getuid?.() === 0 ? false : 'needs root to make them',
}, async () => {
  await using repository = await makeRepository({ files: { '.gitignore': 'cache/\n' } })
  const go = repository.at('go')
  const hostile = { id: 'hostile', run: `mkdir cache; until [ -e ${go} ]; do sleep 0.02; done` }
  const others = Array.from({ length: 5 }, (_, n) => ({ id: `t${n}`, run: `ls > ${n}.txt`, needs: ['hostile'] }))
  const uid = 65_534
  execFileSync('chown', ['-R', `${uid}:${uid}`, repository.path])
  const settings = makeSettings({ maxConcurrency: 1 })
  const orders = { deed: 'run', uid, repo: repository.top, plan: makePlan([hostile, ...others]), settings }
  const script = fileURLToPath(new URL('../../rig/user-process.ts', import.meta.url))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOME: repository.top, GIT_CONFIG_GLOBAL: '/dev/null' }
  const flags = ['--disable-warning=ExperimentalWarning', script, JSON.stringify(orders)]
  const engine = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const cache = repository.at('repo.espalier', 'slots', '1', 'cache')
  await until('the folder', () => existsSync(cache))
  mkdirSync(join(cache, 'roots'))
  writeFileSync(join(cache, 'roots', 'file'), '')
  writeFileSync(go, '')
  const events: Event[] = []
  for await (const line of createInterface(engine.stdout)) events.push(JSON.parse(line))
  assert.deepEqual(events.at(-1)?.type === 'run.finished' && events.at(-1), { ...events.at(-1), status: 'completed' })
  assert.equal(events.filter(({ type }) => type === 'attempt.started').length, 6)
})

/** Why files cannot be made immutable here; false: they can. */
function immutableTrouble(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-immutable-'))
  try {
    writeFileSync(join(folder, 'x'), '')
    execFileSync('chattr', ['+i', join(folder, 'x')], { stdio: 'pipe' })
    execFileSync('chattr', ['-i', join(folder, 'x')], { stdio: 'pipe' })
    return false
  } catch {
    return 'needs the right to make files immutable'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The rig can remove it all again. */
function mutable(path: string): Disposable {
  return { [Symbol.dispose]: () => void execFileSync('sh', ['-c', 'chattr -R -i "$1" 2>/dev/null || :', 'sh', path]) }
}
