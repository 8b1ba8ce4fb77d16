import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { constants, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listChunks } from '../../../src/process/supervise/read-output.ts'
import { until } from '../../rig/until.ts'
import { isRunning, outputSize, pidIn, rig } from '../rig.ts'

const LINUX = { skip: process.platform === 'linux' ? false : 'needs /proc' }

test('the exit status of the command is reported', async (t) => {
  for (const code of [0, 1, 125, 126, 127, 255]) {
    const exit = await rig(t).sh(`exit ${code}`).done
    assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', code])
    assert.deepEqual([exit.leftovers, exit.survivors, exit.outputLost], [0, [], false])
    assert.ok(Math.abs(Date.now() - exit.endedAt) < 60_000)
  }
})

test('a command ended by a signal is reported with the name of the signal', async (t) => {
  for (const signal of ['TERM', 'KILL', 'SEGV', 'HUP', 'INT']) {
    const exit = await rig(t).sh(`kill -${signal} $$`).done
    assert.deepEqual([exit.kind, 'signal' in exit && exit.signal], ['signalled', `SIG${signal}`])
  }
})

test('a command that signals its own process group does not end its supervisor', async (t) => {
  for (const signal of ['TERM', 'INT', 'KILL']) {
    const { sh, text } = rig(t)
    const exit = await sh(`echo before; kill -${signal} 0`).done
    assert.deepEqual([exit.kind, 'signal' in exit && exit.signal], ['signalled', `SIG${signal}`])
    assert.equal(text(), 'before\n')
  }
})

test('a command that is told its token in another way as well does not take its supervisor along', async (t) => {
  const { sh, path, processes, text, token } = rig(t)
  const env = { PATH: process.env.PATH ?? '', ESPALIER_TOKEN: token }
  const { done, stop } = sh(`trap '' TERM; echo "$ESPALIER_TOKEN"; : > ready; exec sleep 60`, { env, graceMs: 200 })
  await until('the command', () => existsSync(path('ready')))
  assert.equal(processes().length, 1)
  await stop()
  const exit = await done
  assert.deepEqual([exit.kind, 'signal' in exit && exit.signal], ['signalled', 'SIGKILL'])
  assert.equal(text(), `${token}\n`)
})

test(
  'a supervisor that is killed while it starts the command leaves nothing that could still start it',
  LINUX,
  async (t) => {
    const { sh, path } = rig(t)
    // Opening it waits for a writer: the command is forked, and not begun.
    execFileSync('mkfifo', [path('stdin')])
    const { done, pid } = sh(': > begun', { stdin: path('stdin') })
    const supervisor = await pid
    await until('the fork', () => readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8') !== '')
    process.kill(supervisor, 'SIGKILL')
    assert.equal((await done).kind, 'lost')
    assert.throws(() => openSync(path('stdin'), constants.O_WRONLY | constants.O_NONBLOCK), { code: 'ENXIO' })
    assert.ok(!existsSync(path('begun')))
  },
)

test('output is in the file while the command still runs', async (t) => {
  const { sh, text, path } = rig(t)
  const { done } = sh(`printf first; while [ ! -e go ]; do sleep 0.02; done; echo second`)
  await until('the first bytes', () => text() === 'first')
  assert.equal(existsSync(path('go')), false)
  writeFileSync(path('go'), '')
  await done
  assert.equal(text(), 'firstsecond\n')
})

test('stdout and stderr are merged in the order they were written', async (t) => {
  const { sh, text } = rig(t)
  await sh('for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done').done
  assert.equal(text(), [1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(''))
})

test('stderr is kept apart when asked for', async (t) => {
  const { sh, text } = rig(t)
  const exit = await sh('echo out; echo err >&2; exit 4', { stderr: 'separate' }).done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 4])
  assert.deepEqual([text('output'), text('errors')], ['out\n', 'err\n'])
})

test('arguments reach the command as they are', async (t) => {
  const { run, text } = rig(t)
  const args = ['two words', `it's "quoted"`, 'line\nbreak', '$(id)', '`id`', '*', '', '-n', '--', '\\', 'ünï']
  await run([process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args]).done
  assert.deepEqual(JSON.parse(text()), args)
})

