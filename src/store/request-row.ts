// A request as it stands in a row: the fact that is asked for. Rows of the first versions had shapes of their own.
import { requestSchema } from '../event.ts'
import { checkedValue, parseJson } from './row.ts'
import type { Request } from './store.ts'

/** The fact carries the number of its request where it has a field for it. */
export function requestInRow(row: Record<string, unknown>): Request {
  const what = `request ${row.id}`
  const id = Number(row.id)
  const fact = checkedValue(requestSchema, today(parseJson(row.data, what)), what)
  return { id, fact: 'request' in fact ? { ...fact, request: id } : fact }
}

const TODAY: Record<string, string> = {
  slots: 'slots.changed',
  priority: 'priority.changed',
  resolve: 'task.resolved',
  note: 'attempt.noted',
}

function today(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value)) return value
  const { type, ...rest } = value as Record<string, unknown>
  switch (type) {
    case 'cancel':
      return { ...rest, type: rest.task === null ? 'run.cancelled' : 'task.cancelled', request: null }
    case 'claim':
      return { ...rest, type: 'attempt.asked', holder: null, request: null }
    case 'report':
    case 'deliver': {
      const { fact, ...more } = rest
      return { ...(fact as object), ...more }
    }
    default: {
      const name = TODAY[String(type)]
      return name === undefined ? value : { ...rest, type: name, request: null }
    }
  }
}
