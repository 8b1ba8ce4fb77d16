// npm run test:agents: the real Claude Code, Codex, opencode and Gemini against the scripted model on loopback.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { agentClis } from './agent-clis.ts'

const files = globSync('test/real-agents/*.test.ts')
const args = [
  '--disable-warning=ExperimentalWarning',
  '--test',
  '--test-concurrency=1',
  ...process.argv.slice(2),
  ...files,
]
const env = { ...process.env, AGENT_CLIS: agentClis() }
process.exit(spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1)
