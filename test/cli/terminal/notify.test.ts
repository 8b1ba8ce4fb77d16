// What is started at the end of a run, with what it is told; and that nothing of it can fail or slow a run.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { notify } from '../../../src/cli/terminal/notify.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository, temporaryFolder } from '../../rig/repository.ts'
import { FakeTerminal } from '../fake-terminal.ts'

const NOTICE = { run: 'shop-1', status: 'failed', branch: 'espalier/shop-1', text: '1/2 done <b>& "$(id)"', cwd: '/' }
const NONE = { bell: false, desktop: false, command: null }

test('the command gets the result in variables; what is started needs no shell of ours', async () => {
  await using folder = await temporaryFolder()
  const out = folder.at('told')
  const env = { PATH: process.env.PATH, OUT: out }
  const command = 'echo "$ESPALIER_RUN|$ESPALIER_RUN_STATUS|$ESPALIER_RUN_SUMMARY" >"$OUT.part"; mv "$OUT.part" "$OUT"'
  notify(NOTICE, { ...NONE, command }, { err: new FakeTerminal().output, env })
  assert.equal(await appeared(out), 'shop-1|failed|1/2 done <b>& "$(id)"\n')
})

test('the desktop: its program gets arguments, not code', async () => {
  await using folder = await temporaryFolder()
  const own = process.platform
  const toldOn = async (platform: string, program: string) => {
    const told = folder.at(platform)
    writeFileSync(folder.at(program), `#!/bin/sh\nprintf '%s\\n' "$@" >${told}.part; mv ${told}.part ${told}\n`)
    chmodSync(folder.at(program), 0o755)
    Object.defineProperty(process, 'platform', { value: platform })
    notify(
      NOTICE,
      { ...NONE, desktop: true },
      { err: new FakeTerminal().output, env: { PATH: `${folder.path}:/bin:/usr/bin` } },
    )
    Object.defineProperty(process, 'platform', { value: own })
    return (await appeared(told)).split('\n')
  }
  const [title, escaped] = ['espalier: shop-1 failed', '1/2 done &lt;b&gt;&amp; "$(id)"']
  assert.deepEqual(await toldOn('linux', 'notify-send'), ['--app-name=espalier', '--', title, escaped, ''])
  const [flag, ...rest] = await toldOn('darwin', 'osascript')
  assert.equal(flag, '-e')
  assert.deepEqual(rest.slice(-3), [title, NOTICE.text, ''])
  assert.doesNotMatch(rest.slice(0, -3).join(), /shop|done/)
})

test('the bell rings in a terminal alone', () => {
  const written: string[] = []
  for (const isTTY of [true, false]) {
    const err = Object.assign(new FakeTerminal().output, { isTTY, write: (text: string) => written.push(text) > 0 })
    notify(NOTICE, { ...NONE, bell: true }, { err, env: {} })
  }
  assert.deepEqual(written, ['\x07'])
})

test('a run notifies at its end, waits for nothing, and says where it cannot', async () => {
  await using repository = await makeRepository()
  const told = repository.at('told')
  const bin = repository.at('bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'notify-send'),
    `#!/bin/sh\nprintf '%s\\n' "$@" >${told}.part; mv ${told}.part ${told}; sleep 1\n`,
  )
  chmodSync(join(bin, 'notify-send'), 0o755)
  await repository.write('.espalier/config.yaml', 'notify: {desktop: true}\n')
  await repository.write('espalier.yaml', 'name: shop\ntasks: [{id: a, run: echo a >a.txt}, {id: b, run: exit 3}]\n')
  const { status } = await espalierHere(repository.top, ['run'], { path: `${bin}:${process.env.PATH}` })
  assert.equal(status, 1)
  const text = await appeared(told)
  if (process.platform === 'linux')
    assert.equal(text, '--app-name=espalier\n--\nespalier: shop-1 failed\n1/2 done, 1 failed (b)\n')
})

/** A process of its own writes it. */
async function appeared(file: string): Promise<string> {
  for (;;) {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      await wait(20)
    }
  }
}
