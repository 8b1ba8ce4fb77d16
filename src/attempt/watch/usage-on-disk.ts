// What the output of a process does not tell, some programs have written down: what it used where it was ended before it
// told that, or where others worked for it, and which model it chose.
import { statSync } from 'node:fs'
import type { AgentReader, AgentResult, Environment, UsageSoFar } from '../../agents/agent.ts'
import { priceOf } from '../../agents/prices.ts'
import { costOf, mostUsage, NO_USAGE, type Usage } from '../../usage.ts'
import type { IterationFolder } from '../../workspace/folder.ts'
import { type AttemptContext, attemptEnvironment } from '../context.ts'

/** `note`: what a person should know of what was not found. */
export async function withUsageOnDisk(
  told: AgentResult,
  context: AttemptContext,
  iteration: IterationFolder,
): Promise<{ result: AgentResult; note: string | null }> {
  const said = await withModelOnDisk(told, context, iteration)
  const isComplete = said.usage !== null && !said.isUsageAlone && !said.hasSubagents
  const written = isComplete || !said.session ? null : await usageOnDisk(context, iteration, said.session.id)
  if (!written) return { result: said, note: said.hasSubagents ? UNCOUNTED : null }
  // It prints an answer before it writes it down.
  const usage = mostUsage(written, said.usage ?? NO_USAGE)
  const name = said.session?.model ?? context.order.model
  const price = name === null || written.costUsd > 0 ? null : priceOf(name, context.order.settings.prices)
  return { result: { ...said, usage: price ? { ...usage, costUsd: costOf(usage, price) } : usage }, note: null }
}

const UNCOUNTED = 'what its subagents used is not counted: the files in which it keeps that were not found'

/** Of the process of this iteration. */
async function usageOnDisk(
  context: AttemptContext,
  iteration: IterationFolder,
  session: string,
): Promise<Usage | null> {
  // From then on everything is of this process: it was started right after that.
  const since = statSync(iteration.prepared, { throwIfNoEntry: false })?.mtimeMs
  if (since === undefined) return null
  return (await context.agent.usageOnDisk?.(session, since, environmentOf(context, iteration))) ?? null
}

/** One that was told which model to use uses that. */
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
 * whose output does not tell before the end, and only where a budget counts it. What comes back is called after every
 * line of its output: from the first on there may be something. `over`: the agent has ended, or is not this engine's any
 * more.
 */
export function watchUsageOnDisk(
  context: AttemptContext,
  iteration: IterationFolder,
  over: AbortSignal,
  tell: (soFar: UsageSoFar) => void,
): (reader: AgentReader) => void {
  const { agent } = context
  // One that tells what it costs tells it while it works.
  const isTold = agent.counters.cost !== 'none'
  let timer: NodeJS.Timeout | null = null
  over.addEventListener('abort', () => clearTimeout(timer ?? undefined), { once: true })
  const lookIn = (ms: number, reader: AgentReader) => {
    if (!over.aborted) timer = setTimeout(() => void lookUp(reader), ms)
  }
  const lookUp = async (reader: AgentReader) => {
    const { session } = await withModelOnDisk(reader.result(STILL_RUNNING), context, iteration)
    const usage = session && (await usageOnDisk(context, iteration, session.id))
    if (usage && !over.aborted) tell({ usage, model: session.model })
    lookIn(EVERY_MS, reader)
  }
  return (reader) => {
    if (!timer && !isTold && agent.usageOnDisk && context.budget.tightestUsd !== null) lookIn(0, reader)
  }
}

const STILL_RUNNING = { code: null, signal: null }
const EVERY_MS = 3_000
