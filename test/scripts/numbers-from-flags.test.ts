import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

function script(name: string, ...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const file = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url))
  return new Promise((resolve) => {
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], (error, out, err) => {
      resolve({ status: error ? Number(error.code) : 0, out, err })
    })
  })
}

for (const [name, usage] of [
  ['simulate.ts', 'npm run simulate -- [--seeds 10000] [--from 1]\n'],
  ['chaos/chaos.ts', 'npm run chaos -- [--rounds 10] [--seed 1] [--tasks 30]\n'],
] as const) {
  test(`${name} --help says what it takes, and so does a wrong flag`, async () => {
    assert.deepEqual(await script(name, '--help'), { status: 0, out: usage, err: '' })
    const wrong = await script(name, '--sed', '3')
    assert.deepEqual([wrong.status, wrong.out], [2, ''])
    assert.match(wrong.err, /^Unknown option '--sed'[^\n]*\nnpm run /)
  })
}

test('a flag of a script takes whole numbers only', async () => {
  const wrong = await script('simulate.ts', '--seeds', 'many')
  assert.match(wrong.err, /^--seeds takes a whole number, not many\n/)
  assert.match((await script('simulate.ts', '--seeds', '2', '--from', '7')).out, /^2 seeds from 7: 0 violations/)
})
