// What an agent finds around it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSessionNotes } from '../../src/engine/query/agent-sessions.ts'
import { FakeClaude } from '../rig/fake-claude.ts'
import { Rig } from '../rig/rig.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

const parent = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  AWS_SECRET_ACCESS_KEY: 'secret',
  MY_TOOL: 'x',
  OTHER: 'y',
}

test('an agent gets the documented variables, what the user and the task allow, and no secret', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', env: { FROM_PLAN: 'yes' } }], { envAllow: ['MY_*'] }, parent)
  const puppet = await rig.stage.next('a')
  const { env, cwd } = puppet.hello
  const names = Object.keys(env).filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))
  assert.deepEqual(names.sort(), [
    'ESPALIER_ATTEMPT',
    'ESPALIER_LOG_DIR',
    'ESPALIER_PORT',
    'ESPALIER_PORT_LAST',
    'ESPALIER_RUN',
    'ESPALIER_SLOT',
    'ESPALIER_TASK',
    'ESPALIER_TOKEN',
    'ESPALIER_WORKTREE',
    'FROM_PLAN',
    'HOME',
    'MY_TOOL',
    'PATH',
    'TMPDIR',
  ])
  assert.equal(env.ESPALIER_RUN, run.id)
  assert.equal(env.ESPALIER_WORKTREE, cwd)
  assert.equal(cwd, join(rig.state, 'slots', '1'))
  assert.deepEqual([env.ESPALIER_TASK, env.ESPALIER_ATTEMPT, env.ESPALIER_SLOT], ['a', '1', '1'])
  assert.deepEqual([env.ESPALIER_PORT, env.ESPALIER_PORT_LAST], ['20000', '20019'])
  assert.ok(existsSync(env.ESPALIER_LOG_DIR ?? ''))
  await puppet.exit()
  await run.finish()
})

test('the key of an agent is for its own process: setup and checks see it only where the user allows that', async () => {
  await using rig = await Rig.open()
  const seen = (who: string) => `echo "$ANTHROPIC_API_KEY $CLAUDE_CODE_X" > '${rig.repository.at(who)}'`
  const claude = await FakeClaude.open(rig, [{ sh: seen('agent'), say: 'Done.' }])
  const keys = { ...parent, ANTHROPIC_API_KEY: 'key', CLAUDE_CODE_X: 'x' }
  const settings = claude.settings({ setup: [seen('setup')], envAllow: ['CLAUDE_CODE_X'] })
  await rig.run([claude.task({ verify: [seen('verify')] })], settings, keys)
  const told = ['agent', 'setup', 'verify'].map((who) => readFile(rig.repository.at(who), 'utf8'))
  assert.deepEqual(await Promise.all(told), ['key x\n', ' x\n', ' x\n'])
})

test('every attempt has a temporary folder of its own, gone when it is over', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  const folders = [a.hello.env.TMPDIR ?? '', b.hello.env.TMPDIR ?? '']
  assert.notEqual(folders[0], folders[1])
  assert.deepEqual(folders.map(existsSync), [true, true])
  await a.sh('echo x > "$TMPDIR/x"')
  await a.exit()
  await b.exit()
  await run.finish()
  assert.deepEqual(folders.map(existsSync), [false, false])
})

test('the port ranges of attempts that run at the same time do not overlap', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }], { ports: { first: 30_000, perSlot: 5 } })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  const ranges = [a, b].map(({ hello }) => [Number(hello.env.ESPALIER_PORT), Number(hello.env.ESPALIER_PORT_LAST)])
  assert.deepEqual(ranges.sort(), [
    [30_000, 30_004],
    [30_005, 30_009],
  ])
  await a.exit()
  await b.exit()
  await run.finish()
})

test('the prompt is on standard input and in a file that only its owner reads', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', prompt: 'Write ünïcode.\nAnd $(more) `things`.' }], {
    command: rig.stage.command(),
  })
  const puppet = await rig.stage.next('a')
  const prompt = puppet.hello.stdin
  assert.ok(prompt.startsWith('Write ünïcode.\nAnd $(more) `things`.\n\n'))
  assert.equal(await readFile(puppet.hello.env.ESPALIER_PROMPT_FILE ?? '', 'utf8'), prompt)
  assert.equal(await puppet.sh('stat -c %a "$ESPALIER_PROMPT_FILE"'), '600')
  await puppet.exit()
  await run.finish()
})

test('the value of a key gets neither into the journal nor into a commit, whoever says it', async () => {
  await using rig = await Rig.open()
  const key = 'not-like-a-key-at-all'
  const say = `I used ${key} \u202eand it works.`
  const claude = await FakeClaude.open(rig, [{ sh: 'echo a > a.txt', calls: [`echo ${key}`], say }])
  const run = await rig.run([claude.task()], claude.settings(), { ...process.env, ANTHROPIC_API_KEY: key })
  assert.equal(run.task('a').history[0]?.summary, 'I used [secret] and it works.')
  assert.ok(!JSON.stringify(run.events).includes(key))
  assert.ok(!rig.git('log', '--all', '--format=%B').includes(key))
  const notes = await readSessionNotes(await workspaceAt(rig.top))
  assert.ok(notes.ok && notes.value.length === 1 && !JSON.stringify(notes).includes(key))
})
