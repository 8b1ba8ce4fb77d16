// The terminal is closed while a run goes on in it: a connection that is lost, a window that somebody shuts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalier, startEspalier, startInTerminal } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'

const noScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
const skip = noScript ? false : 'needs the `script` of Linux'
const BY_SIGHUP = '129\n'

test('a closed terminal: the engine ends, its agent goes on, and resume lands its work', { skip }, async () => {
  await using rig = await Rig.open()
  const plan = rig.repository.at('plan.yaml')
  writeFileSync(plan, `tasks: [{id: a, run: "${rig.stage.command()}"}, {id: b, run: echo b > b.txt, needs: [a]}]`)
  const statusFile = rig.repository.at('status')
  const terminal = startInTerminal(rig.top, ['run', plan], statusFile)
  terminal.stdout?.resume()
  const agent = await rig.stage.next('a')
  terminal.kill('SIGKILL')
  await until('the end of the engine', () => existsSync(statusFile) && readFileSync(statusFile, 'utf8'))
  assert.equal(readFileSync(statusFile, 'utf8'), BY_SIGHUP, 'neither an abort nor a failure')
  assert.ok(agent.alive)
  assert.match((await espalier(rig.top, ['status'])).out, /interrupted/)
  await agent.deliver('a.txt')
  const resumed = await espalier(rig.top, ['resume'])
  assert.equal(resumed.status, 0, resumed.out + resumed.err)
  assert.deepEqual(rig.landings({ branch: 'espalier/plan-1', base: 'main' }), ['a/1', 'b/1'])
})

test('a run that has no terminal, as under `nohup`, goes on', async () => {
  await using rig = await Rig.open()
  const plan = rig.repository.at('plan.yaml')
  writeFileSync(plan, `tasks: [{id: a, run: "${rig.stage.command()}"}, {id: b, run: echo b > b.txt, needs: [a]}]`)
  const child = startEspalier(rig.top, ['run', plan])
  const exited = once(child, 'exit')
  child.stdout.resume()
  child.stderr.resume()
  const agent = await rig.stage.next('a')
  child.kill('SIGHUP')
  await agent.deliver('a.txt')
  assert.deepEqual(await exited, [0, null])
  assert.deepEqual(rig.landings({ branch: 'espalier/plan-1', base: 'main' }), ['a/1', 'b/1'])
})

test('a closed terminal ends what only looks on, without an error', { skip }, async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const agent = await rig.stage.next('a')
  const statusFile = rig.repository.at('status')
  const terminal = startInTerminal(rig.top, ['status', '--watch'], statusFile)
  await new Promise((resolve) => terminal.stdout?.once('data', resolve))
  terminal.stdout?.resume()
  terminal.kill('SIGKILL')
  await until('its end', () => existsSync(statusFile) && readFileSync(statusFile, 'utf8'))
  assert.equal(readFileSync(statusFile, 'utf8'), BY_SIGHUP)
  await agent.deliver('a.txt')
  await run.finish()
})
