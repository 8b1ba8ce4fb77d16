// Whether an agent that asks may do what it wants to do.
import { readFileSync } from 'node:fs'
import type { PermissionOption } from '@agentclientprotocol/sdk'
import { listAt } from '../json-line.ts'
import { outsideClaims } from '../outside-claims.ts'
import type { AcpOrders } from './protocol.ts'

type ToolUse = { kind: string; paths: readonly string[] }

/** The paths it may not write. `mayWrite` null: it may write all of its worktree. */
export function outsideOf({ kind, paths }: ToolUse, mayWrite: readonly string[] | null, worktree: string): string[] {
  return mayWrite === null || HARMLESS.has(kind) ? [] : outsideClaims(paths, mayWrite, worktree)
}

/** It may have been granted more since it began; a file that cannot be read changes nothing. */
export function mayWriteNow({ mayWrite, mayWriteFile }: Pick<AcpOrders, 'mayWrite' | 'mayWriteFile'>): string[] | null {
  if (mayWrite === null || mayWriteFile === null) return mayWrite
  try {
    const written = listAt(JSON.parse(readFileSync(mayWriteFile, 'utf8')), 'write')
    return [...mayWrite, ...written.filter((glob) => typeof glob === 'string')]
  } catch {
    return mayWrite
  }
}

/** The option to answer with; null: the agent offers none of that kind. Once: so that it asks again the next time. */
export function optionFor(options: readonly PermissionOption[], answer: 'allowed' | 'denied'): string | null {
  const kinds = answer === 'allowed' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const fitting = kinds.flatMap((kind) => options.find((option) => option.kind === kind) ?? [])
  return fitting[0]?.optionId ?? null
}

/**
 * They write nothing, or, as a command of the shell does, in places that cannot be told from what the agent says of
 * them: most name the folder they run in.
 */
const HARMLESS = new Set(['read', 'search', 'fetch', 'think', 'execute', 'switch_mode'])
