// The output of an agent as a person reads it: its words, and a line for each tool. Adapters only take lines apart.
import { cut } from '../text/cut.ts'
import { type Json, jsonLine, listAt, textAt } from './read-json-fields.ts'

export type Part =
  | { kind: 'said'; text: string; piece?: boolean }
  /** A call of a tool; the result comes later, under the same id. */
  | { kind: 'call'; id: string; tool: string; what: string | null }
  | { kind: 'result'; id: string; ok: boolean; output: string | null }
  | { kind: 'used'; tool: string; what: string | null; ok: boolean; output: string | null }
  /** Words of the program, not the model: an error, a limit. */
  | { kind: 'note'; text: string }

/** Parts of a line of the protocol; most lines have none. */
export type PartsOf = (line: Json) => Part[]

export type Transcript = ReturnType<typeof transcript>

export function transcript(partsOf: PartsOf) {
  const open = new Map<string, Extract<Part, { kind: 'call' }>>()
  let pieces = ''

  function endMessage(): string[] {
    const text = pieces
    pieces = ''
    return said(text)
  }

  function render(part: Part): string[] {
    if (part.kind === 'said' && part.piece) {
      pieces = cut(pieces + part.text, MESSAGE_CHARS)
      return []
    }
    return [...endMessage(), ...whole(part)]
  }

  function whole(part: Part): string[] {
    switch (part.kind) {
      case 'said':
        return said(part.text)
      case 'note':
        return [`! ${oneLine(part.text, NOTE_CHARS)}`]
      case 'used':
        return [toolLine(part, part)]
      case 'call':
        open.set(part.id, part)
        return open.size > MAX_OPEN ? oldestOpen() : []
      case 'result': {
        const call = open.get(part.id)
        open.delete(part.id)
        return call ? [toolLine(call, part)] : []
      }
      default:
        return part satisfies never
    }
  }

  function oldestOpen(): string[] {
    const [first] = open.values()
    if (!first) return []
    open.delete(first.id)
    return [toolLine(first, null)]
  }

  return {
    line(text: string): string[] {
      const line = jsonLine(text)
      // Programs print other things besides their protocol.
      if (!line) return text.trim() === '' ? [] : [...endMessage(), clean(text)]
      return partsOf(line).flatMap(render)
    },
    /** Calls without a result when the output ended, or ended for now. */
    end(): string[] {
      const lines = endMessage()
      while (open.size > 0) lines.push(...oldestOpen())
      return lines
    },
  }
}

/** `✓ Bash npm test → 12 passed` */
function toolLine(
  { tool, what }: { tool: string; what: string | null },
  result: { ok: boolean; output: string | null } | null,
): string {
  const sign = result === null ? '…' : result.ok ? '✓' : '✗'
  const used = oneLine(`${tool} ${what ?? ''}`, CALL_CHARS)
  const output = oneLine(result?.output ?? '', OUTPUT_CHARS)
  return `  ${sign} ${used}${output ? ` → ${output}` : ''}`
}

/** A message stands apart from the tools around it. */
function said(text: string): string[] {
  const lines = clean(cut(text, MESSAGE_CHARS)).trim().split('\n')
  return lines.length === 1 && lines[0] === '' ? [] : ['', ...lines, '']
}

function oneLine(text: string, chars: number): string {
  const line = clean(text.slice(0, 4 * chars)).replace(/\s+/g, ' ')
  return cut(line.trim(), chars)
}

/** Removes everything that could steer a terminal. */
function clean(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\n\t]/gu, ' ')
}

const MESSAGE_CHARS = 20_000
const NOTE_CHARS = 500
const CALL_CHARS = 160
const OUTPUT_CHARS = 100
/** Calls without a result: an agent has a few under way at once. */
const MAX_OPEN = 100

/** The object of a call, in the words of its arguments: a command, a path, a pattern, an address. */
export function toolTarget(input: Json | null): string | null {
  for (const name of NAMES) {
    const text = textAt(input, name)
    if (text !== null) return text
    const words = listAt(input, name).filter((word) => typeof word === 'string')
    if (words.length > 0) return words.join(' ')
  }
  return null
}

/** The most telling first: a search has a pattern and a path. */
const NAMES = [
  ...['command', 'file_path', 'filePath', 'absolute_path', 'notebook_path'],
  ...['pattern', 'query', 'url', 'path', 'dir_path'],
  ...['skill', 'description', 'prompt'],
]
