// How long `espalier serve` of the installed package takes until it answers, beside a Node that does nothing. npm run test:package
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { Installed } from './installed.ts'

const installed = new Installed()
after(() => installed[Symbol.dispose]())

test('serve is ready in a few times the time that Node takes to start', async () => {
  await using repository = await installed.repository()
  const time = async (args: string[]) => {
    const start = performance.now()
    const child = spawn(process.execPath, args, {
      cwd: repository.top,
      env: installed.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(child, 'exit')
    await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
    const ms = performance.now() - start
    child.kill('SIGTERM')
    await ended
    return ms
  }
  const [bare, serve]: [number[], number[]] = [[], []]
  // In turns, so that a busy moment hits both.
  for (let n = 0; n < 7; n++) {
    bare.push(await time(['-e', '0']))
    serve.push(await time([installed.bin, 'serve', '--json', '--port', '0']))
  }
  const least = (times: number[]) => Math.min(...times)
  assert.ok(least(serve) <= 10 * least(bare), `${least(serve)} ms, and Node alone ${least(bare)} ms`)
})
