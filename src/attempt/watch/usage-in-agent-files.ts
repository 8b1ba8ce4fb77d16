// What the output of an agent's process does not say, some programs keep in files: the tokens of a process that was ended
// before it reported them, or that had subagents, and the model it chose.
import { statSync } from 'node:fs'
import type { AgentReader, AgentResult, Environment, UsageSoFar } from '../../agents/agent.ts'
import { type Price, priceOf } from '../../agents/prices.ts'
import { pause } from '../../async/ticker.ts'
import { allTokens, costOf, mostUsage, NO_USAGE, type Usage, usageSince } from '../../usage.ts'
import type { IterationFolder } from '../../workspace/state-folder.ts'
import { type AttemptContext, attemptEnvironment } from '../attempt-context.ts'
import type { Conversation } from '../attempt-order.ts'

/** `note`: what a person should know of what was not found. */
export async function withUsageOnDisk(
  reported: AgentResult,
  context: AttemptContext,
  iteration: IterationFolder,
  continued: Conversation | null = null,
): Promise<{ result: AgentResult; note: string | null }> {
  const said = await withModelOnDisk(reported, context, iteration)
  const isWhole = !said.isUsageAlone && !said.hasSubagents && !said.isUsagePartial
  const isComplete = said.usage !== null && isWhole
  const isClear = isComplete && (continued === null || !context.agent.costAtEnd)
  const written = isClear || !said.session ? null : await usageOnDisk(context, iteration, said.session.id)
  if (!written) return { result: said, note: said.hasSubagents ? UNCOUNTED : null }
  if (isComplete && said.usage && continued) {
    const price = await priceOnDisk(said, context, iteration)
    return { result: { ...said, ownUsage: ownPart(said.usage, continued.used, written, price) }, note: null }
  }
  const { isDiskAlone } = context.agent
  // The agent prints an answer before it writes it to its files.
  const usage = isDiskAlone ? written : mostUsage(written, said.usage ?? NO_USAGE)
  const price = written.costUsd > 0 ? null : await priceOnDisk(said, context, iteration)
  const alone = isDiskAlone ? { isUsageAlone: true } : {}
  return {
    result: { ...said, usage: price ? { ...usage, costUsd: costOf(usage, price) } : usage, ...alone },
    note: null,
  }
}

/**
 * Of a process that was killed right after an answer its files say nothing of that answer, and its output not all: what it cost
 * is not known.
 */
export async function withUnknownAnswer(
  said: AgentResult,
  newestAnswer: string | null | undefined,
  context: AttemptContext,
  iteration: IterationFolder,
): Promise<AgentResult> {
  const { agent } = context
  if (!said.isUsageAlone || !said.usage || !said.session || !newestAnswer || !agent.hasWritten) return said
  const isKnown = await agent.hasWritten(said.session.id, newestAnswer, environmentOf(context, iteration))
  return isKnown ? said : { ...said, usage: { ...said.usage, costUnknown: true } }
}

/** Of the model it has named; where that is none with a price, of the one its files name. */
async function priceOnDisk(said: AgentResult, context: AttemptContext, iteration: IterationFolder) {
  const { prices } = context.order.settings
  const name = said.session?.model ?? context.order.model
  const price = name === null ? null : priceOf(name, prices)
  if (price || !said.session) return price
  const model = await context.agent.modelOnDisk?.(said.session.id, environmentOf(context, iteration))
  return model ? priceOf(model, prices) : null
}

/**
 * Counters of a conversation that was interrupted go on or begin anew, depending on how its last process ended: what the
 * program has written down since this process began tells which.
 */
function ownPart(reported: Usage, before: Usage, written: Usage, price: Price | null): Usage {
  const since = usageSince(reported, before)
  const distance = (usage: Usage) => Math.abs(allTokens(usage) - allTokens(written))
  const nearest = distance(since) < distance(reported) ? since : reported
  // An answer that was cut off is in the ledger and in no counter: then only what is written down is right.
  return distance(nearest) === 0 || !price ? nearest : { ...written, costUsd: costOf(written, price) }
}

