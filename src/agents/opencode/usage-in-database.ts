// The database in which opencode keeps its conversations, with tokens and cost of every answer, also of subagents.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Usage } from '../../usage.ts'
import type { ProcessOfConversation, UsageInFiles } from '../agent.ts'
import type { Environment } from '../facts.ts'
import { countAt, type Json, jsonLine, textAt } from '../read-json-fields.ts'

/** Usage of the answers in this conversation and all below it. */
export async function usageInDatabase(process: ProcessOfConversation): Promise<UsageInFiles | null> {
  const { session, since, until, environment } = process
  const row = ask(environment, SUMS, session, MAX_CONVERSATIONS, since, Math.min(until, Number.MAX_SAFE_INTEGER))
  const sums = jsonLine(textAt(row, 'sums') ?? '')
  return countAt(sums, 'answers') === 0 ? null : { usage: opencodeUsage(sums), model: null, isComplete: true }
}

/** Tokens in the words of opencode: the same in its output and its database. */
export function opencodeUsage(answer: Json | null): Usage {
  return {
    inputTokens: countAt(answer, 'tokens', 'input'),
    // It counts thinking apart.
    outputTokens: countAt(answer, 'tokens', 'output') + countAt(answer, 'tokens', 'reasoning'),
    cacheReadTokens: countAt(answer, 'tokens', 'cache', 'read'),
    cacheWriteTokens: countAt(answer, 'tokens', 'cache', 'write'),
    reasoningTokens: countAt(answer, 'tokens', 'reasoning'),
    costUsd: countAt(answer, 'cost'),
  }
}

/** A conversation belongs to the folder it was begun in: in another one opencode waits for ever. */
export async function isInDatabase(session: string, environment: Environment): Promise<boolean> {
  const found = ask(environment, 'select directory from session where id = ?', session)
  return textAt(found, 'directory') === environment.ESPALIER_WORKTREE
}

/** The first row; null: none, or no such database. */
function ask(environment: Environment, sql: string, ...values: (string | number)[]): unknown {
  const path = databasePath(environment)
  if (!existsSync(path)) return null
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    return db.prepare(sql).get(...values)
  } catch {
    // Another version may keep it in another way.
    return null
  } finally {
    db?.close()
  }
}

function databasePath({ OPENCODE_DB, XDG_DATA_HOME, HOME }: Environment): string {
  const data = join(XDG_DATA_HOME || join(HOME ?? '/', '.local', 'share'), 'opencode')
  return resolve(data, OPENCODE_DB || 'opencode.db')
}

const SUMS = `
  with recursive conversation(id) as (
    select id from session where id = ?
    union select session.id from session join conversation on session.parent_id = conversation.id
    limit ?
  )
  select json_object('answers', count(*), 'cost', sum(json_extract(data, '$.cost')), 'tokens', json_object(
    'input', sum(json_extract(data, '$.tokens.input')),
    'output', sum(json_extract(data, '$.tokens.output')),
    'reasoning', sum(json_extract(data, '$.tokens.reasoning')),
    'cache', json_object(
      'read', sum(json_extract(data, '$.tokens.cache.read')),
      'write', sum(json_extract(data, '$.tokens.cache.write'))))) as sums
  from message
  where session_id in conversation and time_created >= ? and time_created < ?
    and json_extract(data, '$.role') = 'assistant'`

const MAX_CONVERSATIONS = 1_000
/** It only waits while the database is being made. */
const BUSY_TIMEOUT_MS = 500
