// What `**Status:**` says of a batch or task. The format does not ask for it, but people note it.
import type { Entry } from '../format.ts'
import { plainStatus, stateOf } from '../read-status/status-words.ts'

export type Status = {
  state: Entry['state']
  /** It says something that nobody says of a task that has not begun. */
  isWorthTelling: boolean
}

export function readStatus(written: string): Status {
  const text = written
    .slice(0, MAX_CHARS)
    .replaceAll(/[*_`~]/g, '')
    .trim()
  if (text === '' || /^\[\s?\]/.test(text)) return { state: 'open', isWorthTelling: false }
  if (/^(?:\[[xX]\]|[✅✔☑✓]$)/u.test(text)) return { state: 'done', isWorthTelling: false }
  // Behind a bracket, a dash or `by`, `in`, `on` stands who did it, when and why.
  const words = text.replace(/^[^\p{L}\p{N}]+/u, '')
  const [first = ''] = words.split(/\s*[(;:–—]|\s-|\s(?:by|in|on|at|as)\s|\.(?:\s|$)/, 1)
  const state = stateOf(first, { done: DONE_WORDS })
  const isFresh = state === 'done' || (state === 'open' && FRESH.has(plainStatus(first)))
  return { state, isWorthTelling: !isFresh }
}

const DONE_WORDS = ['landed', 'shipped', 'implemented', '100%']

const MAX_CHARS = 500

const FRESH = new Set(['', 'pending', 'todo', 'to_do', 'open', 'planned', 'ready', 'draft', 'not_started', 'backlog'])
