// How each program is told of the task manager. That each understands it is tried in test/real-agents/mcp.test.ts.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { acpAgent } from '../../src/agents/acp/agent.ts'
import type { Agent, Invocation } from '../../src/agents/agent.ts'
import { claudeAgent } from '../../src/agents/claude/agent.ts'
import { codexAgent } from '../../src/agents/codex/agent.ts'
import { commandAgent } from '../../src/agents/command/agent.ts'
import { geminiAgent } from '../../src/agents/gemini/agent.ts'
import { takesMcp } from '../../src/agents/mcp-server.ts'
import { opencodeAgent } from '../../src/agents/opencode/agent.ts'

const server = {
  command: '/bin/node',
  args: ['/lib/it "s.js', 'mcp'],
  env: { ESPALIER_TASK: 'a', ESPALIER_TOKEN: 'secret' },
}

function invoked(agent: Agent, environment: Record<string, string> = {}): Invocation {
  const mcp = { ...server, folder: '/attempt', environment }
  return agent.invoke({ promptFile: '', model: null, newSession: 'S', resume: null, mayWrite: null, mcp })
}

test('claude: a file beside its output, which it loads besides those of its user', () => {
  const { argv, files } = invoked(claudeAgent('claude', ['--mine']))
  assert.deepEqual(argv.slice(-2), ['--mcp-config=/attempt/mcp.json', '--mine'])
  const [file] = files ?? []
  assert.equal(file?.path, '/attempt/mcp.json')
  assert.deepEqual(JSON.parse(file.text), { mcpServers: { espalier: { ...server, alwaysLoad: true } } })
})

test('codex: settings on its command line, its variables by name', () => {
  const { argv } = invoked(codexAgent('codex'))
  const said = argv.filter((arg) => arg.startsWith('mcp_servers.'))
  assert.deepEqual(said, [
    'mcp_servers.espalier.command="/bin/node"',
    'mcp_servers.espalier.args=["/lib/it \\"s.js","mcp"]',
    'mcp_servers.espalier.env_vars=["ESPALIER_TASK","ESPALIER_TOKEN"]',
    'mcp_servers.espalier.startup_timeout_sec=60',
    'mcp_servers.espalier.required=true',
  ])
})

test('opencode: in the variable for its settings, with what its user says there', () => {
  const mine = { type: 'local', command: [server.command, ...server.args], environment: server.env, enabled: true }
  const said = (text?: string) => {
    const { env } = invoked(opencodeAgent('opencode'), text === undefined ? {} : { OPENCODE_CONFIG_CONTENT: text })
    return env.OPENCODE_CONFIG_CONTENT === undefined ? null : JSON.parse(env.OPENCODE_CONFIG_CONTENT)
  }
  assert.deepEqual(said(), { mcp: { espalier: mine } })
  const user = '{ "model": "x/y", /* mine */ "mcp": { "other": { "enabled": false } }, }'
  assert.deepEqual(said(user), { model: 'x/y', mcp: { other: { enabled: false }, espalier: mine } })
  assert.equal(said('{ "model": '), null, 'what makes no sense is left as it is')
})

test('ACP: in the orders of the driver, its variables by name', () => {
  const { argv } = invoked(acpAgent('goose', 'goose', ['acp']))
  const orders = JSON.parse(argv.at(-3) ?? '')
  assert.deepEqual(orders.mcp, { name: 'espalier', ...server, env: ['ESPALIER_TASK', 'ESPALIER_TOKEN'] })
})

test('any program: a file in the usual form, named by a variable', () => {
  const { env, files } = invoked(commandAgent('mine'))
  assert.deepEqual(env, { ESPALIER_MCP_CONFIG: '/attempt/mcp.json' })
  assert.deepEqual(JSON.parse(files?.[0]?.text ?? ''), { mcpServers: { espalier: server } })
})

test('gemini: in the settings of a home folder that is made of links to that of its user', () => {
  const home = mkdtempSync(join(tmpdir(), 'espalier-gemini-'))
  try {
    const told = () => invoked(geminiAgent(), { HOME: home })
    const linked = ({ links = [] }: Invocation) => links.map(({ path, target }) => [path, target])
    const both = ['tmp', 'history'].map((name) => [`/attempt/home/.gemini/${name}`, join(home, '.gemini', name)])
    const first = told()
    assert.equal(first.env.GEMINI_CLI_HOME, '/attempt/home')
    assert.deepEqual(JSON.parse(first.files?.[0]?.text ?? ''), { mcpServers: { espalier: server } })
    assert.deepEqual(linked(first), both, 'a home folder in which it was never used')

    mkdirSync(join(home, '.gemini', 'tmp'), { recursive: true })
    for (const name of ['.gemini/oauth_creds.json', '.gemini/projects.json', '.env', 'other'])
      writeFileSync(join(home, name), '{}')
    const settings = '{ "ui": { "theme": "x" }, /* mine */ "mcpServers": { "mine": { "command": "m" } }, }'
    writeFileSync(join(home, '.gemini', 'settings.json'), settings)
    const used = told()
    assert.deepEqual(
      used.files?.map(({ path }) => path),
      ['/attempt/home/.gemini/settings.json'],
    )
    const servers = { mine: { command: 'm' }, espalier: server }
    assert.deepEqual(JSON.parse(used.files?.[0]?.text ?? ''), { ui: { theme: 'x' }, mcpServers: servers })
    assert.deepEqual(linked(used), [
      ...both,
      ['/attempt/home/.gemini/oauth_creds.json', join(home, '.gemini/oauth_creds.json')],
      ['/attempt/home/.env', join(home, '.env')],
    ])

    writeFileSync(join(home, '.gemini', 'settings.json'), '{ "ui": ')
    assert.deepEqual(told().env, {}, 'what makes no sense is left as it is')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test('nobody is told a token where others can read it', () => {
  const agents = [claudeAgent(), codexAgent(), opencodeAgent(), geminiAgent(), acpAgent('x', 'x'), commandAgent('x')]
  for (const agent of agents) assert.doesNotMatch(invoked(agent).argv.join(' '), /secret/)
  assert.deepEqual(['claude', 'codex', 'opencode', 'gemini', 'acp:gemini', 'command'].map(takesMcp), [
    ...[true, true, true],
    ...[true, true, false],
  ])
})
