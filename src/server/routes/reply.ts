// What a handler gives back: a value, a text, or a refusal.
import type { Problem, Result } from '../../problem.ts'
import type { RefusalReason } from '../protocol/refusal.ts'

export type JsonReply = { kind: 'json'; value: unknown; cookie?: string }
/** `body`: as it comes, where it is followed. */
export type TextReply = { kind: 'text'; type: string; body: string | AsyncIterable<Uint8Array> }
export type Refusal = { kind: 'refused'; reason: RefusalReason; detail: string; problems?: Problem[] }
export type Reply = JsonReply | TextReply | Refusal

export function give(value: unknown): JsonReply {
  return { kind: 'json', value }
}

export function text(type: string, body: TextReply['body']): TextReply {
  return { kind: 'text', type, body }
}

export function refusal(reason: RefusalReason, detail: string, problems?: Problem[]): Refusal {
  return { kind: 'refused', reason, detail, ...(problems ? { problems } : {}) }
}

/** What the engine refuses, with all it has to say. */
export function refusedBy(problems: Problem[]): Refusal {
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0]
  return refusal('refused', first?.message ?? 'the engine refused', problems)
}

export function giveResult(result: Result<unknown>): Reply {
  return result.ok ? give(result.value) : refusedBy(result.problems)
}