test('the command gets the given environment, its folder and its token, and nothing else', async (t) => {
  const { run, text, cwd, token } = rig(t)
  // The names of the supervisor's own variables, and of those every shell has, are nothing special.
  const env = { PATH: process.env.PATH ?? '', dir: 'mine', token: 'mine', chunk: '7', A: 'b=c\nd', EMPTY: '' }
  await run([process.execPath, '-p', 'JSON.stringify(process.env)'], { env }).done
  const { SHLVL, _, ...got } = JSON.parse(text()) // where sh is bash it adds these two
  assert.deepEqual(got, { ...env, PWD: cwd, ESPALIER_TOKEN: token })
})

test('stdin comes from the given file and is empty without one', async (t) => {
  const first = rig(t)
  writeFileSync(first.path('prompt'), 'do this\n')
  await first.run(['cat'], { stdin: first.path('prompt') }).done
  assert.equal(first.text(), 'do this\n')
  const second = rig(t)
  assert.equal((await second.run(['cat']).done).kind, 'exited')
  assert.equal(second.text(), '')
})

test('a missing working directory fails and the command is not run anywhere', async (t) => {
  const { sh, cwd, dir, assertNothingLeft } = rig(t)
  rmSync(cwd, { recursive: true })
  const exit = await sh(`pwd; touch '${join(dir, 'ran')}'`).done
  assert.equal(exit.kind, 'no-cwd')
  assert.equal(existsSync(join(dir, 'ran')), false)
  await assertNothingLeft()
})

test('a program that does not exist is a failure to start, with a reason', async (t) => {
  for (const program of ['no-such-program-here', './missing', '/']) {
    const exit = await rig(t).run([program]).done
    assert.equal(exit.kind, 'spawn-failed')
    assert.match('message' in exit ? exit.message : '', /does not exist or is not executable/)
  }
})

test('a failure to start the supervisor is a value too', async (t) => {
  const cases = [
    rig(t).run(['true'], { env: { A: 'nul\0' } }),
    rig(t).run(['true'], { dir: '/nonexistent/folder' }),
    rig(t).run(['true', 'x'.repeat(3 << 20)]),
  ]
  for (const supervised of cases) {
    const exit = await supervised.done
    assert.equal(exit.kind, 'spawn-failed')
    assert.notEqual('message' in exit && exit.message, '')
    await supervised.stop()
  }
})

test('a command that closes its output early runs on to its end', async (t) => {
  const { sh, text, path } = rig(t)
  const { done } = sh('echo hello; exec >&- 2>&-; while [ ! -e go ]; do sleep 0.02; done; exit 6')
  await until('its output', () => text() === 'hello\n')
  writeFileSync(path('go'), '')
  const exit = await done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 6])
})

test('a flood stays within its bounds on disk and costs the engine no memory', async (t) => {
  const { sh, dir } = rig(t)
  const before = process.memoryUsage.rss()
  const { done } = sh('head -c 200000000 /dev/zero | tr "\\0" x; echo the end')
  let ended = false
  let memory = 0
  let disk = 0
  done.then(() => {
    ended = true
  })
  await until('the end of the flood', () => {
    memory = Math.max(memory, process.memoryUsage.rss())
    disk = Math.max(disk, outputSize(dir).keptBytes)
    return ended
  })
  const { bytes, keptBytes } = outputSize(dir)
  assert.equal(bytes, 200_000_000 + 'the end\n'.length)
  assert.ok(keptBytes <= 8 << 20, `kept ${keptBytes} bytes`)
  assert.ok(memory - before < 64 << 20, `grew by ${memory - before} bytes`)
  t.diagnostic(
    `at most ${(disk / 1e6).toFixed(0)} MB on disk, engine grew by ${((memory - before) / 1e6).toFixed(0)} MB`,
  )
})

test('a background process that holds the output open does not hang the attempt, and is ended', async (t) => {
  const { sh, path, assertNothingLeft, text } = rig(t)
  const exit = await sh('sleep 1000 & echo $! > child; echo done; exit 5').done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code, exit.leftovers], ['exited', 5, 1])
  assert.equal(isRunning(pidIn(path('child')) ?? 0), false)
  assert.equal(text(), 'done\n')
  await assertNothingLeft()
})

