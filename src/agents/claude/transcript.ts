import { type Json, listAt, objectAt, textAt } from '../json-line.ts'
import { toolTarget } from '../tool-target.ts'
import type { Part } from '../transcript.ts'

export function claudeParts(line: Json): Part[] {
  switch (line.type) {
    case 'assistant':
      return listAt(line, 'message', 'content').flatMap((part) => assistantPart(objectAt(part)))
    case 'user':
      return listAt(line, 'message', 'content').flatMap((part) => resultPart(objectAt(part)))
    case 'system':
      return line.subtype === 'api_retry' ? [{ kind: 'note', text: retryText(line) }] : []
    case 'result':
      // What it said last is there already, unless it is an error of its own.
      return line.is_error === true && line.subtype !== 'success'
        ? [{ kind: 'note', text: `it ended with ${textAt(line, 'subtype') ?? 'an error'}` }]
        : []
    default:
      return []
  }
}

function assistantPart(part: Json | null): Part[] {
  if (part?.type === 'text') return [{ kind: 'said', text: textAt(part, 'text') ?? '' }]
  if (part?.type !== 'tool_use') return []
  const tool = textAt(part, 'name') ?? 'tool'
  return [{ kind: 'call', id: textAt(part, 'id') ?? '', tool, what: toolTarget(objectAt(part, 'input')) }]
}

function resultPart(part: Json | null): Part[] {
  if (part?.type !== 'tool_result') return []
  const id = textAt(part, 'tool_use_id') ?? ''
  return [{ kind: 'result', id, ok: part.is_error !== true, output: outputOf(part) }]
}

function outputOf(part: Json): string | null {
  const texts = listAt(part, 'content').flatMap((one) => textAt(one, 'text') ?? [])
  return textAt(part, 'content') ?? (texts.length > 0 ? texts.join(' ') : null)
}

function retryText(line: Json): string {
  const status = typeof line.error_status === 'number' ? ` (${line.error_status})` : ''
  return `the provider answered with ${textAt(line, 'error') ?? 'an error'}${status}: tried again`
}
