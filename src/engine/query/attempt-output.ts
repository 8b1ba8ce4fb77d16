// The output of an attempt, also while it is being written, and of the verification that sent its work back.
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandWords, speaksCommandLines } from '../../agents/command/agent.ts'
import { transcriptOf } from '../../agents/known-agents.ts'
import type { Transcript } from '../../agents/transcript.ts'
import { type PastVerification, RunHistory } from '../../facts/run-history.ts'
import { workerOf } from '../../facts/spending.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { lineSplitter } from '../../process/supervise/lines.ts'
import { followOutput } from '../../process/supervise/output.ts'
import { goesOn } from '../../process/supervise/supervise.ts'
import { usageText } from '../../text/usage-text.ts'
import type { AttemptView, TaskView } from '../../view.ts'
import { isWork, stepsIn } from '../../workspace/command-folder-name.ts'
import { readEvents, readKnownRun, readPlanOf, readTaskView, watchRun } from '../../workspace/read-runs.ts'
import { attemptFolder, type StateFolder, verificationFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type LogRequest = {
  run?: string | undefined
  task: string
  /** Default: the newest. */
  attempt?: number | undefined
  follow?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Output of an attempt: setup, agent, checks, for every iteration; then of the verification that sent its work back, if any. */
export async function readLog(workspace: Workspace, request: LogRequest): Promise<Result<AsyncIterable<Buffer>>> {
  const log = await openLog(workspace, request)
  if (!log.ok) return log
  const agent = await agentOf(workspace, request, log.value)
  return ok(ownLines(withHeadings(log.value.output, () => (speaksCommandLines(agent) ? new CommandWords() : PLAIN))))
}

/** The same as `readLog`, but with what the agent printed made readable, and how the attempt ended. */
export async function readTranscript(
  workspace: Workspace,
  request: LogRequest,
): Promise<Result<AsyncIterable<Buffer>>> {
  const log = await openLog(workspace, request)
  if (!log.ok) return log
  const { run, attempt, output } = log.value
  const agent = await agentOf(workspace, request, log.value)
  async function* readable(): AsyncGenerator<Part> {
    yield* withHeadings(output, () => shownAs(agent))
    const task = await readTaskView(workspace, { run, task: request.task })
    const end = task.ok ? task.value?.history.find((one) => one.attempt === attempt) : undefined
    if (end?.finishedAt != null) yield { heading: endText(end) }
  }
  return ok(ownLines(readable()))
}

type OpenLog = { run: string; attempt: number; view: AttemptView | null; output: AsyncIterable<StepOutput> }

async function agentOf(workspace: Workspace, request: LogRequest, { run, view }: OpenLog): Promise<string | null> {
  const plan = await readPlanOf(workspace, { run })
  const work = plan.ok ? plan.value?.tasks.find(({ id }) => id === request.task)?.work : undefined
  return workerOf(view ?? { session: null }, work).agent
}

type StepOutput = { step: string; data: Buffer | null }

async function openLog(workspace: Workspace, request: LogRequest): Promise<Result<OpenLog>> {
  const { task, follow = false, signal } = request
  const found = await readKnownRun(workspace, request)
  if (!found.ok) return found
  const view = found.value
  const mine = view.tasks.find((one) => one.id === task)
  if (!mine) return refuse(`run ${view.run} has no task ${task}: \`espalier status\` lists them`)
  const attempt = request.attempt ?? mine.attempts
  if (attempt < 1 || attempt > mine.attempts)
    return refuse(
      mine.attempts === 0
        ? `${task} has not started yet (${mine.status})`
        : `${task} has had ${mine.attempts} attempts`,
    )
  const { folder } = workspace
  const { root } = attemptFolder(folder, view.run, task, attempt)
  const printed = follow ? followSteps(root, { workspace, run: view.run, task, attempt }, signal) : steps(root)
  const log = { run: view.run, attempt, view: mine.history.find((one) => one.attempt === attempt) ?? null }
  // Without a landing queue nothing is verified, and the journal need not be read.
  if (!view.queue && !follow) return ok({ ...log, output: printed })
  return ok({ ...log, output: withVerification(printed, folder, workspace, { ...request, run: view.run }, attempt) })
}

async function* withVerification(
  printed: AsyncIterable<StepOutput>,
  folder: StateFolder,
  workspace: Workspace,
  request: LogRequest & { run: string },
  attempt: number,
): AsyncGenerator<StepOutput> {
  yield* printed
  const [events, view] = [await readEvents(workspace, request), await readTaskView(workspace, request)]
  const sent = events.ok && view.ok && view.value ? sentBackBy(RunHistory.of(events.value), view.value, attempt) : null
  if (!sent) return
  yield { step: `verification ${sent.verification} of ${sent.commit.slice(0, 8)}`, data: null }
  yield* steps(verificationFolder(folder, request.run, sent.verification))
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
  const counts = session
    ? [
        `${session.turns} turn${session.turns === 1 ? '' : 's'}`,
        `${session.toolCalls} tool call${session.toolCalls === 1 ? '' : 's'}`,
      ]
    : []
  return [outcome ?? 'ended', ...counts, ...(usage ? [usageText(usage)] : [])].join(', ')
}

type Followed = { workspace: Workspace; run: string; task: string; attempt: number }

/** Resolves when the attempt is over, or nobody works on its run any more. */
async function untilOver({ workspace, run, task, attempt }: Followed, signal: AbortSignal): Promise<void> {
  for await (const now of watchRun(workspace, { run, everyMs: LOOK_MS, signal })) {
    const mine = now.ok ? now.value?.tasks.find((one) => one.id === task) : undefined
    const view = mine?.history.find((one) => one.attempt === attempt)
    if (view === undefined || view.finishedAt !== null || (now.ok && now.value?.engine === null)) return
  }
}

const LOOK_MS = 1_000
const STEP_POLL_MS = 200

async function* steps(root: string): AsyncGenerator<StepOutput> {
  for (const step of await stepsIn(root)) {
    yield { step, data: null }
    for await (const data of followOutput(join(root, step), { signal: AbortSignal.abort() })) yield { step, data }
  }
}

async function* followSteps(
  root: string,
  followed: Followed,
  signal: AbortSignal | undefined,
): AsyncGenerator<StepOutput> {
  const shown = new Set<string>()
  const [left, over] = [new AbortController(), new AbortController()]
  const watching = untilOver(followed, left.signal).finally(() => over.abort())
  try {
    for (;;) {
      const ended = signal?.aborted || over.signal.aborted
      const next = (await stepsIn(root)).filter((name) => !shown.has(name))
      for (const step of next) {
        shown.add(step)
        yield { step, data: null }
        for await (const data of followStep(join(root, step), signal, over.signal)) yield { step, data }
      }
      if (ended && next.length === 0) return
      if (next.length === 0) await wait(STEP_POLL_MS, undefined, { signal: over.signal }).catch(() => {})
    }
  } finally {
    left.abort()
    await watching
  }
}

/** Follows a step to its end, also if both engine and supervisor die before they record it. */
async function* followStep(dir: string, signal: AbortSignal | undefined, over: AbortSignal): AsyncGenerator<Buffer> {
  const gone = new AbortController()
  const left = new AbortController()
  void whenGone(dir, over, left.signal).finally(() => gone.abort())
  try {
    yield* followOutput(dir, { signal: signal ? AbortSignal.any([signal, gone.signal]) : gone.signal })
  } finally {
    left.abort()
  }
}

/** Resolves when neither engine nor supervisor works on it, or the reader has left. */
async function whenGone(dir: string, over: AbortSignal, left: AbortSignal): Promise<void> {
  if (!over.aborted) await once(over, 'abort', { signal: left }).catch(() => {})
  while (!left.aborted && goesOn(dir)) await wait(LOOK_MS, undefined, { signal: left }).catch(() => {})
}

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
