// Files of a conversation of Codex: `sessions/2026/11/15/rollout-TIME-ID.jsonl`. The total of tokens follows every
// answer, so the end of the file is enough; the model is at the beginning of each turn. The output tells neither in
// time.
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { addUsage, allTokens, NO_USAGE, type Usage, usageSince } from '../../usage.ts'
import type { ProcessOfConversation, UsageInFiles } from '../agent.ts'
import { findFile, firstLines, linesWith } from '../conversation-file.ts'
import type { Environment } from '../facts.ts'
import { countAt, type Json, jsonLine, objectAt, textAt } from '../read-json-fields.ts'

/** Includes its subagents, which have conversations and files of their own. */
export async function usageInRollout(process: ProcessOfConversation): Promise<UsageInFiles | null> {
  const { session, since, until, environment } = process
  const path = await findRollout(session, environment)
  if (path === null) return null
  const all = [path, ...(await subagentRollouts(session, path))]
  const parts = await Promise.all(
    all.map(async (one) => {
      const total = await totalBefore(until, one)
      return total && usageSince(total, (await totalBefore(since, one)) ?? NO_USAGE)
    }),
  )
  const sum = parts.filter((usage) => usage !== null).reduce(addUsage, NO_USAGE)
  return { usage: allTokens(sum) === 0 ? null : sum, model: await modelIn(path), isComplete: true }
}

/**
 * Total of a conversation by then; null: none. Its records count every answer at once, and go on when it is resumed.
 * Earlier versions have none: only the counts after the use of tools, which may begin anew then.
 */
async function totalBefore(time: number, path: string): Promise<Usage | null> {
  const key = `${path} ${time}`
  const known = totals.get(key)
  if (known !== undefined) return known
  const isNow = time === Number.POSITIVE_INFINITY
  const lines = (await linesWith('token_usage"', path, isNow ? END_BYTES : WHOLE_BYTES)).reverse()
  const before = lines.filter((line) => isNow || Date.parse(textAt(line, 'timestamp') ?? '') < time)
  const found = before.map(recordIn).find((one) => one !== null) ?? before.map(countIn).find((one) => one !== null)
  const total = found ? codexUsage(found) : null
  if (isNow) return total
  if (totals.size >= MAX_FILES) totals.clear()
  totals.set(key, total)
  return total
}

/** By file and time: earlier usage does not change any more, and is asked for every few seconds. */
const totals = new Map<string, Usage | null>()

/** Tokens in the words of Codex: the same in its output and its files. Cached input is part of the input. */
export function codexUsage(tokens: Json | null): Usage {
  const cached = countAt(tokens, 'cached_input_tokens')
  return {
    inputTokens: Math.max(0, countAt(tokens, 'input_tokens') - cached),
    outputTokens: countAt(tokens, 'output_tokens'),
    cacheReadTokens: cached,
    cacheWriteTokens: countAt(tokens, 'cache_write_input_tokens'),
    reasoningTokens: countAt(tokens, 'reasoning_output_tokens'),
    costUsd: 0,
  }
}

/** Files whose first line names that conversation: in the folders of its day and of the next. */
async function subagentRollouts(session: string, path: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of [dirname(path), nextDay(dirname(path))]) {
    const names: string[] = await readdir(folder).catch(() => [])
    const later = names.filter((name) => name > basename(path)).sort()
    for (const name of later.slice(0, MAX_FILES)) {
      const [first = ''] = await firstLines(join(folder, name), START_BYTES)
      const meta = first.includes(session) ? objectAt(jsonLine(first), 'payload') : null
      const belongs = [meta?.session_id, meta?.parent_thread_id].includes(session) && meta?.id !== session
      if (belongs) found.push(join(folder, name))
    }
  }
  return found
}

function nextDay(folder: string): string {
  const [, root = '', day = ''] = /^(.*)[/\\](\d{4}[/\\]\d\d[/\\]\d\d)$/.exec(folder) ?? []
  const at = Date.parse(day.replaceAll(/[/\\]/g, '-'))
  return Number.isNaN(at) ? folder : join(root, new Date(at + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/'))
}

/** All turns of a conversation have the same, unless its user wants another. */
async function modelIn(path: string): Promise<string | null> {
  for (const text of await firstLines(path, START_BYTES)) {
    const line = text.includes('"turn_context"') ? jsonLine(text) : null
    const model = line?.type === 'turn_context' ? textAt(line, 'payload', 'model') : null
    if (model) return model
  }
  return null
}

function recordIn(line: Json): Json | null {
  return line.type === 'token_usage_record' ? objectAt(line, 'payload', 'thread_token_usage') : null
}

function countIn(line: Json): Json | null {
  const isCount = textAt(line, 'payload', 'type') === 'token_count'
  return isCount ? objectAt(line, 'payload', 'info', 'total_token_usage') : null
}

export async function findRollout(session: string, environment: Environment): Promise<string | null> {
  const home = environment.CODEX_HOME || join(environment.HOME ?? '/', '.codex')
  return findFile(
    daysOf(session).map((day) => join(home, 'sessions', day)),
    `-${session}.jsonl`,
  )
}

/** The name of a conversation begins with its time; the day depends on the program's time zone. */
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
const WHOLE_BYTES = 64_000_000
/** Conversations that began on the same day: more are not counted. */
const MAX_FILES = 1_000
