// Processes of attempts that nobody looks after any more: the doctor ends them, and so does the next engine, but for
// those it takes over.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { DoctorCheck } from '../../../src/engine/doctor/agent-checks.ts'
import { type Event, readEvents } from '../../../src/index.ts'
import { markArgument } from '../../../src/process/tree/mark.ts'
import { attemptToken } from '../../../src/workspace/state-folder.ts'
import { canMark, escaping, holdScript, newMarker, processesWith } from '../../process/hostile.ts'
import { canGroup } from '../../process/rig.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makePlan, makeSettings } from '../../rig/plan.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import type { UserOrders } from '../../rig/user-process.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const SCRIPT = fileURLToPath(new URL('../../rig/user-process.ts', import.meta.url))
const ORDINARY_USER = 65_534

/** `finds`: a process that has neither its token nor a parent nor a supervisor. */
const USERS =
  process.getuid?.() === 0
    ? [
        { name: 'root', uid: null, finds: canGroup || canMark },
        { name: 'an ordinary user', uid: ORDINARY_USER, finds: canMark },
      ]
    : [{ name: 'this user', uid: null, finds: canGroup || canMark }]

// Side by side: what ignores SIGTERM takes the doctor's whole grace.
describe('doctor --fix', { concurrency: 4 }, () => {
  for (const { name, uid, finds } of USERS)
    test(`ends all that a killed engine left, its hidden processes too (${name})`, async () => {
      const marker = newMarker()
      await using repository = await makeRepository({ files: { hold: holdScript() } })
      using _ = endAll(marker)
      const said = join(repository.path, 'said')
      await mkdir(said)
      const hold = (file: string) => `sh hold ${marker} ${said}/${file}`
      const hidden = escaping(marker).replace(`${marker} a`, `${marker} ${said}/c`)
      const command = `setsid ${hold('a')} & (setsid ${hold('b')} >/dev/null 2>&1 &); ${hidden}; exec ${hold('d')}`
      own(repository, uid)
      const plan = makePlan([{ id: 'a', run: command }])
      const engine = started({ deed: 'run', uid, repo: repository.top, plan, settings: makeSettings() })
      await until('all of them', () => ['a', 'b', 'c', 'd'].every((file) => existsSync(join(said, file))))
      await killed(engine)

      // First with the supervisor alive, as the engine left it.
      const [found] = await doctor(repository, uid, false)
      assert.match(found?.message ?? '', /^\d+ processes of task a of run plan-1 go on without an engine$/)
      const [ended] = await doctor(repository, uid, true)
      assert.deepEqual(
        [ended?.state, /^ended \d+ processes of task a of run plan-1$/.test(ended?.message ?? '')],
        ['ok', true],
      )
      const left = processesWith(marker, `${repository.path}/repo.espalier/`)
      assert.deepEqual(left.length, finds ? 0 : 1, JSON.stringify(left))
      assert.deepEqual(await doctor(repository, uid, true), [])
    })

  for (const { name, uid, finds } of USERS)
    test(`ends what hid from its attempt and lost its supervisor (${name})`, async () => {
      const marker = newMarker()
      await using repository = await makeRepository({ files: { hold: holdScript('') } })
      using _ = endAll(marker)
      const said = join(repository.path, 'said')
      await mkdir(said)
      const hidden = escaping(marker).replace(`${marker} a`, `${marker} ${said}/a`)
      own(repository, uid)
      const agent = newMarker()
      const plan = makePlan([{ id: 'a', run: `${hidden}; exec sleep ${agent}` }])
      const engine = started({ deed: 'run', uid, repo: repository.top, plan, settings: makeSettings() })
      await until('it', () => existsSync(join(said, 'a')))
      await killed(engine)
      endAll(agent, `${repository.path}/repo.espalier/`)[Symbol.dispose]()
      await until('it alone', () => processesWith(marker).length === 2) // with its sleep

      const checks = await doctor(repository, uid, true)
      if (!finds) return assert.deepEqual([checks, processesWith(marker).length], [[], 2])
      assert.deepEqual(
        checks.map(({ message }) => message),
        ['ended 2 processes of task a of run plan-1'],
      )
      assert.deepEqual(processesWith(marker), [])
    })
})

test('a new run ends what earlier attempts left before it starts its own, and says so', async () => {
  await using rig = await Rig.open()
  const marker = newMarker()
  using _ = endAll(marker)
  const { id } = await rig.run([{ id: 'a', run: 'echo a > a' }])
  const token = await tokenOf(rig, id, 'a', 1)
  await orphan(marker, { ...variables(rig, id, 'a', 1), ESPALIER_TOKEN: token })
  await orphan(marker, {}, token)
  const expected = canMark ? 0 : 1
  await rig.repository.write(
    'plan.json',
    JSON.stringify({ tasks: [{ id: 'b', run: `! ps -axww | grep -v grep | grep ${marker}` }] }),
  )
  const said = await espalier(rig.top, ['run', 'plan.json'])
  assert.match(said.out, canMark ? /ended 2 processes that earlier attempts/ : /ended 1 process that earlier attempts/)
  assert.equal(processesWith(marker).length, expected, said.out)
  assert.equal(said.status, expected, said.out + said.err)
})

