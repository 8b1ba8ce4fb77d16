// The field in which a task of a JSON file has its status, as a word or a boolean. Statuses are written in the words of the file.

import { isMapping } from '../../document/schema-check.ts'
import type { Entry, StatusPhase } from '../format.ts'
import { prose } from '../prompt-from-fields.ts'
import { plainStatus, type States, stateOf } from '../status/status-words.ts'
import { type Item, isNothing, numberIn, truthOf } from './reader.ts'
import type { Fields } from './set-fields.ts'

export const USUAL_STATES = {
  done: ['complete', 'completed', 'done', 'passing', 'passed'],
  open: ['pending', 'not_started', 'todo', 'open', 'in_progress', 'active', 'blocked', 'failed', 'failing'],
  fresh: ['pending', 'not_started', 'todo', 'open'],
}

/** The words for statuses between file and run, whatever words the file uses. */
export const USUAL_WORDS: Record<StatusPhase, string> = {
  open: 'pending',
  begun: 'in_progress',
  done: 'complete',
  failed: 'failed',
  blocked: 'blocked',
}

/** Null: the file allows no word for this phase. */
type FileWords = { field: string; words: Record<StatusPhase, string | null> }

type Value = Item['value']

/** True for fields that hold a boolean; the others hold a word. */
function isTruth(field: string): boolean {
  return ['done', 'completed', 'passes'].includes(field)
}

/** `fields`: possible fields for the status; the first with a value decides. */
export class StatusField {
  readonly fields: readonly string[]
  readonly states: States
  readonly #done: string

  constructor(fields: readonly string[], states: States = USUAL_STATES, done = USUAL_WORDS.done) {
    this.fields = fields
    this.states = states
    this.#done = done
  }

  #fieldOf(value: Value): string | null {
    return this.fields.find((name) => (isTruth(name) ? truthOf(value[name]) !== null : !isNothing(value[name]))) ?? null
  }

  /** The word and its field; for a boolean, the word in `status` beside it. */
  written(value: Value): { word: string; field: string } {
    const found = this.#fieldOf(value)
    const field = found === null || isTruth(found) ? 'status' : found
    return { word: prose(value[field]), field }
  }

  stateOf(value: Value): Entry['state'] {
    const field = this.#fieldOf(value)
    if (field !== null && !isTruth(field)) return stateOf(prose(value[field]), this.states)
    if (field !== null && truthOf(value[field]) === true) return 'done'
    // A task with `done: false` may still be cancelled by its `status`.
    return stateOf(prose(value.status), this.states) === 'skipped' ? 'skipped' : 'open'
  }

  /** The usual word of the same meaning, else the word as written, which is a person's own. '' without a status. */
  usualWord(value: Value): string {
    const field = this.#fieldOf(value)
    if (field === null) return ''
    if (isTruth(field) && truthOf(value[field]) === true) return USUAL_WORDS.done
    const written = prose(value[isTruth(field) ? 'status' : field])
    const phase = phaseOfWord(written)
    if (isTruth(field) && (written === '' || phase === 'done')) return USUAL_WORDS.open
    return phase === null ? written : USUAL_WORDS[phase]
  }

  /** The words that the file lists in `valid_status`, else those that its tasks use. */
  wordsOf(root: Value, tasks: readonly Value[]): FileWords {
    const field = tasks.map((task) => this.#fieldOf(task)).find((name) => name !== null) ?? this.fields[0] ?? 'status'
    const rules = isMapping(root.rules) ? root.rules : {}
    const valid = [root.valid_status ?? rules.valid_status ?? []].flat().map(prose)
    const used = tasks.flatMap(({ status, state }) => [status, state].filter((one) => !isNothing(one)).map(prose))
    const known = new Map([...valid, ...used].map((word) => [phaseOfWord(word), word] as const).reverse())
    const usual = { ...USUAL_WORDS, done: field === 'state' ? 'passing' : this.#done }
    const open = known.get('open') ?? usual.open
    // Words that the file does not allow are not used: its own program would refuse them.
    const wordFor = (phase: StatusPhase): string => known.get(phase) ?? (valid.length > 0 ? open : usual[phase])
    const words = { open, begun: wordFor('begun'), failed: wordFor('failed'), blocked: wordFor('blocked') }
    return { field, words: { ...words, done: known.get('done') ?? (valid.length > 0 ? null : usual.done) } }
  }

  /** Changes all status fields of a task, so that they agree. A field that means `status` already stays as it is. */
  edits(status: string, value: Value, { field, words }: FileWords): Fields {
    const phase = (Object.keys(USUAL_WORDS) as StatusPhase[]).find((one) => USUAL_WORDS[one] === status)
    if (phase === undefined || this.usualWord(value) === status) return {}
    const isDone = phase === 'done'
    const word = words[phase]
    const said = (name: string) => (isTruth(name) ? likeBefore(value[name], isDone) : word)
    if (this.#fieldOf(value) !== null) {
      const other = this.fields.filter((name) => {
        if (isTruth(name)) return truthOf(value[name]) === !isDone
        return !isNothing(value[name]) && phaseOfWord(prose(value[name])) !== phase
      })
      return Object.fromEntries(other.map((name) => [name, said(name)]).filter(([, one]) => one !== null))
    }
    return (isTruth(field) && !isDone) || said(field) === null ? {} : { [field]: said(field) }
  }
}

function phaseOfWord(word: string): StatusPhase | null {
  if (stateOf(word, USUAL_STATES) === 'done') return 'done'
  const plain = plainStatus(word)
  if (plain === 'in_progress' || plain === 'active') return 'begun'
  if (plain === 'failed' || plain === 'failing') return 'failed'
  return plain === 'blocked' ? 'blocked' : USUAL_STATES.fresh.includes(plain) ? 'open' : null
}

/** A number stays a number, a text a text: the format's own program may expect that. */
function likeBefore(before: unknown, isDone: boolean): string | number | boolean {
  const written = typeof numberIn(before) === 'number' ? Number(isDone) : isDone
  return typeof before === 'string' && before !== '' ? String(written) : written
}
