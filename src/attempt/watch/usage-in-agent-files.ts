// Usage and model from the files of an agent's program, if its output lacks them: tokens of a process that was ended
// before it reported them, or of subagents, and the model it chose.
import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { AgentReader, AgentResult, UsageInFiles, UsageSoFar } from '../../agents/agent.ts'
import { priceOf } from '../../agents/prices.ts'
import { allTokens, costOf, mostUsage, NO_USAGE, type Usage, usageSince } from '../../usage.ts'
import type { IterationFolder } from '../../workspace/state-folder.ts'
import { type AttemptContext, attemptEnvironment } from '../attempt-context.ts'
import type { Conversation } from '../attempt-order.ts'

/** `own`: usage of this process alone, if only the files tell. `note`: missing usage, for a person. */
export type CountedResult = { result: AgentResult; own: Usage | null; note: string | null }

/** `continued`: the conversation of an interrupted attempt that the process continued. */
export async function withUsageInFiles(
  reported: AgentResult,
  newestAnswer: string | null,
  context: AttemptContext,
  iteration: IterationFolder,
  continued: Conversation | null,
): Promise<CountedResult> {
  const { agent, order } = context
  const { session, usage, isUsagePartial } = reported
  const isCounted = usage !== null && !isUsagePartial
  // An agent with a model in its order uses that one.
  const isModelKnown = session === null || session.model !== null || order.model !== null
  const isAmbiguous = continued !== null && agent.cost === 'reported-at-end'
  const files =
    session === null || (isCounted && isModelKnown && !isAmbiguous)
      ? null
      : await usageInFiles(context, iteration, session.id, newestAnswer)
  const model = isModelKnown ? session?.model : files?.model
  const result = session && model ? { ...reported, session: { ...session, model } } : reported
  const price = priceIn(files, model ?? order.model, context)
  const written = files?.usage ?? null
  if (isCounted) {
    const own = isAmbiguous && written ? ownPart(usage, continued.used, written, price) : null
    return { result, own, note: null }
  }
  if (!written) {
    const note = result.uncounted
      ? `${result.uncounted} is not counted: the files in which it keeps that were not found`
      : null
    return { result: { ...result, usage: usage && known(usage, newestAnswer, files) }, own: null, note }
  }
  // The agent prints an answer before it writes it to its files.
  const most = result.countsConversation ? written : mostUsage(written, usage ?? NO_USAGE)
  const paid = price && written.costUsd === 0 ? { ...most, costUsd: costOf(most, price) } : most
  return {
    result: { ...result, usage: known(paid, newestAnswer, files), countsConversation: false },
    own: null,
    note: null,
  }
}

/**
 * A process that was killed right after an answer has the answer in no file and not all of it in its output: the cost
 * is not known.
 */
function known(usage: Usage, newestAnswer: string | null, files: UsageInFiles | null): Usage {
  return newestAnswer === null || files?.isComplete ? usage : { ...usage, costUnknown: true }
}

/** Price of the named model, else of the model in the files. */
function priceIn(files: UsageInFiles | null, named: string | null, { order }: AttemptContext) {
  const prices = [named, files?.model].map((model) => (model ? priceOf(model, order.settings.prices) : null))
  return prices.find((price) => price !== null) ?? null
}

/**
 * Counters of an interrupted conversation go on or begin anew, depending on how its last process ended: the files
 * written since this process began tell which.
 */
function ownPart(reported: Usage, before: Usage, written: Usage, price: ReturnType<typeof priceIn>): Usage {
  const since = usageSince(reported, before)
  const distance = (usage: Usage) => Math.abs(allTokens(usage) - allTokens(written))
  const nearest = distance(since) < distance(reported) ? since : reported
  // An answer that was cut off is in the files and in no counter: then only the files are right.
  return distance(nearest) === 0 || !price ? nearest : { ...written, costUsd: costOf(written, price) }
}

/** Usage of this iteration's process, without the next one's, which may be under way already. */
async function usageInFiles(
  context: AttemptContext,
  iteration: IterationFolder,
  session: string,
  newestAnswer: string | null,
): Promise<UsageInFiles | null> {
  const { agent, order, folder } = context
  const since = preparedAt(iteration)
  if (since === undefined || !agent.usageOf) return null
  const until = preparedAt(folder.iteration(iteration.number + 1)) ?? Number.POSITIVE_INFINITY
  const environment = attemptEnvironment(context, iteration, agent.variables)
  return agent.usageOf({ session, since, until, newestAnswer, environment, prices: order.settings.prices })
}

/** The process was started right after. */
function preparedAt({ prepared }: IterationFolder): number | undefined {
  return statSync(prepared, { throwIfNoEntry: false })?.mtimeMs
}

/**
 * Reads the usage so far from the files every few seconds while an agent works, if its output tells it only at the end
 * and a budget counts it. Returns a function to call after every line of output. `over`: the agent has ended, or is
 * left to the next engine.
 */
export function watchUsageInFiles(
  context: AttemptContext,
  iteration: IterationFolder,
  over: AbortSignal,
  report: (soFar: UsageSoFar) => void,
): (reader: AgentReader) => void {
  const { agent, order } = context
  let timer: NodeJS.Timeout | null = null
  over.addEventListener('abort', () => clearTimeout(timer ?? undefined), { once: true })
  const lookIn = (ms: number, reader: AgentReader) => {
    if (!over.aborted) timer = setTimeout(() => void lookUp(reader), ms)
  }
  const lookUp = async (reader: AgentReader) => {
    const session = sessionSoFar(reader)
    // Files that cannot be read now are read at the next look, or at the end of the attempt.
    const files = session && (await usageInFiles(context, iteration, session.id, null).catch(() => null))
    const model = session?.model ?? (order.model === null ? files?.model : null) ?? null
    if (files?.usage && !over.aborted) report({ usage: files.usage, model })
    lookIn(EVERY_MS, reader)
  }
  return (reader) => {
    if (!timer && agent.cost === 'by-tokens' && context.budget.tightestUsd !== null) lookIn(0, reader)
  }
}

/** `over`: it has ended, or is left to the next engine. */
export type Running = { reader: AgentReader; iteration: IterationFolder; over: AbortSignal }

/**
 * Waits until the files have the cost of the newest answer, or too long. An answer is printed while it comes in, and
 * its cost is known at its end: that of an answer that is cut off is never known.
 */
export async function untilAnswerCounted(context: AttemptContext, { reader, iteration, over }: Running): Promise<void> {
  const session = sessionSoFar(reader)?.id
  const until = Date.now() + ANSWER_MS
  while (session && reader.newestAnswer && !over.aborted && Date.now() < until) {
    const startedAt = performance.now()
    const files = await usageInFiles(context, iteration, session, reader.newestAnswer)
    if (files?.isComplete) return
    // The files of a long conversation take a while to read: the engine has other things to do, too.
    const tookMs = performance.now() - startedAt
    await wait(Math.max(AGAIN_MS, 4 * tookMs), undefined, { signal: over }).catch(() => {})
  }
}

/** The conversation of a process that still runs. */
export function sessionSoFar(reader: AgentReader): AgentResult['session'] {
  return reader.result({ code: null, signal: null }).session
}

/** Longer answers are cut off: waiting costs money, too. */
const ANSWER_MS = 5_000
const AGAIN_MS = 100
const EVERY_MS = 3_000