test('a daemon that double-forked into its own session and let go of the output is ended too', async (t) => {
  const { sh, path, assertNothingLeft } = rig(t)
  const daemon = `(setsid sh -c 'echo $$ > child; exec sleep 1000' </dev/null >/dev/null 2>&1 &)`
  const exit = await sh(`${daemon}; while [ ! -s child ]; do sleep 0.02; done`).done
  assert.deepEqual([exit.kind, exit.leftovers], ['exited', 1])
  assert.equal(isRunning(pidIn(path('child')) ?? 0), false)
  await assertNothingLeft()
})

test('a background process that ends by itself soon after the command is left alone', async (t) => {
  const { sh, path } = rig(t)
  const exit = await sh('(while [ ! -e go ]; do sleep 0.01; done; touch finished) & touch go').done
  assert.equal(exit.leftovers, 0)
  assert.ok(existsSync(path('finished')))
})

test('when output can no longer be written the command goes on, and its status says so', async (t) => {
  const { sh, dir } = rig(t)
  const { done } = sh('i=0; while [ $i -lt 200 ]; do echo line $i; i=$((i + 1)); done; exit 3', { chunkBytes: 0 })
  const exit = await done // `split -b 0` fails at once, like a full disk
  assert.deepEqual([exit.kind, 'code' in exit && exit.code, exit.outputLost], ['exited', 3, true])
  assert.deepEqual(JSON.parse(readFileSync(join(dir, 'exit'), 'utf8')), { code: 3 })
})

test('a chunk that cannot be created is lost output too, though split itself writes none', async (t) => {
  const { sh, dir } = rig(t)
  mkdirSync(join(dir, 'output.aaa'))
  const exit = await sh('echo hello; exit 3').done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code, exit.outputLost], ['exited', 3, true])
})

test('where split cannot filter, the engine keeps the output within its bounds', async (t) => {
  const { sh, dir, path, text } = rig(t)
  const split = execFileSync('sh', ['-c', 'command -v split'], { encoding: 'utf8' }).trim()
  const refusing = `#!/bin/sh\ncase "$*" in *--filter*) exit 1 ;; esac\nexec ${split} "$@"\n`
  mkdirSync(path('bin'))
  writeFileSync(path('bin/split'), refusing, { mode: 0o755 })
  const env = { PATH: `${path('bin')}:${process.env.PATH}` }
  const exit = await sh('seq 1000000; echo the end', { env, chunkBytes: 1 << 16, maxBytes: 1 << 18 }).done
  assert.deepEqual([exit.kind, exit.outputLost], ['exited', false])
  // Looked at from time to time: the newest chunks may have come after the last look.
  assert.ok(outputSize(dir).keptBytes <= (1 << 18) + 2 * (1 << 16))
  assert.ok(text().startsWith('1\n2\n') && text().endsWith('1000000\nthe end\n'))
})

test('the smallest bound keeps the first and the newest chunk', async (t) => {
  const { sh, dir } = rig(t)
  await sh('head -c 270000 /dev/zero', { chunkBytes: 1 << 16, maxBytes: 1 }).done
  assert.deepEqual(
    listChunks(dir, 'output').map(({ index, bytes }) => [index, bytes]),
    [
      [0, 65_536],
      [4, 270_000 - 4 * 65_536],
    ],
  )
})

test('a status that cannot be written yet, as on a full disk, is not lost', async (t) => {
  const { sh, dir, path } = rig(t)
  const { done } = sh('touch ran; while [ ! -e go ]; do sleep 0.02; done; exit 3')
  await until('the command', () => existsSync(path('ran')))
  rmSync(join(dir, 'status.tmp'))
  mkdirSync(join(dir, 'status.tmp')) // in its way
  writeFileSync(path('go'), '')
  rmSync(join(dir, 'status.tmp'), { recursive: true })
  const exit = await done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 3])
})

test('what cannot record its start does not start', async (t) => {
  const { sh, dir, path } = rig(t)
  mkdirSync(join(dir, 'supervisor'))
  const exit = await sh('touch ran').done
  assert.equal(exit.kind, 'unwritable')
  assert.match('message' in exit ? exit.message : '', /nothing could be written to/)
  assert.equal(existsSync(path('ran')), false)
})
