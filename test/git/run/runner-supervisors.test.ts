// Supervisors that the runner has started: the same as any, whatever becomes of the runner.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitText } from '../../../src/git/run/git.ts'
import { endStuckRunners, useGitRunner } from '../../../src/git/run/runner-client.ts'
import { startSupervisor } from '../../../src/process/supervise/starter.ts'
import { adopt } from '../../../src/process/supervise/supervise.ts'
import { readProcessTable } from '../../../src/process/tree/process-table.ts'
import { BOUNDS, isRunning, rig } from '../../process/rig.ts'
import { temporaryFolder } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

/** The runner of this process, once supervisors are started by it. */
async function ready(): Promise<{ pid: number; using: Disposable }> {
  const using = useGitRunner()
  await using folder = await temporaryFolder()
  const pid = await until('a runner that starts others', async () => {
    const args = ['-c', 'echo $PPID >"$1"', 'sh', folder.at('parent')]
    const started = await startSupervisor({ args, cwd: '/', env: {} })
    if (started.kind !== 'started') return null
    await started.process.ended
    const parent = Number(readFileSync(folder.at('parent'), 'utf8'))
    return parent === process.pid ? null : parent
  })
  return { pid, using }
}

function children(parent: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  return rows.flatMap((row) => {
    const [pid, of] = row.trim().split(/\s+/).map(Number)
    return of === parent && pid ? [pid] : []
  })
}

const WAITING = 'while [ ! -e go ]; do sleep 0.02; done'

test('a command under a supervisor that the runner started ends as any, and so does one that cannot start', async (t) => {
  const { pid: runner, using } = await ready()
  t.after(() => using[Symbol.dispose]())
  const { sh, path, text, run, dir, assertNothingLeft } = rig(t)
  const { pid, done } = sh(`echo one; ${WAITING}; exit 7`)
  const its = await pid
  await until('the supervisor below the runner', () => children(runner).includes(its ?? -1))
  await until('its output', () => text() === 'one\n')
  writeFileSync(path('go'), '')
  const exit = await done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 7])
  assert.ok(existsSync(join(dir, 'exit')))
  await assertNothingLeft()
  const failed = await run(['true'], { dir: '/nonexistent/folder' }).done
  assert.equal(failed.kind, 'spawn-failed')
  const stopped = rig(t).sh('exec sleep 1000')
  await stopped.stop()
  assert.equal((await stopped.done).kind, 'signalled')
})

test('a runner that is killed takes no command along, and its end is noticed all the same', async (t) => {
  const { pid: runner, using } = await ready()
  t.after(() => using[Symbol.dispose]())
  const { sh, path, dir, assertNothingLeft } = rig(t)
  const { pid, done } = sh(`${WAITING}; exit 7`)
  await until('it', () => existsSync(join(dir, 'supervisor')))
  process.kill(runner, 'SIGKILL')
  await until('the end of the runner', () => !isRunning(runner))
  assert.ok(isRunning(await pid))
  writeFileSync(path('go'), '')
  const exit = await done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 7])
  await assertNothingLeft()
  const next = await rig(t).sh('exit 3').done
  assert.deepEqual([next.kind, 'code' in next && next.code], ['exited', 3], 'and the next is started without it')
})

test('a runner that is killed before it could start a command: nothing runs, now or later', async (t) => {
  const { pid: runner, using } = await ready()
  t.after(() => using[Symbol.dispose]())
  process.kill(runner, 'SIGSTOP')
  const { sh, path, dir, token } = rig(t)
  const { done } = sh('touch ran')
  process.kill(runner, 'SIGKILL')
  const exit = await done
  assert.equal(exit.kind, 'spawn-failed')
  assert.equal(existsSync(path('ran')), false)
  assert.equal(await adopt(dir, token, BOUNDS), null)
})

test('a runner that is given back leaves its commands at work', async (t) => {
  const { pid: runner, using } = await ready()
  const { sh, path } = rig(t)
  const { done, pid } = sh(`${WAITING}; exit 7`)
  await pid
  using[Symbol.dispose]()
  await until('the end of the runner', () => !isRunning(runner))
  writeFileSync(path('go'), '')
  const exit = await done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 7])
})

test('a runner that stands still costs a command no more than its time again', async (t) => {
  const { pid, using } = await ready()
  t.after(() => using[Symbol.dispose]())
  process.kill(pid, 'SIGSTOP')
  assert.match(await gitText(['version'], { timeoutMs: 300 }), /^git version/)
  await until('the end of the runner', () => !isRunning(pid))
})

test('a runner that stands still is ended with its last user', async () => {
  const { pid, using } = await ready()
  process.kill(pid, 'SIGSTOP')
  using[Symbol.dispose]()
  await until('the end of the runner', () => !isRunning(pid))
})

for (const [how, end] of [
  ['exits', (program: ChildProcess) => program.stdin?.end()],
  ['is killed', (program: ChildProcess) => program.kill('SIGKILL')],
] as const)
  test(`a runner that stands still does not outlive a program that ${how} without another word`, async (t) => {
    const client = new URL('../../../src/git/run/runner-client.ts', import.meta.url)
    const code = `import { endStuckRunners, useGitRunner } from '${client}'
      useGitRunner()
      process.stdin.on('end', () => process.exit(1)).resume()`
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code]
    const program = spawn(process.execPath, flags, { stdio: ['pipe', 'ignore', 'inherit'] })
    t.after(() => program.kill('SIGKILL'))
    const [runner = 0] = await until('its runner', () => {
      const found = children(program.pid ?? 0)
      return found.length > 0 && found
    })
    t.after(() => isRunning(runner) && process.kill(runner, 'SIGKILL'))
    process.kill(runner, 'SIGSTOP')
    endStuckRunners(readProcessTable())
    assert.ok(isRunning(runner), 'the program lives')
    end(program)
    await once(program, 'exit')
    // The next engine does this when it begins.
    if (how === 'is killed') endStuckRunners(readProcessTable())
    await until('its end', () => !isRunning(runner))
  })
