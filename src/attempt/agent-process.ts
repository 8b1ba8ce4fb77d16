// The processes of an attempt's agent, one after the other: each is started or adopted, followed to its end, and its
// reports are added up. An agent that goes round in circles is ended.
//
// Properties
// - The journal does not say which output an agent was ended for, and the log has a limit, so that output may be gone
//   later. So the reason is noted beside the logs before the agent is ended, and the next engine comes to the same end.
// - A process that is over for good is only read, never adopted.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AgentReader, AgentResult } from '../agents/agent.ts'
import { patienceOf } from '../agents/agents-by-name.ts'
import type { McpServer } from '../agents/mcp-server.ts'
import { type Failure, failure } from '../event.ts'
import { packageFile } from '../files/package-file.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { keptText } from '../process/secrets.ts'
import { type Ending, type Exit, readStatus } from '../process/supervise/exit.ts'
import { feedLines } from '../process/supervise/read-output.ts'
import type { Supervised } from '../process/supervise/supervise.ts'
import { identityVariables } from '../workspace/attempt-variables.ts'
import type { IterationFolder } from '../workspace/state-folder.ts'
import { type AttemptContext, attemptEnvironment, hookFiles, mayWrite } from './attempt-context.ts'
import { leftoversText, processEnd } from './exit-failures.ts'
import { AgentRecord } from './watch/agent-usage.ts'
import { ProviderWait } from './watch/provider-wait-limit.ts'
import { watchStalls } from './watch/report-stalls.ts'
import {
  type Running,
  sessionSoFar,
  untilAnswerCounted,
  watchUsageInFiles,
  withUsageInFiles,
} from './watch/usage-in-agent-files.ts'
import type { Steps } from './worktree-commands.ts'

/** `isWaiting`: it was ended because it waited for its provider. */
export type AgentEnd = { exit: Exit; said: AgentResult; isWaiting: boolean }

export class AgentProcesses {
  readonly record: AgentRecord
  readonly #context: AttemptContext
  readonly #steps: Steps
  #hasAnswered = false
  #running: Running | null = null

  constructor(context: AttemptContext, steps: Steps) {
    this.#context = context
    this.#steps = steps
    this.record = new AgentRecord(context)
  }

  /** Continues the conversation of earlier processes, if there was one. */
  async start(iteration: IterationFolder): Promise<Supervised> {
    const { order, agent, slot } = this.#context
    const { number, work: dir, promptFile } = iteration
    const environment = attemptEnvironment(this.#context, iteration, agent.variables)
    const mcp = mcpServer(this.#context, dir, environment)
    const { argv, stdin, stderr, env, files, links } = agent.invoke({
      promptFile,
      model: order.model,
      newSession: sessionName(order.token, number),
      resume: this.record.resumes,
      ...this.#allowance(),
      mayWrite: mayWrite(this.#context),
      hooks: hookFiles(this.#context, iteration),
      environment,
      ...(mcp ? { mcp } : {}),
    })
    // Nothing was ever started in there, or it would have been adopted; a file in it only marks that.
    await rm(dir, { recursive: true, force: true })
    await mkdir(dir, { recursive: true, mode: 0o700 })
    for (const { path, text } of files ?? []) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(path, text, { mode: 0o600 })
    }
    for (const { path, target, isFolder } of links ?? []) {
      if (isFolder) await mkdir(target, { recursive: true, mode: 0o700 })
      await symlink(target, path)
    }
    return this.#steps.supervise({
      dir,
      cwd: slot.path,
      argv,
      stdin: stdin === 'prompt' ? promptFile : null,
      env: { ...environment, ...mcp?.env, ...env },
      stderr,
    })
  }

  /**
   * Money that the process may spend. A process that continues a conversation may count the earlier cost; if it does not, the
   * engine ends it in time.
   */
  #allowance(): { budgetUsd?: number } {
    const { allowanceUsd } = this.#context.budget
    if (allowanceUsd === null) return {}
    if (this.record.resumes === null) return { budgetUsd: allowanceUsd - this.record.spentUsd() }
    return { budgetUsd: allowanceUsd + (this.record.continued?.used.costUsd ?? 0) }
  }

