// Where a feature says how far it is (`status`, else `state`, else whether it `passes`), and the words that its file has for that.
import { isMapping } from '../../document/schema-check.ts'
import type { Entry } from '../format.ts'
import { isNothing, truthOf } from '../json/values.ts'
import { prose } from '../prompt/text.ts'
import { plainStatus, stateOf } from '../state/status-words.ts'
import type { Phase } from '../status/status-file.ts'

export const STATES = {
  done: ['complete', 'completed', 'done', 'passing', 'passed'],
  open: ['pending', 'not_started', 'todo', 'open', 'in_progress', 'active', 'blocked', 'failed', 'failing'],
  fresh: ['pending', 'not_started', 'todo', 'open'],
}

type Fields = Record<string, unknown>

export const STATUS_FIELDS = ['status', 'state', 'passes'] as const
export type StatusField = (typeof STATUS_FIELDS)[number]

/** Null where it says nothing. */
export function statusField(feature: Fields): StatusField | null {
  return STATUS_FIELDS.find((name) => !isNothing(feature[name])) ?? null
}

export function featureState(feature: Fields): Entry['state'] {
  const field = statusField(feature)
  if (field === 'passes') return truthOf(feature.passes) === true ? 'done' : 'open'
  return field === null ? 'open' : stateOf(prose(feature[field]), STATES)
}

export const USUAL_WORDS: Record<Phase, string> = {
  open: 'pending',
  begun: 'in_progress',
  done: 'complete',
  failed: 'failed',
  blocked: 'blocked',
}

/** One of the usual words where it means the same; else as it is written: it is somebody's word. '' where nothing is. */
export function usualStatus(feature: Fields): string {
  const field = statusField(feature)
  if (field === null) return ''
  if (field === 'passes') return featureState(feature) === 'done' ? USUAL_WORDS.done : USUAL_WORDS.open
  const written = prose(feature[field])
  const phase = phaseOf(written)
  return phase === null ? written : USUAL_WORDS[phase]
}

function phaseOf(word: string): Phase | null {
  if (stateOf(word, STATES) === 'done') return 'done'
  const plain = plainStatus(word)
  if (plain === 'in_progress' || plain === 'active') return 'begun'
  if (plain === 'failed' || plain === 'failing') return 'failed'
  return plain === 'blocked' ? 'blocked' : STATES.fresh.includes(plain) ? 'open' : null
}

/** The field for features that have none, and how each status is said: as `valid_status` lists it, else as others in the file have it. */
export type FileWords = { field: StatusField; words: Record<Phase, string> }

export function fileWords(queue: Fields, features: readonly Fields[]): FileWords {
  const field = features.map(statusField).find((name) => name !== null) ?? 'status'
  const rules = isMapping(queue.rules) ? queue.rules : {}
  const valid = [queue.valid_status ?? rules.valid_status ?? []].flat().map(prose)
  const used = features.flatMap(({ status, state }) => [status, state].filter((one) => !isNothing(one)).map(prose))
  const known = new Map([...valid, ...used].map((word) => [phaseOf(word), word] as const).reverse())
  const usual = { ...USUAL_WORDS, ...(field === 'state' ? { done: 'passing' } : {}) }
  const open = known.get('open') ?? usual.open
  // A word that the file does not allow is none: its own program would refuse it.
  const wordFor = (phase: Phase): string => known.get(phase) ?? (valid.length > 0 ? open : usual[phase])
  const words = { open, begun: wordFor('begun'), failed: wordFor('failed'), blocked: wordFor('blocked') }
  return { field, words: { ...words, done: known.get('done') ?? usual.done } }
}
