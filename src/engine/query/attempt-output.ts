// The output of an attempt, also while it is being written, and of the verification that sent its work back.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { transcriptOf } from '../../agents/agents-by-name.ts'
import { CommandWords, speaksCommandLines } from '../../agents/command/agent.ts'
import type { Transcript } from '../../agents/transcript.ts'
import { type PastVerification, RunHistory } from '../../facts/landing-queue-history.ts'
import { workerOf } from '../../facts/spending.ts'
import { mapped, ok, type Result, refuse } from '../../problem.ts'
import { followOutput, lineSplitter } from '../../process/supervise/read-output.ts'
import { goesOn } from '../../process/supervise/supervise.ts'
import { count } from '../../text/figures.ts'
import { usageText } from '../../text/usage-text.ts'
import type { AttemptView, TaskView } from '../../view.ts'
import { readEvents, readTaskView, readWithPlan, watchRun } from '../../workspace/read-runs.ts'
import { attemptFolder, isWork, stepsIn, verificationFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type LogRequest = {
  run?: string | undefined
  task: string
  attempt?: number | undefined
  follow?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Output of an attempt: setup, agent, checks, for every iteration; then of the verification that sent its work back, if any. */
export async function readLog(workspace: Workspace, request: LogRequest): Promise<Result<AsyncIterable<Buffer>>> {
  return mapped(await openLog(workspace, request), ({ agent, output }) =>
    ownLines(withHeadings(output, () => (speaksCommandLines(agent) ? new CommandWords() : PLAIN))),
  )
}

/** The same as `readLog`, but with what the agent printed made readable, and how the attempt ended. */
export async function readTranscript(
  workspace: Workspace,
  request: LogRequest,
): Promise<Result<AsyncIterable<Buffer>>> {
  return mapped(await openLog(workspace, request), ({ run, attempt, agent, output }) => {
    async function* readable(): AsyncGenerator<Part> {
      yield* withHeadings(output, () => shownAs(agent))
      const task = await readTaskView(workspace, { run, task: request.task })
      const end = task.ok ? task.value?.history.find((one) => one.attempt === attempt) : undefined
      if (end?.finishedAt != null) yield { heading: endText(end) }
    }
    return ownLines(readable())
  })
}

type StepOutput = { step: string; data: Buffer | null }

async function openLog(
  workspace: Workspace,
  { run: named, task, attempt: wanted, follow = false, signal }: LogRequest,
): Promise<Result<{ run: string; attempt: number; agent: string | null; output: AsyncIterable<StepOutput> }>> {
  const found = await readWithPlan(workspace, { run: named })
  if (!found.ok) return found
  const { view, plan, folder } = found.value
  const { run } = view
  const mine = view.tasks.find(({ id }) => id === task)
  if (!mine) return refuse(`run ${run} has no task ${task}: \`espalier status\` lists them`)
  const attempt = wanted ?? mine.attempts
  if (attempt < 1 || attempt > mine.attempts)
    return refuse(
      mine.attempts === 0
        ? `${task} has not started yet (${mine.status})`
        : `${task} has had ${mine.attempts} attempts`,
    )
  const which = { run, task, attempt }
  const { root } = attemptFolder(folder, run, task, attempt)
  const printed = follow ? followSteps(root, workspace, which, signal) : steps(root)
  const past = mine.history.find((one) => one.attempt === attempt) ?? { session: null }
  const { agent } = workerOf(past, plan?.tasks.find(({ id }) => id === task)?.work)
  // Without a landing queue nothing is verified, and the journal need not be read.
  const output = view.queue || follow ? withVerification(printed, workspace, which) : printed
  return ok({ run, attempt, agent, output })
}

type Which = { run: string; task: string; attempt: number }

async function* withVerification(
  printed: AsyncIterable<StepOutput>,
  workspace: Workspace,
  which: Which,
): AsyncGenerator<StepOutput> {
  yield* printed
  const [events, view] = [await readEvents(workspace, which), await readTaskView(workspace, which)]
  if (!events.ok || !view.ok || !view.value) return
  const sent = sentBackBy(RunHistory.of(events.value), view.value, which.attempt)
  if (!sent) return
  yield { step: `verification ${sent.verification} of ${sent.commit.slice(0, 8)}`, data: null }
  yield* steps(verificationFolder(workspace.folder, which.run, sent.verification))
}

/** The verification that sent the work of an attempt back; null: none did. */
function sentBackBy(
  history: RunHistory,
  { id, history: attempts }: TaskView,
  attempt: number,
): PastVerification | null {
  const own = attempts.find((one) => one.attempt === attempt)
  const next = attempts.find((one) => one.attempt > attempt)
  const isOwn = (at: number) => own?.finishedAt != null && at >= own.finishedAt && at <= (next?.startedAt ?? at)
  const refusal = history.refusals.find(({ tasks, at }) => tasks.includes(id) && isOwn(at))
  if (refusal?.failure.reason !== 'landing-failed') return null
  const isCulprit = (task: string | undefined) => task !== undefined && refusal.tasks.includes(task)
  const failed = [...history.verifications.values()].filter(({ passed }) => passed === false)
  return failed.findLast(({ tasks, finishedAt }) => isCulprit(tasks.at(-1)) && (finishedAt ?? 0) <= refusal.at) ?? null
}

type Shown = { push(data: Buffer): Buffer[]; end(): Buffer[] }

const PLAIN: Shown = { push: (data) => [data], end: () => [] }

async function* withHeadings(output: AsyncIterable<StepOutput>, ofAgent: () => Shown): AsyncGenerator<Part> {
  let shown = PLAIN
  for await (const { step, data } of output) {
    if (data !== null) {
      yield* shown.push(data)
      continue
    }
    yield* shown.end()
    shown = isWork(step) ? ofAgent() : PLAIN
    if (step !== 'work') yield { heading: step }
  }
  yield* shown.end()
}

function shownAs(agent: string | null): Shown {
  if (speaksCommandLines(agent)) return new CommandWords()
  const transcript = transcriptOf(agent ?? '')
  return transcript ? new Folded(transcript) : PLAIN
}

class Folded implements Shown {
  readonly #transcript: Transcript
  readonly #splitter = lineSplitter()
  #wasEmpty = true

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  push(data: Buffer): Buffer[] {
    return this.#written(this.#splitter.push(data).flatMap((line) => this.#transcript.line(line)))
  }

  end(): Buffer[] {
    const lines = this.#splitter.end().flatMap((line) => this.#transcript.line(line))
    return this.#written([...lines, ...this.#transcript.end()])
  }

  #written(lines: string[]): Buffer[] {
    return lines.flatMap((line) => {
      if (line === '' && this.#wasEmpty) return []
      this.#wasEmpty = line === ''
      return [Buffer.from(`${line}\n`)]
    })
  }
}

/** `changed, 3 turns, 2 tool calls, 4,428 tokens in (4,428 from the cache), 39 out, $0.0152` */
function endText({ outcome, session, usage }: AttemptView): string {
  const counts = session ? [count(session.turns, 'turn'), count(session.toolCalls, 'tool call')] : []
  return [outcome ?? 'ended', ...counts, ...(usage ? [usageText(usage)] : [])].join(', ')
}

async function* steps(root: string): AsyncGenerator<StepOutput> {
  for (const step of await stepsIn(root)) {
    yield { step, data: null }
    for await (const data of followOutput(join(root, step), { signal: AbortSignal.abort() })) yield { step, data }
  }
}

async function* followSteps(
  root: string,
  workspace: Workspace,
  which: Which,
  signal: AbortSignal | undefined,
): AsyncGenerator<StepOutput> {
  const shown = new Set<string>()
  const [left, over] = [new AbortController(), new AbortController()]
  const watching = untilOver(root, workspace, which, left.signal).finally(() => over.abort())
  const end = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  try {
    for (;;) {
      const ended = end.aborted
      const next = (await stepsIn(root)).filter((name) => !shown.has(name))
      for (const step of next) {
        shown.add(step)
        yield { step, data: null }
        for await (const data of followOutput(join(root, step), { signal: end })) yield { step, data }
      }
      if (ended && next.length === 0) return
      if (next.length === 0) await wait(STEP_POLL_MS, undefined, { signal: end }).catch(() => {})
    }
  } finally {
    left.abort()
    await watching
  }
}

/**
 * Resolves when the attempt is over, or nobody works on its run any more; and no command of it goes on, also if both engine and
 * supervisor died before they recorded its end.
 */
async function untilOver(
  root: string,
  workspace: Workspace,
  { run, task, attempt }: Which,
  signal: AbortSignal,
): Promise<void> {
  for await (const now of watchRun(workspace, { run, everyMs: LOOK_MS, signal })) {
    const mine = now.ok ? now.value?.tasks.find(({ id }) => id === task) : undefined
    const view = mine?.history.find((one) => one.attempt === attempt)
    if (view === undefined || view.finishedAt !== null || (now.ok && now.value?.engine === null)) break
  }
  while (!signal.aborted && (await stepsIn(root)).some((step) => goesOn(join(root, step))))
    await wait(LOOK_MS, undefined, { signal }).catch(() => {})
}

const LOOK_MS = 1_000
const STEP_POLL_MS = 200

// A heading begins a line, also after a program that ended in the middle of one.

type Part = Buffer | { heading: string }

async function* ownLines(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  let isLineStart = true
  for await (const part of parts) {
    const text: Buffer = Buffer.isBuffer(part) ? part : Buffer.from(`${isLineStart ? '' : '\n'}── ${part.heading} ──\n`)
    if (text.length > 0) isLineStart = text.at(-1) === NEWLINE
    yield text
  }
}

const NEWLINE = 10
