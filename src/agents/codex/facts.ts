import { join } from 'node:path'
import type { AgentFacts } from '../facts.ts'

export const codex: AgentFacts = {
  title: 'Codex',
  variables: ['OPENAI_*', 'CODEX_*'],
  cost: 'by-tokens',
  defaultModel: 'gpt-6.1-sol',
  tiers: ['gpt-6-luna', 'gpt-6.1-terra', 'gpt-6.1-sol'],
  models: { pattern: /^(gpt-|codex-|o\d)/, like: 'gpt-…, codex-…, o3…', short: [] },
  prices: {
    'gpt-6.1-sol': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
    'gpt-6.1-terra': { input: 1, output: 5, cacheRead: 0.05, cacheWrite: 1.25 },
    'gpt-6-astra': { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
    'gpt-6-sol': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    'gpt-6-luna': { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    'gpt-5.6-sol': { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 },
    'gpt-5.6-terra': { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2.5 },
    'gpt-5.6-luna': { input: 0.2, output: 1.2, cacheRead: 0.02, cacheWrite: 0.25 },
    'gpt-5.5': { input: 5, output: 30, cacheRead: 0.5, cacheWrite: 0 },
    'gpt-5.4': { input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 0 },
    'gpt-5.4-mini': { input: 0.75, output: 4.5, cacheRead: 0.075, cacheWrite: 0 },
    'gpt-5.3-codex': { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: 0 },
    'gpt-5.2': { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: 0 },
    'gpt-5.1': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    'gpt-5.1-codex': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    'gpt-5.1-codex-mini': { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
    'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    'gpt-5-codex': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
    'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005, cacheWrite: 0 },
    'gpt-5-pro': { input: 15, output: 120, cacheRead: 15, cacheWrite: 0 },
  },
  login: {
    // It ignores OPENAI_API_KEY.
    variables: ['CODEX_API_KEY'],
    files: (env, home) => [join(env.CODEX_HOME || join(home, '.codex'), 'auth.json')],
    advice: '`codex login`, or set CODEX_API_KEY (it does not read OPENAI_API_KEY)',
  },
  testedPackage: '@openai/codex@0.166.0',
}
