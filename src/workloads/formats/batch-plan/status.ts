// What `**Status:**` says of a batch or task. The format does not ask for it, but people note it, in words of their own.

import type { Entry } from '../format.ts'
import { plainStatus, stateOf } from '../state/status-words.ts'

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
  if (/^\[[xX]\]/.test(text)) return { state: 'done', isWorthTelling: false }
  const words = text.replace(/^[^\p{L}\p{N}]+/u, '')
  // Behind a mark or "by", "in", "on" stands who did it, and when.
  const [first = ''] = words.split(/\s*[(,;:–—]|\s-|\s(?:by|in|on|at|as|since|with)\s|\.(?:\s|$)|\s(?=[\d#])/, 1)
  const tick = /^[✅✔☑✓]/u.test(text)
  const state = words === '' && tick ? 'done' : stateOf(first, { done: DONE_WORDS })
  const isDone = state === 'done' && !PARTLY.test(words)
  if (state !== 'done' || isDone)
    return { state, isWorthTelling: state === 'skipped' || (!isPending(first) && !isDone) }
  return { state: 'open', isWorthTelling: true }
}

export const DONE_WORDS = [
  'done',
  'complete',
  'completed',
  'finished',
  'landed',
  'merged',
  'shipped',
  'implemented',
  '100%',
]

/** More than anybody says of a status. */
const MAX_CHARS = 500

/** `done except the tests`, `complete (80%)`. */
const PARTLY =
  /\b(?:except|but|apart|excluding|partial(?:ly)?|partly|remaining|pending|without|still|not)\b|(?<!\d)\d{1,2}%/i

function isPending(words: string): boolean {
  return PENDING.has(plainStatus(words))
}

const PENDING = new Set([
  ...[
    '',
    'pending',
    'todo',
    'to_do',
    'to_be_done',
    'open',
    'new',
    'planned',
    'ready',
    'draft',
    'not_started',
    'backlog',
  ],
  ...['not_done', 'not_complete', 'incomplete', 'proposed', 'approved', 'queued', 'tbd', 'unstarted', 'not_begun'],
])
