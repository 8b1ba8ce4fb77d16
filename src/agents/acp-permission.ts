// Whether an agent that asks may do what it wants to do. Asked or not, what it really changed is checked afterwards
// (`claims: enforce`); here it hears of it while it can still do something else.
import { isAbsolute, relative, resolve } from 'node:path'
import type { PermissionOption } from '@agentclientprotocol/sdk'
import { covers, toClaims } from '../scheduler/claims.ts'

export type ToolUse = { kind: string; paths: readonly string[] }

/** The paths it may not write, as they are called in the worktree. `mayWrite` null: it may write all of that. */
export function outsideOf({ kind, paths }: ToolUse, mayWrite: readonly string[] | null, worktree: string): string[] {
  if (mayWrite === null || HARMLESS.has(kind)) return []
  const claims = toClaims({ write: [...mayWrite], read: [] })
  return paths.flatMap((path) => {
    const inside = relative(worktree, resolve(worktree, path))
    if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) return [path]
    // The worktree itself says nothing about what is written in there.
    return inside === '' || covers(claims, inside) ? [] : [inside]
  })
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
