// What opencode keeps of its conversations: a database with tokens and cost of every answer, also of subagents.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Usage } from '../../usage.ts'
import type { Environment } from '../agent.ts'
import { countAt, textAt } from '../json-line.ts'

/** Of the answers since `since`, in this conversation and all below it. Null: it has written nothing, or not where it is looked for. */
export async function usageInDatabase(session: string, since: number, environment: Environment): Promise<Usage | null> {
  const sums = ask(environment, SUMS, session, MAX_CONVERSATIONS, since)
  return countAt(sums, 'answers') === 0 ? null : usageOf(sums)
}

/** A conversation belongs to the folder it was begun in: in another one opencode waits for ever. */
export async function isInDatabase(session: string, environment: Environment): Promise<boolean> {
  const found = ask(environment, 'select directory from session where id = ?', session)
  return textAt(found, 'directory') === environment.ESPALIER_WORKTREE
}

/** The first row; null: there is none, or no such database. */
function ask(environment: Environment, sql: string, ...values: (string | number)[]): unknown {
  const path = databasePath(environment)
  if (!existsSync(path)) return null
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    return db.prepare(sql).get(...values)
  } catch {
    // Another version may keep it in another way: then it is not known.
    return null
  } finally {
    db?.close()
  }
}

function databasePath({ OPENCODE_DB, XDG_DATA_HOME, HOME }: Environment): string {
  const data = join(XDG_DATA_HOME || join(HOME ?? '/', '.local', 'share'), 'opencode')
  return resolve(data, OPENCODE_DB || 'opencode.db')
}

function usageOf(sums: unknown): Usage {
  return {
    inputTokens: countAt(sums, 'input'),
    // It tells apart what the model said and what it thought.
    outputTokens: countAt(sums, 'output') + countAt(sums, 'reasoning'),
    cacheReadTokens: countAt(sums, 'cacheRead'),
    cacheWriteTokens: countAt(sums, 'cacheWrite'),
    reasoningTokens: countAt(sums, 'reasoning'),
    costUsd: countAt(sums, 'cost'),
  }
}

const SUMS = `
  with recursive conversation(id) as (
    select id from session where id = ?
    union select session.id from session join conversation on session.parent_id = conversation.id
    limit ?
  )
  select count(*) as answers,
    sum(json_extract(data, '$.tokens.input')) as input,
    sum(json_extract(data, '$.tokens.output')) as output,
    sum(json_extract(data, '$.tokens.reasoning')) as reasoning,
    sum(json_extract(data, '$.tokens.cache.read')) as cacheRead,
    sum(json_extract(data, '$.tokens.cache.write')) as cacheWrite,
    sum(json_extract(data, '$.cost')) as cost
  from message
  where session_id in conversation and time_created >= ? and json_extract(data, '$.role') = 'assistant'`

const MAX_CONVERSATIONS = 1_000
/** It only waits where the database is just being made. */
const BUSY_TIMEOUT_MS = 500
