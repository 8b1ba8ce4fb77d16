import { join } from 'node:path'
import { type AgentFacts, listPrices } from '../facts.ts'

export const claude: AgentFacts = {
  title: 'Claude Code',
  variables: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_*', 'CLOUD_ML_REGION', 'VERTEX_*'],
  cost: 'reported-at-end',
  defaultModel: 'claude-opus-5-5',
  tiers: ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5'],
  models: {
    pattern: /^claude-/,
    like: 'claude-…',
    short: ['default', 'sonnet', 'opus', 'haiku', 'fable', 'best', 'opusplan', 'sonnet[1m]', 'opus[1m]', 'fable[1m]'],
  },
  prices: listPrices(1.25, [
    ['claude-fable-5-1', 10, 50, 0.25],
    ['claude-fable-5', 10, 50],
    ['claude-opus-5-5', 4, 20, 0.2],
    ['claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5', 5, 25],
    ['claude-opus-4-1 claude-opus-4', 15, 75],
    ['claude-sonnet-5-5', 2, 10, 0.1],
    ['claude-sonnet-5', 2, 10],
    ['claude-sonnet-4-6 claude-sonnet-4-5 claude-sonnet-4', 3, 15],
    ['claude-haiku-5-5', 0.1, 0.5],
    ['claude-haiku-4-5', 1, 5],
    ['claude-3-5-haiku', 0.8, 4],
  ]),
  login: {
    variables: [
      ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'],
    ],
    files: (env, home) => [join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), '.credentials.json')],
    advice:
      'start `claude` once and log in, or set ANTHROPIC_API_KEY (this check cannot see a login in the macOS keychain)',
  },
  testedPackage: '@anthropic-ai/claude-code@2.1.325',
}
