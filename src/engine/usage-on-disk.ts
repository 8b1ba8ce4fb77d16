// What the output of a process does not tell, some programs have written down: what it used where it was ended before it
// told that, or where others worked for it, and which model it chose.
import { statSync } from 'node:fs'
import type { AgentResult, Environment } from '../agents/agent.ts'
import { priceOf } from '../agents/prices.ts'
import { slotOf } from '../git/slot.ts'
import { costOf, mostUsage, NO_USAGE, type Usage } from '../usage.ts'
import { type AttemptSpec, attemptEnvironment } from './attempt-spec.ts'
import type { IterationFolder } from './state-folder.ts'

/** `note`: what a person should know of what was not found. */
export type Completed = { result: AgentResult; note: string | null }

export async function withUsageOnDisk(
  told: AgentResult,
  spec: AttemptSpec,
  iteration: IterationFolder,
): Promise<Completed> {
  const said = await withModelOnDisk(told, spec, iteration)
  const isComplete = said.usage !== null && !said.isUsageAlone && !said.hasSubagents
  const written = isComplete || !said.session ? null : await usageOnDisk(spec, iteration, said.session.id)
  if (!written) return { result: said, note: said.hasSubagents ? UNCOUNTED : null }
  // It prints an answer before it writes it down.
  const usage = mostUsage(written, said.usage ?? NO_USAGE)
  const name = said.session?.model ?? spec.model
  const price = name === null || tellsCost(written) ? null : priceOf(name, spec.settings.prices)
  return { result: { ...said, usage: price ? { ...usage, costUsd: costOf(usage, price) } : usage }, note: null }
}

const UNCOUNTED = 'what its subagents used is not counted: the files in which it keeps that were not found'

function tellsCost({ costUsd }: Usage): boolean {
  return costUsd > 0
}

/** Of the process of this iteration. */
export async function usageOnDisk(
  spec: AttemptSpec,
  iteration: IterationFolder,
  session: string,
): Promise<Usage | null> {
  // From then on everything is of this process: it was started right after that.
  const since = statSync(iteration.prepared, { throwIfNoEntry: false })?.mtimeMs
  if (since === undefined) return null
  return (await spec.agent.usageOnDisk?.(session, since, environmentOf(spec, iteration))) ?? null
}

/** One that was told which model to use uses that. */
export async function withModelOnDisk(
  said: AgentResult,
  spec: AttemptSpec,
  iteration: IterationFolder,
): Promise<AgentResult> {
  const { session } = said
  if (!session || session.model !== null || spec.model !== null) return said
  const model = await spec.agent.modelOnDisk?.(session.id, environmentOf(spec, iteration))
  return model ? { ...said, session: { ...session, model } } : said
}

function environmentOf(spec: AttemptSpec, iteration: IterationFolder): Environment {
  const { agent, engine, slot } = spec
  return attemptEnvironment(spec, slotOf(engine, slot).path, iteration, agent.variables)
}
