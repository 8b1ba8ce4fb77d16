import { join } from 'node:path'
import type { AgentFacts } from '../facts.ts'

export const gemini: AgentFacts = {
  title: 'Gemini',
  variables: ['GEMINI_*', 'GOOGLE_*'],
  cost: 'by-tokens',
  // It chooses for every question anew.
  defaultModel: 'auto',
  tiers: ['gemini-2.5-flash-lite', 'gemini-2.5-flash', 'gemini-2.5-pro'],
  models: {
    pattern: /^gemini-/,
    like: 'gemini-…',
    short: ['pro', 'flash', 'flash-lite', 'auto-gemini-2.5', 'auto-gemini-3'],
  },
  prices: {
    'gemini-3.8-flash': { input: 0.75, output: 3.75, cacheRead: 0.075, cacheWrite: 0 },
    'gemini-3.7-flash': { input: 0.75, output: 3.75, cacheRead: 0.075, cacheWrite: 0 },
    'gemini-3.6-flash': { input: 0.75, output: 3.75, cacheRead: 0.075, cacheWrite: 0 },
    'gemini-3.5-flash': { input: 1.5, output: 9, cacheRead: 0.15, cacheWrite: 0 },
    'gemini-3.5-flash-lite': { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0 },
    'gemini-3.1-pro-preview': { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 0 },
    'gemini-3.1-pro-preview-customtools': { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 0 },
    'gemini-3.1-flash-lite': { input: 0.25, output: 1.5, cacheRead: 0.025, cacheWrite: 0 },
    'gemini-3-pro-preview': { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 0 },
    'gemini-3-flash-preview': { input: 0.5, output: 3, cacheRead: 0.05, cacheWrite: 0 },
    'gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01, cacheWrite: 0 },
  },
  login: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
    files: (_, home) => ['oauth_creds.json', 'gemini-credentials.json'].map((name) => join(home, '.gemini', name)),
    advice: 'start `gemini` once and log in, or set GEMINI_API_KEY',
  },
  testedPackage: '@google/gemini-cli@0.61.0',
}
