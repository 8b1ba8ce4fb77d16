import type { Json } from '../json-line.ts'
import type { Part } from '../transcript.ts'
import { type AcpLine, acpLine } from './protocol.ts'

export function acpParts(json: Json): Part[] {
  const { data: line } = acpLine.safeParse(json)
  switch (line?.type) {
    case 'message': {
      const piece: Part = { kind: 'said', text: line.text, piece: true }
      // An empty message of its own ends the one before.
      return line.continues ? [piece] : [{ kind: 'said', text: '' }, piece]
    }
    case 'tool':
      return toolParts(line, null)
    case 'tool-update':
      return toolParts(line, line.output)
    case 'permission':
      return line.answer === 'denied' ? [{ kind: 'note', text: `not allowed: ${line.title}` }] : []
    case 'error':
      return [{ kind: 'note', text: line.message }]
    default:
      return []
  }
}

/** What a tool is used for may be told only with its result. */
function toolParts(
  { id, kind, title, status, paths }: Extract<AcpLine, { type: 'tool' | 'tool-update' }>,
  output: string | null,
): Part[] {
  const [path = ''] = paths
  const what = path && !title.includes(path) ? `${title} ${path}` : title
  const call: Part = { kind: 'call', id, tool: kind, what }
  if (status !== 'completed' && status !== 'failed') return [call]
  return [call, { kind: 'result', id, ok: status === 'completed', output }]
}
