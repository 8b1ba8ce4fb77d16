// How each program is told of the task manager. That each understands it is tried in test/real-agents/mcp.test.ts.
import assert from 'node:assert/strict'
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

test('nobody is told a token where others can read it, and who cannot take one is told nothing', () => {
  for (const agent of [claudeAgent(), codexAgent(), opencodeAgent(), acpAgent('x', 'x'), commandAgent('x')])
    assert.doesNotMatch(invoked(agent).argv.join(' '), /secret/)
  const { argv, env, files = [] } = invoked(geminiAgent())
  assert.doesNotMatch(JSON.stringify([argv, env, files]), /mcp/)
  assert.deepEqual(['claude', 'codex', 'opencode', 'gemini', 'acp:gemini', 'command'].map(takesMcp), [
    ...[true, true, true],
    ...[false, true, false],
  ])
})
