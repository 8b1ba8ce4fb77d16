// The real programs, against the scripted model on loopback: where they are, and what makes them talk to it.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LayerSettings } from '../../src/config.ts'
import type { TaskDraft } from '../rig/plan.ts'
import { until } from '../rig/until.ts'
import type { ModelServer, Step } from './model-server.ts'

export const CLIS = ['claude', 'codex', 'opencode', 'gemini'] as const
export type Cli = (typeof CLIS)[number]

/** The four, and `acp`: opencode over ACP. */
export const ALL = [...CLIS, 'acp'] as const
export type AgentId = (typeof ALL)[number]

export type CliSetup = { settings: LayerSettings; environment: NodeJS.ProcessEnv }

/** Settings and environment that let all of them work without an account. */
export function cliSetup({ home, url }: { home: string; url: string }): CliSetup {
  const clis = process.env.AGENT_CLIS ?? assert.fail('run these tests with `npm run test:agents`')
  furnish(home)
  const provider = `model_providers.scripted={name="scripted",base_url="${url}/v1",env_key="CODEX_TEST_KEY",wire_api="responses"}`
  const opencode = {
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'scripted',
        options: { baseURL: `${url}/v1`, apiKey: 'none' },
        // Over ACP it tells the cost only of models whose limits it knows.
        models: { m: { name: 'm', cost: OPENCODE_PRICES, limit: { context: 200_000, output: 8_000 } } },
      },
    },
    // Over ACP it asks for permission only where it is told to.
    permission: { edit: 'ask', bash: 'ask' },
  }
  const program = (name: Cli) => join(clis, name, 'node_modules', '.bin', name)
  return {
    settings: {
      maxConcurrency: ALL.length,
      agents: {
        claude: { program: program('claude'), model: 'claude-sonnet-4-5' },
        codex: {
          program: program('codex'),
          model: 'gpt-5-codex',
          args: ['-c', 'model_provider="scripted"', '-c', provider],
        },
        opencode: { program: program('opencode'), model: 'scripted/m' },
        gemini: { program: program('gemini'), model: 'gemini-2.5-pro' },
        acp: {
          opencode: { program: secondOpencode(home, program('opencode')), model: 'scripted/m', args: ['acp'] },
          gemini: {
            program: program('gemini'),
            model: 'gemini-2.5-pro',
            args: ['--experimental-acp', '--skip-trust'],
          },
        },
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
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify(opencode),
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url,
    },
  }
}

/** A home folder in which none of them looks for anything on the network. */
function furnish(home: string): void {
  mkdirSync(join(home, 'codex'), { recursive: true })
  writeJson(join(home, '.gemini', 'settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  })
  // Where this is not there opencode fetches it whenever it starts: some megabytes, while it should be at work.
  const plugin = { dependencies: { '@opencode-ai/plugin': '*' } }
  const opencode = join(home, '.config', 'opencode')
  mkdirSync(join(opencode, 'node_modules'), { recursive: true })
  writeJson(join(opencode, 'package.json'), plugin)
  writeJson(join(opencode, 'package-lock.json'), { packages: { '': plugin } })
}

/** opencode (1.18) creates its database when it first starts, and two that do so at the same time fail: one of its own. */
function secondOpencode(home: string, program: string): string {
  const [script, data] = [join(home, 'opencode'), join(home, 'second')]
  writeFileSync(script, `#!/bin/sh\nXDG_DATA_HOME='${data}' XDG_STATE_HOME='${data}' exec '${program}' "$@"\n`)
  chmodSync(script, 0o755)
  return script
}

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
}

/** Of the scripted model, in US dollars per million tokens. */
export const OPENCODE_PRICES = { input: 1, output: 2, cache_read: 0.5 }

/** A task whose agent does what the script of that name says. */
export function agentTask(id: string, who: AgentId | 'acp:gemini', more: Partial<TaskDraft> = {}): TaskDraft {
  const agent = who === 'acp' ? 'acp:opencode' : who
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

/** Resolves when so many questions hang; says who asked what when they do not come. */
export async function untilHanging(server: ModelServer, count: number): Promise<void> {
  try {
    await until('questions that hang', () => server.hanging >= count, PATIENCE_MS)
  } catch (error) {
    assert.fail(`${error instanceof Error ? error.message : error}: ${server.story}`)
  }
}

/** For programs that take seconds to start, five at a time, on a machine that has other things to do. */
export const PATIENCE_MS = 240_000
