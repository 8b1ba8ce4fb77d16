// The real programs, against the scripted model on loopback: where they are, and what makes them talk to it.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LayerSettings } from '../../src/config.ts'
import type { TaskDraft } from '../rig/plan.ts'
import type { Step } from './model-server.ts'

export const CLIS = ['claude', 'codex', 'opencode', 'gemini'] as const
export type Cli = (typeof CLIS)[number]

export type CliSetup = { settings: LayerSettings; environment: NodeJS.ProcessEnv }

/** Settings and environment that let all four work without an account. */
export function cliSetup({ home, url }: { home: string; url: string }): CliSetup {
  const clis = process.env.AGENT_CLIS ?? assert.fail('run these tests with `npm run test:agents`')
  mkdirSync(join(home, '.gemini'), { recursive: true })
  mkdirSync(join(home, 'codex'), { recursive: true })
  const auth = { security: { auth: { selectedType: 'gemini-api-key' } } }
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(auth))
  const provider = `model_providers.scripted={name="scripted",base_url="${url}/v1",env_key="CODEX_TEST_KEY",wire_api="responses"}`
  const opencode = {
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'scripted',
        options: { baseURL: `${url}/v1`, apiKey: 'none' },
        models: { m: { name: 'm', cost: { input: 1, output: 2, cache_read: 0.5 } } },
      },
    },
  }
  const program = (name: Cli) => join(clis, name, 'node_modules', '.bin', name)
  return {
    settings: {
      agents: {
        claude: { program: program('claude'), model: 'claude-sonnet-4-5' },
        codex: {
          program: program('codex'),
          model: 'gpt-5-codex',
          args: ['-c', 'model_provider="scripted"', '-c', provider],
        },
        opencode: { program: program('opencode'), model: 'scripted/m' },
        gemini: { program: program('gemini'), model: 'gemini-2.5-pro' },
      },
    },
    environment: {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-scripted',
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CODEX_HOME: join(home, 'codex'),
      CODEX_TEST_KEY: 'none',
      OPENCODE_CONFIG_CONTENT: JSON.stringify(opencode),
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url,
    },
  }
}

/** A task whose agent does what the script of that name says. */
export function agentTask(id: string, agent: Cli, more: Partial<TaskDraft> = {}): TaskDraft {
  const prompt = `Do the work of ${id}. [[script:${id}]]`
  return { id, work: { kind: 'prompt', prompt, agent, model: null }, timeoutMs: PATIENCE_MS, ...more }
}

/** Writes `NAME.txt` and says so. */
export function smallTask(name: string): Step[] {
  return [
    { do: 'run', command: `echo 'by ${name}' > ${name}.txt` },
    { do: 'say', text: `I wrote ${name}.txt.` },
  ]
}

/** For programs that take seconds to start, four at a time, on a machine that has other things to do. */
export const PATIENCE_MS = 120_000
