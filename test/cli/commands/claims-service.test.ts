// `espalier claims` as a person types it.
import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runProgram } from '../../../src/cli/program.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { makeRepository } from '../../rig/repository.ts'
import { FakeTerminal } from '../fake-terminal.ts'

/** In this process: a dozen of them would take their time. */
async function espalier(cwd: string, args: string[]) {
  const [out, err] = [new FakeTerminal(1000), new FakeTerminal(1000)]
  const streams = { out: out.output, err: err.output, outPalette: palette(false), errPalette: palette(false) }
  const status = await runProgram(['node', 'espalier', ...args], '1.2.3', {
    ...{ ...streams, env: {}, cwd, home: cwd, live: false },
  })
  return { status, out: out.screen.join('\n'), err: err.screen.join('\n') }
}

test('hold, look, check and release, from any folder of the repository', async () => {
  await using repository = await makeRepository()
  const top = repository.top
  const say = async (status: number, ...args: string[]) => {
    const said = await espalier(top, ['claims', ...args])
    assert.equal(said.status, status, said.out + said.err)
    return said
  }
  assert.match((await say(0)).err, /no claims/)
  const held = await say(0, 'hold', 'src/auth/**', 'a.txt', '--for', '2h', '--name', 'ana')
  assert.equal(held.out, 'ana holds src/auth/** for 2h 00m\nana holds a.txt for 2h 00m')
  assert.equal(held.err, "`espalier claims release 'src/auth/**' a.txt` releases it earlier")
  assert.match((await say(0)).out, /^held by +claim +held for\nana \(a person\) +src\/auth\/\*\* +write .* left\n/)

  const fromSrc = await espalier(join(top, 'src'), ['claims', 'check', 'auth/login.ts', '../b.txt'])
  assert.equal(fromSrc.status, 1)
  assert.match(fromSrc.out, /^✗ src\/auth\/login\.ts: ana \(a person\) holds src\/auth\/\*\* for [^\n]*$/)
  const free = JSON.parse((await say(0, 'check', 'b.txt', '--json')).out)
  assert.deepEqual(free, { version: 1, has_conflicts: false, conflicts: [], warnings: [], can_proceed: true })
  const taken = JSON.parse((await say(1, 'check', 'a.txt', '--json')).out)
  assert.deepEqual(
    [taken.has_conflicts, taken.conflicts[0].path, taken.conflicts[0].holder.name],
    [true, 'a.txt', 'ana'],
  )
  await say(0, 'check', 'a.txt', '--as', 'ana')

  assert.match((await say(2, 'check', '../x')).err, /is outside of the repository/)
  assert.match((await say(2, 'hold', 'src/**', '--for', '25h')).err, /24 hours at most/)
  assert.match((await say(2, 'hold', 'src/**', '--name', '\u200b')).err, /say who holds it with --name/)
  assert.match((await say(2, 'release')).err, /or --all/)
  assert.equal((await say(0, 'release', 'a.txt')).out, 'ana released a.txt')
  assert.equal((await say(0, 'release', '--all')).out, 'ana released src/auth/**')
})

test('without USER in the environment a hold has the name of the account', async () => {
  await using repository = await makeRepository()
  const { out } = await espalier(repository.top, ['claims', 'hold', 'a.txt'])
  assert.equal(out, `${userInfo().username} holds a.txt for 1h 00m`)
})
