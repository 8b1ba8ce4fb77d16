import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsFromFlags } from '../../../src/cli/inputs/run-flags.ts'
import { processSurroundings } from '../../../src/cli/surroundings.ts'
import { formatBytes } from '../../../src/cli/terminal/table.ts'

test('flags become settings, and what was not given is not there', () => {
  assert.deepEqual(settingsFromFlags({}), {})
  assert.deepEqual(settingsFromFlags({ maxConcurrency: 4, strict: true, timeout: 90_000 }), {
    maxConcurrency: 4,
    autoConcurrency: false,
    strict: true,
    timeoutMs: 90_000,
  })
})

test('a command implies the command agent, unless one is named', () => {
  assert.deepEqual(settingsFromFlags({ command: 'x' }), { agent: 'command', command: 'x' })
  assert.deepEqual(settingsFromFlags({ command: 'x', agent: 'other' }), { agent: 'other', command: 'x' })
})

const terminals: { env: Record<string, string>; tty: boolean; live: boolean; colour: boolean }[] = [
  { env: {}, tty: true, live: true, colour: true },
  { env: {}, tty: false, live: false, colour: false },
  { env: { NO_COLOR: '1' }, tty: true, live: true, colour: false },
  { env: { NO_COLOR: '' }, tty: true, live: true, colour: true },
  { env: { TERM: 'dumb' }, tty: true, live: false, colour: false },
  { env: { CI: 'true' }, tty: true, live: false, colour: true },
  { env: { CI: 'false' }, tty: true, live: true, colour: true },
  { env: { FORCE_COLOR: '1' }, tty: false, live: false, colour: true },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, tty: true, live: true, colour: false },
]
for (const { env, tty, live, colour } of terminals) {
  test(`${tty ? 'a terminal' : 'a pipe'} with ${JSON.stringify(env)}: live ${live}, colour ${colour}`, () => {
    const before = { env: process.env, isTTY: process.stdout.isTTY }
    try {
      process.env = env
      process.stdout.isTTY = tty
      const found = processSurroundings()
      assert.deepEqual([found.live, found.outPalette.strong('x') !== 'x'], [live, colour])
    } finally {
      process.env = before.env
      process.stdout.isTTY = before.isTTY
    }
  })
}

const sizes: [bytes: number, text: string][] = [
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [12_345_678, '12 MB'],
  [9_960_000, '10 MB'],
  [3e15, '3000 TB'],
]
for (const [bytes, text] of sizes) test(`${bytes} bytes are ${text}`, () => assert.equal(formatBytes(bytes), text))