test('a resumed run ends what its attempts that are over have left, and takes over those that go on', async () => {
  await using rig = await Rig.open()
  const marker = newMarker()
  using _ = endAll(marker)
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a', retries: 1 }, { id: 'b' }]), makeSettings())
  await (await rig.stage.next('a')).exit(1)
  const [again, other] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await engine.kill()
  await orphan(marker, { ...variables(rig, 'plan-1', 'a', 1), ESPALIER_TOKEN: await tokenOf(rig, 'plan-1', 'a', 1) })
  const run = await rig.resume()
  assert.equal(run.run.orphansEnded, 1)
  assert.deepEqual(processesWith(marker), [])
  assert.deepEqual([again.alive, other.alive], [true, true])
  await Promise.all([again.deliver('a.txt'), other.deliver('b.txt')])
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome).sort(), ['a/2', 'b/1'])
})

for (const { name, uid } of USERS)
  test(`a folder that an agent closed to everybody is part of its work all the same (${name})`, async () => {
    await using repository = await makeRepository({ files: { 'src/a': 'old\n' } })
    own(repository, uid)
    const run = 'echo changed > src/a; mkdir d; echo precious > d/x; chmod 000 d src .'
    const plan = makePlan([{ id: 'a', run }])
    const engine = started({ deed: 'run', uid, repo: repository.top, plan, settings: makeSettings() })
    engine.stdout.resume()
    await once(engine, 'exit')
    const landed = (file: string) =>
      execFileSync('git', ['-c', 'safe.directory=*', 'show', `espalier/plan-1:${file}`], {
        cwd: repository.top,
        encoding: 'utf8',
      })
    assert.equal(landed('d/x'), 'precious\n')
    assert.equal(landed('src/a'), 'changed\n')
  })

/** A process as an attempt leaves it: with its variables, or with nothing but the mark of its token. */
async function orphan(marker: string, env: Record<string, string>, marked?: string): Promise<void> {
  const mark = marked === undefined ? '' : markArgument(marked)
  const script = mark === '' ? 'exec sleep "$1"' : `ulimit -S -m ${mark}; exec sleep "$1"`
  const options = { env: { PATH: process.env.PATH ?? '', ...env }, stdio: 'ignore', detached: true } as const
  const { pid } = spawn('sh', ['-c', script, 'sh', marker], options)
  await until('the orphan', () => processesWith(`sleep ${marker}`).some((one) => one.pid === pid))
}

function variables(rig: Rig, run: string, task: string, attempt: number): Record<string, string> {
  const ESPALIER_LOG_DIR = join(rig.state, 'runs', run, task, String(attempt), 'files')
  return { ESPALIER_RUN: run, ESPALIER_TASK: task, ESPALIER_ATTEMPT: String(attempt), ESPALIER_LOG_DIR }
}

async function tokenOf(rig: Rig, run: string, task: string, attempt: number): Promise<string> {
  const events = await readEvents(await workspaceAt(rig.top), { run })
  assert.ok(events.ok)
  const [first] = events.value as Event[]
  assert.ok(first?.type === 'run.started')
  return attemptToken(run, first.seed, task, attempt)
}

function started(orders: UserOrders) {
  const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, JSON.stringify(orders)]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOME: orders.repo, GIT_CONFIG_GLOBAL: '/dev/null' }
  return spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'], env })
}

async function killed(engine: ReturnType<typeof started>): Promise<void> {
  const gone = once(engine, 'exit')
  engine.kill('SIGKILL')
  await gone
}

/** What it says about processes. */
async function doctor({ top }: TestRepository, uid: number | null, fix: boolean): Promise<DoctorCheck[]> {
  const lines = createInterface({ input: started({ deed: 'doctor', uid, repo: top, fix }).stdout })
  const [line] = (await once(lines, 'line')) as [string]
  return (JSON.parse(line) as DoctorCheck[]).filter(({ name }) => name === 'processes')
}

function own(repository: TestRepository, uid: number | null): void {
  if (uid !== null) execFileSync('chown', ['-R', `${uid}:${uid}`, repository.path])
}

/** Whatever the test found out: nothing with this marker outlives it. */
function endAll(...needles: string[]): Disposable {
  return {
    [Symbol.dispose]() {
      for (const { pid } of processesWith(...needles)) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // it has ended meanwhile
        }
      }
    },
  }
}
