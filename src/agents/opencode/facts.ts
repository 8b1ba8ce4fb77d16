import { join } from 'node:path'
import type { AgentFacts } from '../facts.ts'

export const opencode: AgentFacts = {
  title: 'opencode',
  variables: ['OPENCODE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'OPENROUTER_*'],
  cost: 'reported',
  // Its user has accounts with providers of their choice.
  defaultModel: null,
  tiers: [],
  models: null,
  prices: {},
  login: {
    variables: [
      ...['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
      'OPENCODE_CONFIG_CONTENT',
    ],
    files: (env, home) => [join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode', 'auth.json')],
    advice: '`opencode auth login`, or set the key of your provider',
  },
  testedPackage: 'opencode-ai@1.18.33',
}
