// Notes and claim requests of an agent at work. Part of `apply`.
import { LIMITS } from '../../config.ts'
import type { EventOf, Fact } from '../../event.ts'
import type { AttemptView } from '../../view.ts'
import { grant } from '../claims/gained.ts'
import { unitAt } from '../graph.ts'
import { indexOf, type RunState, record } from '../state.ts'

export function noted(state: RunState, event: EventOf<'attempt.noted'>): void {
  const attempt = heardOf(state, event)
  if (!attempt) return
  const { type, seq, task, attempt: number, request, ...note } = event
  attempt.notes = [...(attempt.notes ?? []), note]
  state.changed.add(indexOf(state, event.task))
}

export function asked(state: RunState, event: EventOf<'attempt.asked'>): void {
  const attempt = heardOf(state, event)
  if (!attempt) return
  const { type, seq, task, attempt: number, ...asked } = event
  const index = indexOf(state, task)
  attempt.asked = [...(attempt.asked ?? []), asked]
  if (asked.holder === null) grant(state, unitAt(state.graph, state.graph.unitOf[index] as number), asked.paths)
  state.changed.add(index)
}

/** False: the attempt is not the one alive, or its agent has exceeded the limit of notes or requests. */
export function isHeard(state: RunState, fact: Extract<Fact, { type: 'attempt.noted' | 'attempt.asked' }>): boolean {
  return heardOf(state, fact) !== null
}

function heardOf(
  state: RunState,
  { type, task, attempt }: { type: string; task: string; attempt: number },
): AttemptView | null {
  const { state: current, history } = record(state, indexOf(state, task))
  const last = history.at(-1)
  if (current.status !== 'running' || current.attempt !== attempt || !last) return null
  const { notes = [], asked = [] } = last
  const isFull = type === 'attempt.noted' ? notes.length >= LIMITS.notes : asked.length >= LIMITS.asks
  return isFull ? null : last
}
