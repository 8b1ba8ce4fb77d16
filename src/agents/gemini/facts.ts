import { join } from 'node:path'
import { type AgentFacts, listPrices } from '../facts.ts'

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
  prices: listPrices(0, [
    ['gemini-3.8-flash gemini-3.7-flash gemini-3.6-flash', 0.75, 3.75],
    ['gemini-3.5-flash', 1.5, 9],
    ['gemini-3.5-flash-lite gemini-2.5-flash', 0.3, 2.5],
    ['gemini-3.1-pro-preview gemini-3.1-pro-preview-customtools gemini-3-pro-preview', 2, 12],
    ['gemini-3.1-flash-lite', 0.25, 1.5],
    ['gemini-3-flash-preview', 0.5, 3],
    ['gemini-2.5-pro', 1.25, 10],
    ['gemini-2.5-flash-lite', 0.1, 0.4],
  ]),
  login: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
    files: (_, home) => ['oauth_creds.json', 'gemini-credentials.json'].map((name) => join(home, '.gemini', name)),
    advice: 'start `gemini` once and log in, or set GEMINI_API_KEY',
  },
  testedPackage: '@google/gemini-cli@0.61.0',
}
