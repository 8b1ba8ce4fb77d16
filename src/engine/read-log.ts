// The output of an attempt, from any process, also while it is being written, and of the verification that sent its
// work away.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../event.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { isAlive, parseIdentity } from '../process/identity.ts'
import { followOutput } from '../process/output.ts'
import { folderOf, readEvents, readRun, type Where } from './read.ts'
import { attemptFolder, type StateFolder, verificationFolder } from './state-folder.ts'

export type LogRequest = Where & {
  run?: string | undefined
  task: string
  /** By default the newest. */
  attempt?: number | undefined
  follow?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** What an attempt printed: its setup, the agent, its checks, in that order. Then what sent its work away, if anything. */
export async function readLog(request: LogRequest): Promise<Result<AsyncIterable<Buffer>>> {
  const { task, follow = false, signal } = request
  const found = await readRun(request)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse('there is no run yet')
  const mine = view.tasks.find((one) => one.id === task)
  if (!mine) return refuse(`run ${view.run} has no task ${task}: \`espalier status\` lists them`)
  const attempt = request.attempt ?? mine.attempts
  if (attempt < 1 || attempt > mine.attempts)
    return refuse(
      mine.attempts === 0
        ? `${task} has not started yet (${mine.status})`
        : `${task} has had ${mine.attempts} attempts`,
    )
  const folder = await folderOf(request)
  if (!folder.ok) return folder
  const { root } = attemptFolder(folder.value, view.run, task, attempt)
  const printed = follow ? followSteps(root, signal, async () => isOver(request, view.run, task, attempt)) : steps(root)
  // Without a landing queue nothing is verified, and the journal need not be read.
  if (!view.queue && !follow) return ok(printed)
  return ok(withVerification(printed, folder.value, { ...request, run: view.run }, attempt))
}

async function* withVerification(
  printed: AsyncIterable<Buffer>,
  folder: StateFolder,
  request: LogRequest & { run: string },
  attempt: number,
): AsyncGenerator<Buffer> {
  yield* printed
  const events = await readEvents(request)
  const sent = events.ok ? sentAwayBy(events.value, request.task, attempt) : null
  if (!sent) return
  yield Buffer.from(`── verification ${sent.verification} of ${sent.commit.slice(0, 8)} ──\n`)
  yield* steps(verificationFolder(folder, request.run, sent.verification))
}

/** The failed verification for which the work of this attempt did not land. */
function sentAwayBy(events: readonly Event[], task: string, attempt: number) {
  type Verified = { verification: number; commit: string; culprit: string | undefined }
  const started = new Map<number, Verified>()
  const failed: Verified[] = []
  let current = 0
  for (const event of events) {
    if (event.type === 'attempt.started' && event.task === task) current = event.attempt
    else if (event.type === 'landing.verifying') {
      const { verification, commit, tasks } = event
      started.set(verification, { verification, commit, culprit: tasks.at(-1) })
    } else if (event.type === 'landing.verified') {
      const verified = started.get(event.verification)
      if (verified && event.verdict?.passed === false) failed.push(verified)
    } else if (event.type === 'landing.refused' && current === attempt && event.tasks.includes(task)) {
      if (event.failure.reason !== 'landing-failed') return null
      return failed.findLast(({ culprit }) => culprit !== undefined && event.tasks.includes(culprit)) ?? null
    }
  }
  return null
}

/** The engine will not bring it any further: it is done with it, or there is none. */
async function isOver(where: Where, run: string, task: string, attempt: number): Promise<boolean> {
  const now = await readRun({ ...where, run })
  const mine = now.ok ? now.value?.tasks.find((one) => one.id === task) : undefined
  const view = mine?.history.find((one) => one.attempt === attempt)
  return view === undefined || view.finishedAt !== null || (now.ok && now.value?.engine === null)
}

const STEP_ORDER = ['setup', 'work', 'verify']
const STEP_POLL_MS = 200
const END_POLL_MS = 1_000

async function* steps(root: string): AsyncGenerator<Buffer> {
  for (const name of await stepsIn(root)) {
    yield* heading(name)
    yield* followOutput(join(root, name), { signal: AbortSignal.abort() })
  }
}

async function* followSteps(
  root: string,
  signal: AbortSignal | undefined,
  over: () => Promise<boolean>,
): AsyncGenerator<Buffer> {
  const shown = new Set<string>()
  for (;;) {
    const ended = signal?.aborted || (await over())
    const next = (await stepsIn(root)).filter((name) => !shown.has(name))
    for (const name of next) {
      shown.add(name)
      yield* heading(name)
      yield* followStep(join(root, name), signal, over)
    }
    if (ended && next.length === 0) return
    if (next.length === 0) await wait(STEP_POLL_MS)
  }
}

/** To its end, which it does not write down itself if both the engine and the supervisor are gone. */
async function* followStep(
  dir: string,
  signal: AbortSignal | undefined,
  over: () => Promise<boolean>,
): AsyncGenerator<Buffer> {
  const gone = new AbortController()
  const left = new AbortController()
  const isGone = async () => (await over()) && !(await isSupervised(dir))
  void whenGone(isGone, left.signal).finally(() => gone.abort())
  try {
    yield* followOutput(dir, { signal: signal ? AbortSignal.any([signal, gone.signal]) : gone.signal })
  } finally {
    left.abort()
  }
}

async function whenGone(isGone: () => Promise<boolean>, left: AbortSignal): Promise<void> {
  while (!left.aborted && !(await isGone().catch(() => true)))
    await wait(END_POLL_MS, undefined, { signal: left }).catch(() => {})
}

async function isSupervised(dir: string): Promise<boolean> {
  const text = await readFile(join(dir, 'supervisor'), 'utf8').catch(() => null)
  const supervisor = text === null ? null : parseIdentity(text)
  return supervisor !== null && isAlive(supervisor)
}

function* heading(step: string): Generator<Buffer> {
  if (step !== 'work') yield Buffer.from(`── ${step} ──\n`)
}

async function stepsIn(root: string): Promise<string[]> {
  const names = await readdir(root, { withFileTypes: true }).catch(() => [])
  const rank = (name: string) => STEP_ORDER.indexOf(name.split('-')[0] ?? '')
  return names
    .filter((entry) => entry.isDirectory() && rank(entry.name) >= 0)
    .map((entry) => entry.name)
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }))
}
