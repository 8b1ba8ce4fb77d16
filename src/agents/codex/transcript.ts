import { type Json, listAt, objectAt, textAt } from '../json-line.ts'
import { toolTarget } from '../tool-target.ts'
import type { Part } from '../transcript.ts'

export function codexParts(line: Json): Part[] {
  switch (line.type) {
    case 'item.completed':
      return itemParts(objectAt(line, 'item'))
    case 'error':
      return [{ kind: 'note', text: textAt(line, 'message') ?? 'an error' }]
    default:
      return []
  }
}

function itemParts(item: Json | null): Part[] {
  const ok = item?.status !== 'failed' && item?.status !== 'declined'
  switch (item?.type) {
    case 'agent_message':
      return [{ kind: 'said', text: textAt(item, 'text') ?? '' }]
    case 'error':
      return [{ kind: 'note', text: textAt(item, 'message') ?? 'an error' }]
    case 'command_execution': {
      const passed = ok && (item.exit_code === 0 || item.exit_code === null)
      const what = bareCommand(textAt(item, 'command') ?? '')
      return [{ kind: 'used', tool: 'shell', what, ok: passed, output: textAt(item, 'aggregated_output') }]
    }
    case 'file_change': {
      const what = listAt(item, 'changes').map(changeText).join(', ')
      return [{ kind: 'used', tool: 'edit', what, ok, output: null }]
    }
    case 'mcp_tool_call': {
      const tool = [textAt(item, 'server'), textAt(item, 'tool')].filter((name) => name !== null).join('.')
      const what = toolTarget(objectAt(item, 'arguments'))
      return [{ kind: 'used', tool: tool || 'tool', what, ok, output: textAt(item, 'error', 'message') }]
    }
    case 'web_search':
      return [{ kind: 'used', tool: 'search', what: textAt(item, 'query'), ok, output: null }]
    default:
      return []
  }
}

function changeText(change: unknown): string {
  return `${textAt(change, 'kind') ?? ''} ${textAt(change, 'path') ?? ''}`.trim()
}

/** Without the shell around it, which is the same for every command. */
function bareCommand(command: string): string {
  const [, quoted] = /^\S*sh -lc '([^']*)'$/.exec(command) ?? []
  return quoted ?? command.replace(/^\S*sh -lc /, '')
}
