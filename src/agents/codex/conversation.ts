// What Codex keeps of a conversation: `sessions/2026/11/15/rollout-TIME-ID.jsonl`. The tokens of all of it come after every
// answer, so the end of the file is enough; the model stands at the beginning of each turn. Its output tells neither in time.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firstLines, lastLines } from '../../files/ends-of-file.ts'
import type { Usage } from '../../usage.ts'
import type { Environment } from '../agent.ts'
import { type Json, jsonLine, objectAt, textAt } from '../json-line.ts'
import { codexUsage } from './usage.ts'

export async function usageInRollout(session: string, environment: Environment): Promise<Usage | null> {
  const path = await findRollout(session, environment)
  const lines = path === null ? [] : await lastLines(path, END_BYTES)
  for (const text of lines.reverse()) {
    const total = text.includes('token_usage"') ? totalIn(jsonLine(text)) : null
    if (total) return codexUsage(total)
  }
  return null
}

/** Null: as above. All turns of a conversation have the same, unless its user wants another. */
export async function modelInRollout(session: string, environment: Environment): Promise<string | null> {
  const path = await findRollout(session, environment)
  const lines = path === null ? [] : await firstLines(path, START_BYTES)
  for (const text of lines) {
    const line = text.includes('"turn_context"') ? jsonLine(text) : null
    const model = line?.type === 'turn_context' ? textAt(line, 'payload', 'model') : null
    if (model) return model
  }
  return null
}

/** It tells them as soon as it has an answer, and again when the tools have been used. */
function totalIn(line: Json | null): Json | null {
  if (line?.type === 'token_usage_record') return objectAt(line, 'payload', 'thread_token_usage')
  const isCount = textAt(line, 'payload', 'type') === 'token_count'
  return isCount ? objectAt(line, 'payload', 'info', 'total_token_usage') : null
}

export async function findRollout(session: string, environment: Environment): Promise<string | null> {
  const home = environment.CODEX_HOME || join(environment.HOME ?? '/', '.codex')
  const sessions = join(home, 'sessions')
  for (const day of daysOf(session)) {
    const names = await readdir(join(sessions, day)).catch(() => [])
    const name = names.find((one) => one.endsWith(`-${session}.jsonl`))
    if (name !== undefined) return join(sessions, day, name)
  }
  return null
}

/** The name of a conversation begins with the time it began; which day that is depends on where the program thinks it is. */
function daysOf(session: string): string[] {
  const beganAt = Number.parseInt(session.replaceAll('-', '').slice(0, 12), 16)
  return [0, -DAY_MS, DAY_MS].flatMap((offset) => {
    const day = new Date(beganAt + offset)
    return Number.isNaN(day.getTime()) ? [] : [day.toISOString().slice(0, 10).replaceAll('-', '/')]
  })
}

const DAY_MS = 24 * 60 * 60 * 1000
/** More than its instructions, its tools and a long prompt. */
const START_BYTES = 1_000_000
/** More than the longest line between two answers. */
const END_BYTES = 1_000_000
