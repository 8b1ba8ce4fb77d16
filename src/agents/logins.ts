// Whether an agent's program seems to be logged in or to have a key. Only whether something is there counts; it is not read.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownAgent } from './known-agents.ts'

type Environment = Readonly<Record<string, string | undefined>>

type Login = {
  variables: readonly string[]
  files(env: Environment, home: string): string[]
  advice: string
}

/** The variable or file that looks like a login; null: none was found. */
export function findLogin(agent: KnownAgent, env: Environment, home: string): string | null {
  const { variables, files } = LOGINS[agent]
  return variables.find((name) => env[name]) ?? files(env, home).find(hasContent) ?? null
}

export function loginAdvice(agent: KnownAgent): string {
  return LOGINS[agent].advice
}

const LOGINS: Record<KnownAgent, Login> = {
  claude: {
    variables: [
      ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'],
    ],
    files: (env, home) => [join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), '.credentials.json')],
    advice:
      'start `claude` once and log in, or set ANTHROPIC_API_KEY (this check cannot see a login in the macOS keychain)',
  },
  codex: {
    // It ignores OPENAI_API_KEY.
    variables: ['CODEX_API_KEY'],
    files: (env, home) => [join(env.CODEX_HOME || join(home, '.codex'), 'auth.json')],
    advice: '`codex login`, or set CODEX_API_KEY (it does not read OPENAI_API_KEY)',
  },
  opencode: {
    variables: [
      ...['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
      'OPENCODE_CONFIG_CONTENT',
    ],
    files: (env, home) => [join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode', 'auth.json')],
    advice: '`opencode auth login`, or set the key of your provider',
  },
  gemini: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
    files: (_, home) => ['oauth_creds.json', 'gemini-credentials.json'].map((name) => join(home, '.gemini', name)),
    advice: 'start `gemini` once and log in, or set GEMINI_API_KEY',
  },
}

function hasContent(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size > EMPTY_OBJECT_BYTES
}

/** `{}` and a line end: what is left after a logout. */
const EMPTY_OBJECT_BYTES = 3
