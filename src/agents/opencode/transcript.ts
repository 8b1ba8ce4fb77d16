import { type Json, objectAt, textAt } from '../json-line.ts'
import { toolTarget } from '../tool-target.ts'
import type { Part } from '../transcript.ts'

export function opencodeParts(line: Json): Part[] {
  const part = objectAt(line, 'part')
  switch (line.type) {
    case 'text':
      return [{ kind: 'said', text: textAt(part, 'text') ?? '' }]
    case 'tool_use':
      return [toolPart(part)]
    case 'error':
      return [
        { kind: 'note', text: textAt(line, 'error', 'data', 'message') ?? textAt(line, 'error', 'name') ?? 'an error' },
      ]
    default:
      return []
  }
}

function toolPart(part: Json | null): Part {
  const state = objectAt(part, 'state')
  const exit = objectAt(state, 'metadata')?.exit
  const ok = state?.status !== 'error' && (typeof exit !== 'number' || exit === 0)
  return {
    kind: 'used',
    tool: textAt(part, 'tool') ?? 'tool',
    what: toolTarget(objectAt(state, 'input')) ?? textAt(state, 'title'),
    ok,
    output: textAt(state, 'error') ?? textAt(state, 'output'),
  }
}