const UNCOUNTED = 'what its subagents used is not counted: the files in which it keeps that were not found'

/** The tokens of the process of this iteration. */
async function usageOnDisk(
  context: AttemptContext,
  iteration: IterationFolder,
  session: string,
): Promise<Usage | null> {
  // From then on everything is of this process: it was started right after that.
  const since = statSync(iteration.prepared, { throwIfNoEntry: false })?.mtimeMs
  if (since === undefined) return null
  const { prices } = context.order.settings
  return (await context.agent.usageOnDisk?.(session, since, environmentOf(context, iteration), prices)) ?? null
}

/** An agent that was asked to use a model uses that one. */
async function withModelOnDisk(
  said: AgentResult,
  context: AttemptContext,
  iteration: IterationFolder,
): Promise<AgentResult> {
  const { session } = said
  if (!session || session.model !== null || context.order.model !== null) return said
  const model = await context.agent.modelOnDisk?.(session.id, environmentOf(context, iteration))
  return model ? { ...said, session: { ...session, model } } : said
}

function environmentOf(context: AttemptContext, iteration: IterationFolder): Environment {
  return attemptEnvironment(context, iteration, context.agent.variables)
}

/**
 * Looks up every few seconds, while an agent works, what it has used so far in the files of its conversation: for one
 * whose output does not say before the end, and only where a budget counts it. What comes back is called after every
 * line of its output: from the first on there may be something. `over`: the agent has ended, or is left to the next
 * engine.
 */
export function watchUsageOnDisk(
  context: AttemptContext,
  iteration: IterationFolder,
  over: AbortSignal,
  report: (soFar: UsageSoFar) => void,
): (reader: AgentReader) => void {
  const { agent } = context
  // An agent that reports its cost reports it while it works.
  const isReported = agent.counters.cost !== 'none'
  let timer: NodeJS.Timeout | null = null
  over.addEventListener('abort', () => clearTimeout(timer ?? undefined), { once: true })
  const lookIn = (ms: number, reader: AgentReader) => {
    if (!over.aborted) timer = setTimeout(() => void lookUp(reader), ms)
  }
  const lookUp = async (reader: AgentReader) => {
    const { session } = await withModelOnDisk(reader.result(STILL_RUNNING), context, iteration)
    const usage = session && (await usageOnDisk(context, iteration, session.id))
    if (usage && !over.aborted) report({ usage, model: session.model, isAlone: agent.isDiskAlone ?? false })
    lookIn(EVERY_MS, reader)
  }
  return (reader) => {
    if (!timer && !isReported && agent.usageOnDisk && context.budget.tightestUsd !== null) lookIn(0, reader)
  }
}

/** A process of the agent. `over`: it has ended, or is left to the next engine. */
export type Running = { reader: AgentReader; iteration: IterationFolder; over: AbortSignal }

/**
 * Resolves when what its newest answer has cost is in its files, or that takes too long. An answer is printed while it
 * comes in, and what it costs is known at its end: of one that is cut off nobody learns it.
 */
export async function untilAnswerCounted(context: AttemptContext, { reader, iteration, over }: Running): Promise<void> {
  const { agent } = context
  const session = reader.result(STILL_RUNNING).session?.id
  const environment = environmentOf(context, iteration)
  const until = Date.now() + ANSWER_MS
  while (session && reader.newestAnswer && agent.hasWritten && !over.aborted && Date.now() < until) {
    if (await agent.hasWritten(session, reader.newestAnswer, environment)) return
    await pause({ wake: null })
  }
}

const STILL_RUNNING = { code: null, signal: null }
/** What comes in longer than that is cut off: it costs money, too. */
const ANSWER_MS = 5_000
const EVERY_MS = 3_000
