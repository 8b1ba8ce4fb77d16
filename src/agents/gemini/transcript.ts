import { type Json, objectAt, textAt } from '../json-line.ts'
import { toolTarget } from '../tool-target.ts'
import type { Part } from '../transcript.ts'

export function geminiParts(line: Json): Part[] {
  const id = textAt(line, 'tool_id') ?? ''
  switch (line.type) {
    case 'message':
      // The user's message is the prompt.
      if (line.role !== 'assistant') return []
      return [{ kind: 'said', text: textAt(line, 'content') ?? '', piece: line.delta === true }]
    case 'tool_use': {
      const tool = textAt(line, 'tool_name') ?? 'tool'
      return [{ kind: 'call', id, tool, what: toolTarget(objectAt(line, 'parameters')) }]
    }
    case 'tool_result': {
      const output = textAt(line, 'error', 'message') ?? textAt(line, 'output')
      return [{ kind: 'result', id, ok: line.status === 'success', output }]
    }
    case 'error':
      return [{ kind: 'note', text: textAt(line, 'message') ?? 'an error' }]
    case 'result':
      return line.status === 'success' ? [] : [{ kind: 'note', text: textAt(line, 'error', 'message') ?? 'it failed' }]
    default:
      return []
  }
}
