import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const bin = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url))

test('--version prints the version of the package and loads none of the commands', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const env = { ...process.env, NODE_DEBUG: 'esm' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [bin, '--version'], { env })
  assert.equal(stdout, `${version}\n`)
  assert.ok(!/node_modules/.test(stderr), 'no dependency is loaded')
})

test('output that nobody reads is no error', async () => {
  const child = spawn(process.execPath, [bin, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [status] = await once(child, 'close')
  assert.equal(status, 0)
  assert.equal(said, '')
})

test('nor is it for the help of a command that has agents', async () => {
  const child = spawn(process.execPath, [bin, 'retry', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.deepEqual([child.exitCode, said], [0, ''])
})

test('something unexpected is one line, ends the process whatever still holds it, and has a trace when asked for', async () => {
  // A stream that cannot be asked is nothing a command expects; the timer stands for whatever was left behind.
  const ended = async (thrown: string, env: NodeJS.ProcessEnv = process.env) => {
    const script = `
      import { main } from ${JSON.stringify(new URL('../../src/cli/main.ts', import.meta.url).href)}
      Object.defineProperty(process.stdout, 'isTTY', { get: () => { throw ${thrown} } })
      setInterval(() => {}, 1_000)
      await main(['node', 'espalier', 'status'])`
    const argv = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'], env })
    const [said] = await Promise.all([text(child.stderr), once(child, 'close')])
    assert.equal(child.exitCode, 1)
    return said
  }
  const thrown = "new TypeError('x is not a function\\nmore')"
  assert.equal(
    await ended(thrown),
    'espalier: unexpected TypeError: x is not a function (ESPALIER_DEBUG=1 shows where)\n',
  )
  assert.match(await ended(thrown, { ...process.env, ESPALIER_DEBUG: '1' }), /^espalier: TypeError: x is[\s\S]* at /)
  assert.match(await ended("'a text'"), /^espalier: unexpected Error: a text/)
})
