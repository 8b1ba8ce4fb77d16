// A puppet agent: a real child process that does what a test tells it over a socket, and nothing by itself.
// Usage: node puppet.mjs SOCKET ROLE. It ends when the test does (the socket closes), unless told to outlive it.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'

const [socketPath, role] = process.argv.slice(2)
const stdin = role === 'work' ? readFileSync(0, 'utf8') : ''

const deeds = {
  write({ path, text }) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  },
  remove: ({ path }) => rmSync(path, { recursive: true, force: true }),
  print: ({ text }) => new Promise((resolve) => process.stdout.write(text, resolve)),
  sh: ({ command }) => execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
  ignore: ({ signal }) => void process.on(signal, () => {}),
  /** Exits with 0 when it is told to end, as a polite program does. */
  obey: ({ signal }) => void process.on(signal, () => process.exit(0)),
  /** A child in a session of its own, that no signal to our group reaches and that ignores SIGTERM. */
  orphan: () => spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], { detached: true, stdio: 'ignore' }).pid,
}

const socket = connect(socketPath)
const send = (message) => new Promise((resolve) => socket.write(`${JSON.stringify(message)}\n`, resolve))

await send({ role, pid: process.pid, cwd: process.cwd(), env: process.env, stdin })
for await (const line of createInterface({ input: socket })) {
  const { deed, ...words } = JSON.parse(line)
  if (deed === 'exit') {
    await send({ value: null })
    process.exit(words.code)
  }
  try {
    await send({ value: (await deeds[deed](words)) ?? null })
  } catch (error) {
    await send({ error: String(error.stderr ?? '') + error.message })
  }
}
process.exit(99)
