// What an agent uses its tools for. It tells of a call piece by piece, here it is put together.

import { cut } from '../../text/cut.ts'
import { type Json, listAt, objectAt, textAt } from '../json-line.ts'
import type { AcpLine } from './protocol.ts'

type Tool = { id: string; title: string; kind: string; status: string; paths: string[]; input: string | null }

export class AcpTools {
  /** Those under way. */
  readonly #open = new Map<string, Tool>()

  /** Takes in what it says of a call; what there is to print about it, if that is news. */
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

  /** The call that a request for permission is about, with all that is known of it. */
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

/** The files a call is about, and those it shows changes of. */
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
