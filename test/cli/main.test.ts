import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unexpected } from '../../src/cli/main.ts'

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

test('something unexpected is one line, and the trace only when asked for', () => {
  const error = new TypeError('x is not a function\nmore')
  assert.equal(
    unexpected(error, false),
    'espalier: unexpected TypeError: x is not a function (ESPALIER_DEBUG=1 shows where)\n',
  )
  assert.match(unexpected(error, true), /main\.test\.ts/)
  assert.match(unexpected('a text', false), /^espalier: unexpected Error: a text/)
})

test('something unexpected ends the process, whatever still holds it', async () => {
  // A stream that cannot be asked is nothing a command expects; the timer stands for whatever was left behind.
  const script = `
    import { main } from ${JSON.stringify(new URL('../../src/cli/main.ts', import.meta.url).href)}
    Object.defineProperty(process.stdout, 'isTTY', { get: () => { throw new Error('EIO: no terminal') } })
    setInterval(() => {}, 1_000)
    await main(['node', 'espalier', 'status'])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.match(said, /^espalier: unexpected Error: EIO/m)
  assert.equal(child.exitCode, 1)
})
