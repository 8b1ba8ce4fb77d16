import { join } from 'node:path'
import { type AgentFacts, listPrices } from '../facts.ts'

export const codex: AgentFacts = {
  title: 'Codex',
  variables: ['OPENAI_*', 'CODEX_*'],
  cost: 'by-tokens',
  defaultModel: 'gpt-6.1-sol',
  tiers: ['gpt-6-luna', 'gpt-6.1-terra', 'gpt-6.1-sol'],
  models: { pattern: /^(gpt-|codex-|o\d)/, like: 'gpt-…, codex-…, o3…', short: [] },
  prices: {
    ...listPrices(1.25, [
      ['gpt-6.1-sol', 2, 10, 0.1],
      ['gpt-6.1-terra', 1, 5, 0.05],
      ['gpt-6-astra', 10, 50],
      ['gpt-6-sol', 2, 10],
      ['gpt-6-luna', 0.1, 0.5],
      ['gpt-5.6-sol', 4, 20],
      ['gpt-5.6-terra', 2, 12],
      ['gpt-5.6-luna', 0.2, 1.2],
    ]),
    ...listPrices(0, [
      ['gpt-5.5', 5, 30],
      ['gpt-5.4', 2.5, 15],
      ['gpt-5.4-mini', 0.75, 4.5],
      ['gpt-5.3-codex gpt-5.2', 1.75, 14],
      ['gpt-5.1 gpt-5.1-codex gpt-5 gpt-5-codex', 1.25, 10],
      ['gpt-5.1-codex-mini gpt-5-mini', 0.25, 2],
      ['gpt-5-nano', 0.05, 0.4],
      ['gpt-5-pro', 15, 120, 15],
    ]),
  },
  login: {
    // It ignores OPENAI_API_KEY.
    variables: ['CODEX_API_KEY'],
    files: (env, home) => [join(env.CODEX_HOME || join(home, '.codex'), 'auth.json')],
    advice: '`codex login`, or set CODEX_API_KEY (it does not read OPENAI_API_KEY)',
  },
  testedPackage: '@openai/codex@0.166.0',
}
