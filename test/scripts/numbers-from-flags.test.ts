import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

function script(name: string, ...args: string[]): Promise<{ status: unknown; out: string; err: string }> {
  const file = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url))
  return new Promise((resolve) => {
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], (error, out, err) => {
      resolve({ status: error ? (error.code ?? 1) : 0, out, err })
    })
  })
}

for (const [name, usage] of [
  ['simulate.ts', 'npm run simulate -- [--seeds 10000] [--from 1]\n'],
  ['chaos/chaos.ts', 'npm run chaos -- [--rounds 10] [--seed 1] [--tasks 30]\n'],
  ['chaos/fleet/chaos-fleet.ts', 'WORKERS=50 TASKS=2000 KILLS=10 PARTITIONS=5 RESTARTS=1 SEED=1 npm run chaos:fleet\n'],
  ['screenshots/screenshots.ts', 'npm run screenshots\n'],
  ['screenshots/dashboard.ts', 'npm run screenshots:dashboard -- [VIEW…]\n'],
] as const) {
  test(`${name} --help says what it takes, and so does a wrong flag`, async () => {
    assert.deepEqual(await script(name, '--help'), { status: 0, out: usage, err: '' })
    const wrong = await script(name, '--sed', '3')
    assert.deepEqual([wrong.status, wrong.out], [2, ''])
    assert.match(wrong.err, /^Unknown option '--sed'[^\n]*\n/)
    assert.ok(wrong.err.endsWith(usage))
  })
}

test('the tests with real agents and the benchmarks say with --help what they take', async () => {
  const usage = 'npm run test:agents -- [FILTER…] [--flag-of-node…]\n'
  assert.deepEqual(await script('test-agents.ts', '--help'), { status: 0, out: usage, err: '' })
  const bench = await script('../bench/run.ts', '--help')
  assert.deepEqual([bench.status, bench.err], [0, ''])
  assert.match(bench.out, /^npm run bench -- \[NAME…\]/)
  assert.match((await script('../bench/run.ts', '--ful')).err, /^Unknown option '--ful'[^\n]*\nnpm run bench/)
})

test('a flag of a script takes whole numbers only', async () => {
  const wrong = await script('simulate.ts', '--seeds', 'many')
  assert.match(wrong.err, /^--seeds takes a whole number, not many\n/)
  assert.match((await script('simulate.ts', '--seeds', '2', '--from', '7')).out, /^2 seeds from 7: 0 violations/)
})
