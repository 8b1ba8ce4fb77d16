// The agent's calls of tools, put together from the pieces it tells.

import { readFileSync } from 'node:fs'
import type { PermissionOption } from '@agentclientprotocol/sdk'
import { cut } from '../../text/cut.ts'
import { outsideClaims } from '../outside-claims.ts'
import { type Json, listAt, objectAt, textAt } from '../read-json-fields.ts'
import type { AcpLine, AcpOrders } from './driver-protocol.ts'

type Tool = Omit<Extract<AcpLine, { type: 'tool' }>, 'type'>

export class AcpTools {
  readonly #open = new Map<string, Tool>()

  /** Takes in an update of a call, and returns the line to print, if anything is new. */
  told(update: Json): AcpLine | null {
    const id = textAt(update, 'toolCallId')
    if (id === null) return null
    const before = this.#open.get(id)
    const now = this.#merged(id, before, update)
    const isOver = now.status === 'completed' || now.status === 'failed'
    if (isOver) this.#open.delete(id)
    else this.#remember(now)
    if (!before) return { type: 'tool', ...now }
    if (JSON.stringify(before) === JSON.stringify(now)) return null
    return { type: 'tool-update', ...now, output: isOver ? outputOf(update) : null }
  }

  /** The call of a request for permission. */
  asked(request: Json): Tool {
    const id = textAt(request, 'toolCallId') ?? ''
    return this.#merged(id, this.#open.get(id), request)
  }

  #merged(id: string, before: Tool | undefined, update: Json): Tool {
    const paths = pathsOf(update)
    return {
      id,
      title: cut(textAt(update, 'title') ?? before?.title ?? 'tool', TITLE_CHARS),
      kind: textAt(update, 'kind') ?? before?.kind ?? 'other',
      status: textAt(update, 'status') ?? before?.status ?? 'pending',
      paths: paths.length > 0 ? paths : (before?.paths ?? []),
      input: inputOf(update) ?? before?.input ?? null,
    }
  }

  #remember(tool: Tool): void {
    this.#open.set(tool.id, tool)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest)
  }
}

/** Files that a call names, or shows changes of. */
function pathsOf(update: Json): string[] {
  const named = [...listAt(update, 'locations'), ...listAt(update, 'content')]
  return [...new Set(named.flatMap((one) => textAt(one, 'path') ?? []))].slice(0, MAX_PATHS)
}

function inputOf(update: Json): string | null {
  const text = JSON.stringify(objectAt(update, 'rawInput') ?? {})
  return text === '{}' || text.length > INPUT_CHARS ? null : text
}

function outputOf(update: Json): string | null {
  const texts = listAt(update, 'content').flatMap((one) => textAt(one, 'content', 'text') ?? [])
  return texts.length > 0 ? cut(texts.join('\n'), OUTPUT_CHARS) : null
}

const TITLE_CHARS = 500
const INPUT_CHARS = 4_000
const OUTPUT_CHARS = 2_000
const MAX_PATHS = 1_000
/** An agent has a few calls under way at once. */
const MAX_OPEN = 1_000

/** Paths it may not write. `mayWrite` null: it may write all of its worktree. */
export function outsideOf(
  { kind, paths }: Pick<Tool, 'kind' | 'paths'>,
  mayWrite: readonly string[] | null,
  worktree: string,
): string[] {
  return mayWrite === null || HARMLESS.has(kind) ? [] : outsideClaims(paths, mayWrite, worktree)
}

/** Includes later grants; a file that cannot be read changes nothing. */
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
 * Kinds that write nothing or, like commands of the shell, in places that the agent's words do not tell: most name the
 * folder they run in.
 */
const HARMLESS = new Set(['read', 'search', 'fetch', 'think', 'execute', 'switch_mode'])
