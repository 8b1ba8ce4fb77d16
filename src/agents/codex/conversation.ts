// What Codex keeps of a conversation: `sessions/2026/11/15/rollout-TIME-ID.jsonl`. The tokens of all of it come after every
// answer, so the end of the file is enough; the model stands at the beginning of each turn. Its output tells neither in time.
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { firstLines, lastLines } from '../../files/ends-of-file.ts'
import { addUsage, allTokens, NO_USAGE, type Usage, usageSince } from '../../usage.ts'
import type { Environment } from '../agent.ts'
import { type Json, jsonLine, objectAt, textAt } from '../json-line.ts'
import { codexUsage } from './usage.ts'

/**
 * Of what it has used since then, with its subagents, which have conversations and files of their own. Null: it has written
 * nothing, or not where it is looked for.
 */
export async function usageInRollout(session: string, since: number, environment: Environment): Promise<Usage | null> {
  const path = await findRollout(session, environment)
  if (path === null) return null
  const all = [path, ...(await subagentRollouts(session, path))]
  const parts = await Promise.all(
    all.map(async (one) => {
      const now = await totalNow(one)
      return now && usageSince(now, await totalAtStart(one, since))
    }),
  )
  const sum = parts.filter((usage) => usage !== null).reduce(addUsage, NO_USAGE)
  return allTokens(sum) === 0 ? null : sum
}

/**
 * Of a conversation by now. Its records count every answer as soon as it is there, and go on when it is resumed. Earlier
 * versions have none: only the counts that follow when the tools have been used, which may begin anew then.
 */
async function totalNow(path: string): Promise<Usage | null> {
  const lines = (await lastLines(path, END_BYTES)).reverse()
  return first(lines, recordIn) ?? first(lines, countIn)
}

/** What it had used before a process that began then. */
async function totalAtStart(path: string, since: number): Promise<Usage> {
  const key = `${path} ${since}`
  const known = atStart.get(key)
  if (known) return known
  const lines = (await lastLines(path, WHOLE_BYTES)).reverse()
  const totalIn = lines.some((text) => text.includes(RECORD)) ? recordIn : countIn
  const found = first(lines, totalIn, (line) => Date.parse(textAt(line, 'timestamp') ?? '') < since) ?? NO_USAGE
  if (atStart.size >= MAX_FILES) atStart.clear()
  atStart.set(key, found)
  return found
}

function first(
  lines: readonly string[],
  totalIn: (line: Json | null) => Json | null,
  isMeant: (line: Json | null) => boolean = () => true,
): Usage | null {
  for (const text of lines) {
    const line = text.includes('token_usage"') ? jsonLine(text) : null
    const total = totalIn(line)
    if (total && isMeant(line)) return codexUsage(total)
  }
  return null
}

/** By file and start: it does not change any more, and is asked for every few seconds. */
const atStart = new Map<string, Usage>()

/** Whose first line says that they belong to that conversation: in the folders of its day and of the next. */
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

function recordIn(line: Json | null): Json | null {
  return line?.type === RECORD ? objectAt(line, 'payload', 'thread_token_usage') : null
}

const RECORD = 'token_usage_record'

function countIn(line: Json | null): Json | null {
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
const WHOLE_BYTES = 64_000_000
/** Conversations that began on the same day: what is beyond is not counted. */
const MAX_FILES = 1_000
