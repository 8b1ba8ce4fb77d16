// `espalier doctor` and the agents, with programs that stand in for theirs.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { agentChecks, probeAgents } from '../../../src/engine/doctor/agent-checks.ts'

type Machine = { home: string; env: Record<string, string>; write(path: string, text: string): void }

/** With these agents installed, by what they print for `--version`. */
function machine(context: TestContext, installed: Record<string, string>): Machine {
  const home = mkdtempSync(join(tmpdir(), 'espalier-machine-'))
  context.after(() => rmSync(home, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text, { mode: 0o755 })
  }
  for (const [name, version] of Object.entries(installed)) write(`bin/${name}`, `#!/bin/sh\necho '${version}'\n`)
  return { home, env: { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin` }, write }
}

async function told({ home, env }: Machine, agent = 'command', more: Record<string, string> = {}): Promise<string[]> {
  const checks = await agentChecks({ ...DEFAULT_SETTINGS, agent }, { ...env, ...more })
  return checks.map(({ state, message }) => `${state}: ${message.replaceAll(home, '~')}`)
}

test('agents that are not installed are one quiet line; that there is none at all is a warning', async (context) => {
  const here = machine(context, {})
  assert.deepEqual(await told(here), ['warn: none installed (looked for claude, codex, opencode, gemini)'])
  const checksWith = (command: string | null) => agentChecks({ ...DEFAULT_SETTINGS, command }, here.env)
  assert.match((await checksWith(null))[0]?.fix ?? '', /install one of them, or name any program with --command/)
  const quiet = {
    name: 'agents',
    state: 'ok',
    isReadyAgent: true,
    message: 'also supported, but not installed: claude, codex, opencode, gemini',
  }
  assert.deepEqual(await checksWith('my-agent'), [quiet], 'there is one')
})

test('the one that the settings name is a warning', async (context) => {
  const [warning, rest] = await told(machine(context, {}), 'codex')
  assert.equal(warning, 'warn: codex is the agent of the settings, but there is no program `codex` on the PATH')
  assert.equal(rest, 'ok: also supported, but not installed: claude, opencode, gemini')
})

test('an agent is told with its version, its place and what it is logged in with', async (context) => {
  const here = machine(context, { claude: '2.1.3 (Claude Code)', codex: 'codex-cli 0.166.0', gemini: '0.61.0' })
  here.write('.codex/auth.json', '{"tokens":{"id":"x"}}')
  here.write('.gemini/oauth_creds.json', '{}\n')
  assert.deepEqual(await told(here, 'command', { ANTHROPIC_API_KEY: 'secret' }), [
    'ok: claude 2.1.3 at ~/bin/claude, login or key: ANTHROPIC_API_KEY',
    'ok: codex 0.166.0 at ~/bin/codex, login or key: ~/.codex/auth.json',
    'warn: gemini 0.61.0 at ~/bin/gemini, not ready: no login or key was found',
    'ok: also supported, but not installed: opencode',
  ])
})

test('where a program keeps its files can be set by its variable', async (context) => {
  const here = machine(context, { claude: '2.1.3', codex: '0.1.0', opencode: '1.18.33' })
  for (const path of ['a/.credentials.json', 'b/auth.json', 'c/opencode/auth.json']) here.write(path, '{"x":{}}')
  const moved = { CLAUDE_CONFIG_DIR: 'a', CODEX_HOME: 'b', XDG_DATA_HOME: 'c' }
  const places = Object.fromEntries(Object.entries(moved).map(([name, path]) => [name, join(here.home, path)]))
  const lines = await told(here, 'command', places)
  assert.deepEqual(
    lines.map((line) => line.split('login or key: ')[1]),
    ['~/a/.credentials.json', '~/b/auth.json', '~/c/opencode/auth.json', undefined],
  )
})

test('the agent of the settings without a login is a warning that says what to do', async (context) => {
  const { env } = machine(context, { gemini: '0.61.0' })
  const [check] = await agentChecks({ ...DEFAULT_SETTINGS, agent: 'gemini' }, env)
  assert.equal(check?.state, 'warn')
  assert.match(check.message, /no login or key was found$/)
  assert.match(check.fix ?? '', /set GEMINI_API_KEY/)
})

test('a program that tells no version is there all the same', async (context) => {
  const here = machine(context, { claude: 'hello' })
  const [line] = await told(here, 'command', { ANTHROPIC_API_KEY: 'x' })
  assert.equal(line, 'ok: claude (its version could not be found out) at ~/bin/claude, login or key: ANTHROPIC_API_KEY')
})

test('ACP agents that the settings name are told with their version, and a missing one is a warning', async (context) => {
  const { home, env } = machine(context, { goose: 'goose 1.0.3', npx: '11.2.0', silent: 'hello' })
  const zed = { program: 'npx', args: ['zed-agent'] }
  const acp = { goose: { program: 'goose' }, cursor: { program: 'agent' }, zed, silent: { program: 'silent' } }
  const settings = { ...DEFAULT_SETTINGS, agents: { ...DEFAULT_SETTINGS.agents, acp } }
  const lines = (await agentChecks(settings, env)).map(({ state, message }) => `${state}: ${message}`)
  assert.ok(lines.includes(`ok: acp:goose 1.0.3 at ${home}/bin/goose`), lines.join('\n'))
  assert.ok(lines.includes(`ok: acp:zed: npx 11.2.0 at ${home}/bin/npx`))
  assert.ok(lines.includes(`ok: acp:silent (its version could not be found out) at ${home}/bin/silent`))
  assert.ok(
    lines.includes('warn: acp:cursor is named in the settings, but there is no program `agent` on the PATH'),
    lines.join('\n'),
  )
})

test('codex does not read OPENAI_API_KEY', async (context) => {
  const here = machine(context, { codex: '0.166.0' })
  assert.match((await told(here, 'codex', { OPENAI_API_KEY: 'x' }))[0] ?? '', /^warn: codex .* not ready/)
  assert.match(
    (await told(here, 'codex', { CODEX_API_KEY: 'x' }))[0] ?? '',
    /^ok: codex .* login or key: CODEX_API_KEY$/,
  )
})

test('--probe asks each installed agent for one word, and says who does not answer', async (context) => {
  const here = machine(context, {})
  const init = '{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4-5"}'
  const result =
    '{"type":"result","subtype":"success","is_error":false,"result":"OK","num_turns":1,"total_cost_usd":0.25}'
  here.write('bin/claude', `#!/bin/sh\ncat > /dev/null\necho '${init}'\necho '${result}'\n`)
  here.write(
    'bin/codex',
    `#!/bin/sh\necho '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}'; exit 1\n`,
  )
  const checks = await probeAgents(DEFAULT_SETTINGS, here.env)
  const [claude, codex, ...more] = checks.map(({ state, message }) => `${state}: ${message}`)
  assert.match(claude ?? '', /^ok: claude answers \(.*, model claude-sonnet-4-5, \$0\.25\)$/)
  assert.match(codex ?? '', /^warn: codex does not answer \(after .*\): the provider does not accept the login or key/)
  assert.deepEqual(more, [])
})