  /** Decides once, and notes, whether it continues the conversation of an interrupted attempt. */
  async chooseConversation(iteration: IterationFolder): Promise<void> {
    const { order, agent, folder } = this.#context
    const conversation = order.interrupted?.conversation ?? null
    const environment = attemptEnvironment(this.#context, iteration, agent.variables)
    const isThere = async (id: string) => (await agent.findsConversation?.(id, environment)) ?? true
    if (conversation === null || !(await isThere(conversation.id))) return
    await writeAtomically(folder.conversation, JSON.stringify({ id: conversation.id }))
    this.record.continued = conversation
  }

  /** Reads that decision of an earlier engine. */
  recallConversation(): void {
    const { order, folder } = this.#context
    const conversation = order.interrupted?.conversation ?? null
    if (conversation !== null && existsSync(folder.conversation)) this.record.continued = conversation
  }

  get hasMoney(): boolean {
    const { allowanceUsd } = this.#context.budget
    return allowanceUsd === null || this.record.spentUsd() < allowanceUsd
  }

  /** Reads the output to its end. `end`: called if the output is a reason to end the agent. */
  async follow(work: Supervised, iteration: IterationFolder, end: (why: Failure) => void): Promise<AgentEnd> {
    const { order, agent, host } = this.#context
    const { work: dir } = iteration
    const reader = agent.reader(order.settings.prices)
    const over = new AbortController()
    const done = work.done.finally(() => over.abort())
    const signal = AbortSignal.any([over.signal, this.#steps.released])
    this.#running = { reader, iteration, over: signal }
    const agentEnded = watchStalls(this.#context, dir, signal)
    const wait = new ProviderWait(patienceOf(order.agent, order.settings), signal, () => void work.stop())
    const hasEnded = () => readStatus(dir) !== null
    const lookInFiles = watchUsageInFiles(this.#context, iteration, signal, (usageSoFar) => {
      this.record.reportSpending({ usageSoFar }, hasEnded)
    })
    await feedLines(dir, signal, (line) => {
      // The next engine reads the rest.
      if (this.#steps.released.aborted) return
      const message = reader.line(line)
      if (message !== null) host.progress(message)
      this.record.lookAtModel(reader)
      wait.look(reader)
      this.record.reportSpending(reader, hasEnded)
      lookInFiles(reader)
      if (order.isProbe) this.#reportAnswer(reader)
      const looping = this.#steps.stopping ? null : this.record.looping(reader, order.task)
      if (!looping) return
      noteEnding(iteration.ending, looping)
      end(looping)
    })
    const exit = await this.#steps.exitOf(work, dir, done)
    agentEnded()
    if (exit.leftovers > 0) host.progress(leftoversText(exit.leftovers))
    const said = await this.#hear(reader, exit, iteration)
    if (order.task.verify.length > 0) this.record.reportSpentAtEnd()
    return { exit, said, isWaiting: wait.hasEnded }
  }

  async untilCounted(): Promise<void> {
    if (this.#running) await untilAnswerCounted(this.#context, this.#running)
  }

  #reportAnswer(reader: AgentReader): void {
    if (this.#hasAnswered) return
    const { messages = 0, toolCalls = 0 } = sessionSoFar(reader) ?? {}
    if (messages + toolCalls === 0) return
    this.#hasAnswered = true
    const { host, order } = this.#context
    host.report({ type: 'attempt.stirred', task: order.task.id, attempt: order.attempt, answered: true })
  }

  /** Takes in the output of a process that is over for good. */
  async recall(iteration: IterationFolder): Promise<void> {
    const reader = this.#context.agent.reader(this.#context.order.settings.prices)
    await feedLines(iteration.work, AbortSignal.abort(), (line) => void reader.line(line))
    await this.#hear(reader, readStatus(iteration.work)?.ending ?? { kind: 'lost' }, iteration)
  }

  async #hear(reader: AgentReader, ending: Ending, iteration: IterationFolder): Promise<AgentResult> {
    const continued = iteration.number === 1 ? this.record.continued : null
    const reported = reader.result(processEnd(ending))
    const newest = reader.newestAnswer ?? null
    const counted = await withUsageInFiles(reported, newest, this.#context, iteration, continued)
    if (counted.note !== null) this.#steps.notes.push(counted.note)
    const { summary } = reported
    const said = { ...counted.result, summary: summary === null ? null : keptText(summary, this.#context.secrets) }
    this.record.add({ ...counted, result: said }, reader)
    return said
  }
}

/** A UUID, the form that programs want, made of the attempt and the first iteration of the conversation. */
function sessionName(token: string, iteration: number): string {
  const [a, b, c, d] = [token.slice(0, 8), token.slice(8, 12), token.slice(13, 16), token.slice(17, 20)]
  return `${a}-${b}-4${c}-8${d}-${token.slice(20, 30)}${iteration.toString(16).padStart(2, '0')}`
}

/** The task manager for the agent. Null: off in the settings, or the task has no agent. */
function mcpServer(
  { order, machine }: AttemptContext,
  folder: string,
  environment: Readonly<Record<string, string>>,
): McpServer | null {
  const { run, task, attempt, token, settings } = order
  if (!settings.mcp || task.work.kind !== 'prompt') return null
  const env = identityVariables({ stateRoot: machine.folder.root, run, task: task.id, attempt, token })
  return { command: process.execPath, args: [BIN, 'mcp'], env, folder, environment }
}

/** Called by its path, with the engine's Node: neither has to be on the agent's PATH. */
const BIN = packageFile('bin/espalier.js')

/** In one step, without a rename: an engine that dies in the middle has not ended the agent yet. */
function noteEnding(file: string, why: Failure): void {
  try {
    writeFileSync(file, JSON.stringify(why), { mode: 0o600 })
  } catch {
    // The disk is full, or the folder is gone: then the output has to say it again.
  }
}

/** Why an engine ended the agent because of its output; null: none did, or the note is broken. */
export function notedEnding({ ending }: IterationFolder): Failure | null {
  try {
    return failure.parse(JSON.parse(readFileSync(ending, 'utf8')))
  } catch {
    return null
  }
}
