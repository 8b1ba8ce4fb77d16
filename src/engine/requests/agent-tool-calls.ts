// Requests of the task manager's tools, as data. On the engine's machine the store answers. On a worker the request is a file
// in the attempt's folder until the worker has its server's answer (fleet/worker/relay-agent-requests.ts), so an agent needs no access
// to the server and no token but that of its attempt.

import { randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { startOf } from '../../event.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { lockHolder } from '../../process/lock.ts'
import { keptText, secretValues } from '../../process/secrets.ts'
import { grantedTo, withGranted } from '../../scheduler/claims/gained.ts'
import { NOTE_KINDS } from '../../status.ts'
import { withStore } from '../../store/open.ts'
import { isPostgresUrl, storeExists } from '../../store/place.ts'
import type { Store } from '../../store/store.ts'
import type { Plan, Task } from '../../task.ts'
import { cut } from '../../text/cut.ts'
import { usageOf } from '../../usage.ts'
import type { AttemptView, RunSummary, TaskView } from '../../view.ts'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'
import {
  type AttemptFolder,
  attemptFolder,
  attemptToken,
  type StateFolder,
  stateFolder,
} from '../../workspace/state-folder.ts'
import { globFault } from './claims-of-people.ts'

const text = z.string().max(LIMITS.messageChars + 1)

export const askSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('task') }),
  z.strictObject({ type: z.literal('running') }),
  z.strictObject({ type: z.literal('note'), kind: z.enum(NOTE_KINDS), text, details: text.optional() }),
  z.strictObject({ type: z.literal('claim'), paths: z.array(z.string()).max(LIMITS.askedPaths) }),
])
export type Ask = z.infer<typeof askSchema>
type Answers = {
  task: Awaited<ReturnType<typeof taskFacts>>
  running: ReturnType<typeof runningFacts>[]
  note: null
  claim: ClaimAnswer
}
export type AnswerTo<A extends Ask> = Answers[A['type']]

/** The answer stands beside its question. */
export function answerFile(folder: string, name: string): string {
  return join(folder, `${name}.answer.json`)
}

export async function ask<A extends Ask>(identity: AttemptIdentity, asked: A): Promise<Result<AnswerTo<A>>> {
  const { stateRoot, run, task, attempt } = identity
  const folder = attemptFolder(stateFolder(stateRoot, stateRoot), run, task, attempt)
  const said = asked.type === 'note' ? { ...asked, ...cleanNote(asked) } : asked
  const answered = existsSync(folder.asks)
    ? ((await askWorker(folder.asks, identity.token, said)) as Result<AnswerTo<A>>)
    : await answerHere(identity, said as A)
  if (asked.type === 'claim' && answered.ok) await untilMayWrite(folder, answered.value as ClaimAnswer)
  return answered
}

/** Answers on a machine with the store. Refuses unless the identity is that of a live attempt. `place`: a store that is open. */
export async function answerHere<A extends Ask>(
  identity: AttemptIdentity,
  asked: A,
  place?: { folder: StateFolder; write<T>(use: (store: Store) => Promise<Result<T>>): Promise<Result<T>> },
): Promise<Result<AnswerTo<A>>> {
  const { run, task, attempt, stateRoot } = identity
  const folder = place?.folder ?? stateFolder(stateRoot, stateRoot)
  // Opening it to write would create one.
  if (!storeExists(folder.database)) return refuse(`there are no runs in ${stateRoot} any more`)
  const answered = async (store: Store): Promise<Result<Answers[Ask['type']]>> => {
    if (!(await isProved(store, identity)))
      return refuse(
        `this token is not that of attempt ${attempt} of ${task} in run ${run}: nothing can be told or asked in its name`,
      )
    const current = await aliveAttempt(store, identity)
    return current.ok ? answer({ identity, store, folder, ...current.value }, asked) : current
  }
  const written = place ? place.write(answered) : withStore(folder.database, 'write', answered)
  return (await written) as Result<AnswerTo<A>>
}

async function answer(live: LiveAttempt, asked: Ask): Promise<Result<Answers[Ask['type']]>> {
  const { store, identity } = live
  switch (asked.type) {
    case 'task': {
      const task = (await planOf(live))?.tasks.find(({ id }) => id === identity.task)
      if (!task) return refuse(`the plan of run ${identity.run} has no task ${identity.task}`)
      return ok(await taskFacts(live, task))
    }
    case 'running': {
      const running = await store.tasks(identity.run, 'running')
      const tasks = (await planOf(live))?.tasks.filter(({ id }) => running.has(id)) ?? []
      return ok(tasks.map((task) => runningFacts(task, running.get(task.id) as TaskView, identity)))
    }
    case 'note':
      return tellNote(live, asked)
    case 'claim':
      return requestClaim(live, asked.paths)
    default:
      return asked satisfies never
  }
}

type LiveAttempt = {
  identity: AttemptIdentity
  store: Store
  folder: StateFolder
  view: TaskView
  attempt: AttemptView
}

async function askWorker(folder: string, token: string, asked: Ask): Promise<Result<unknown>> {
  const name = randomUUID()
  const [question, answer] = [join(folder, `${name}.ask.json`), answerFile(folder, name)]
  await writeAtomically(question, JSON.stringify({ token, ask: asked }))
  const until = performance.now() + 3 * LIMITS.askWaitMs
  try {
    while (performance.now() < until) {
      await wait(LOOK_MS)
      const read = await readFile(answer, 'utf8').catch(() => null)
      if (read !== null) return JSON.parse(read) as Result<unknown>
    }
    return refuse('the server of this worker does not answer at the moment: go on, and try again later')
  } finally {
    for (const path of [question, answer]) await rm(path, { force: true })
  }
}

const LOOK_MS = 50

type Said = Omit<Extract<Ask, { type: 'note' }>, 'type'>

/** Removes the secrets of this process's environment, which is the agent's if the agent's own process calls it. */
function cleanNote(note: Said): Said {
  const secrets = secretValues(process.env)
  const clean = (text: string) => cut(keptText(text, secrets).trim(), LIMITS.messageChars)
  const said = { kind: note.kind, text: clean(note.text) }
  const details = clean(note.details ?? '')
  return details === '' ? said : { ...said, details }
}

/** Resolves when the note is in the store, whether an engine lives or not. */
async function tellNote({ identity, store, attempt }: LiveAttempt, note: Said): Promise<Result<null>> {
  const said = cleanNote(note)
  if (said.text === '') return refuse('the text is empty: say it in a sentence')
  if ((attempt.notes ?? []).length >= LIMITS.notes)
    return refuse(`this attempt has told ${LIMITS.notes} things, and no more are kept: put the rest into a file`)
  const { run, task, attempt: number } = identity
  await store.request(run, { type: 'attempt.noted', task, attempt: number, ...said, request: null })
  return ok(null)
}

export type ClaimAnswer =
  | { answer: 'granted'; paths: string[] }
  /** `holder`: the task or person that has claimed some of it. */
  | { answer: 'refused'; paths: string[]; holder: string }
  /** `engine` false: none works on the run now, and the next one will answer. */
  | { answer: 'open'; paths: string[]; engine: boolean }

/** Asks for globs to write besides the task's claims, and waits briefly for the answer. */
async function requestClaim(live: LiveAttempt, paths: readonly string[]): Promise<Result<ClaimAnswer>> {
  const { store, identity, attempt } = live
  const asked = [...new Set(paths.map((path) => path.trim().replace(/^(\.\/)+/, '')))]
  const fault = faultOf(asked)
  if (fault !== null) return refuse(fault)
  if ((attempt.asked ?? []).length >= LIMITS.asks)
    return refuse(`this attempt has asked ${LIMITS.asks} times: it is not answered any more`)
  const { run, task, attempt: number } = identity
  const asking = { type: 'attempt.asked', task, attempt: number, paths: asked, holder: null, request: null } as const
  return answerTo(live, await store.request(run, asking), asked)
}

function faultOf(paths: readonly string[]): string | null {
  if (paths.length === 0) return 'name a path or a pattern such as `src/**`'
  if (paths.length > LIMITS.askedPaths) return `${paths.length} paths are too many at once: name folders instead`
  for (const path of paths) {
    const fault = globFault(path)
    if (fault !== null) return fault
    if (EVERYTHING.test(path)) return `${path} is all of the repository: name the folders or files you need`
    if (GIT_FOLDER.test(path)) return `${path} is git's own folder: nothing there lands`
  }
  return null
}

/** No other task could start while one holds everything. */
const EVERYTHING = /^[*/{}?,]*$/
const GIT_FOLDER = /^\.git(\/|$)/i

async function answerTo(live: LiveAttempt, request: number, paths: string[]): Promise<Result<ClaimAnswer>> {
  const { store, identity, folder } = live
  let engine = false
  for await (const _ of store.changes({
    signal: AbortSignal.timeout(LIMITS.askWaitMs),
    atLeastEveryMs: LIMITS.storePollMs,
  })) {
    // With Postgres the leader may be on another machine.
    engine = isPostgresUrl(folder.database) || lockHolder(folder.lock) !== null
    const current = await aliveAttempt(store, identity)
    if (!current.ok) return current
    const found = current.value.attempt.asked?.find((one) => one.request === request)
    if (found?.holder === null) return ok({ answer: 'granted', paths: found.paths })
    if (found) return ok({ answer: 'refused', paths: found.paths, holder: found.holder })
    if (!engine) break
  }
  return ok({ answer: 'open', paths, engine })
}

/** Waits until the guard of the attempt knows the granted paths, so that the agent may write at once. */
async function untilMayWrite({ mayWrite }: AttemptFolder, { answer, paths }: ClaimAnswer): Promise<void> {
  const until = performance.now() + LIMITS.askWaitMs
  while (answer === 'granted' && performance.now() < until) {
    const { enforce, write } = mayWriteIn(mayWrite)
    if (!enforce || paths.every((path) => write.includes(path))) break
    await wait(LOOK_MS)
  }
}

function mayWriteIn(file: string): { enforce: boolean; write: string[] } {
  try {
    const { enforce, write } = JSON.parse(readFileSync(file, 'utf8')) as { enforce?: unknown; write?: unknown }
    return { enforce: enforce === true, write: Array.isArray(write) ? write.map(String) : [] }
  } catch {
    return { enforce: false, write: [] }
  }
}

/** Refuses if the attempt is over: checked again while waiting for an answer. */
async function aliveAttempt(
  store: Store,
  { run, task, attempt }: AttemptIdentity,
): Promise<Result<Pick<LiveAttempt, 'view' | 'attempt'>>> {
  const view = await store.task(run, task)
  const last = view?.history.at(-1)
  if (view && last?.attempt === attempt && view.status === 'running') return ok({ view, attempt: last })
  return refuse(`attempt ${attempt} of ${task} has ended: it can report and ask for nothing more`)
}

/** The token derives from the run's seed, which its first event has. */
async function isProved(store: Store, { run, task, attempt, token }: AttemptIdentity): Promise<boolean> {
  const first = startOf(await store.events(run, 0, 1))
  if (!first) return false
  const [mine, theirs] = [attemptToken(run, first.seed, task, attempt), token].map((text) => Buffer.from(text))
  return mine !== undefined && theirs?.length === mine.length && timingSafeEqual(mine, theirs)
}

async function taskFacts({ store, view, attempt, identity: { run } }: LiveAttempt, task: Task) {
  const settings = (await store.run(run))?.settings
  const timeoutMs = task.timeoutMs ?? settings?.timeoutMs ?? 0
  const claims = withGranted(task.claims, grantedTo(view.history))
  const needs = await Promise.all(task.needs.map((need) => store.task(run, need)))
  return {
    run,
    task: task.id,
    title: task.title,
    epic: task.epic,
    prompt: task.work.kind === 'prompt' ? task.work.prompt : task.work.command,
    attempt: attempt.attempt,
    verify: task.verify,
    completion: task.completion ?? null,
    /** Claims of the plan and those granted since. Empty: it has claimed nothing, and may write anywhere. */
    claims,
    /** True: changes outside of them fail the attempt. */
    claimsEnforced: settings?.claims === 'enforce' && claims.write.length + claims.read.length > 0,
    /** Paths it asked for besides, with the holder of refused ones. */
    asked: attempt.asked ?? [],
    needs: needs.filter((need) => need !== null).map(needFacts),
    secondsLeft: Math.max(0, Math.round((attempt.startedAt + timeoutMs - Date.now()) / 1000)),
    budgetLeftUsd: budgetLeft(task, view, await store.view(run)),
    notes: attempt.notes ?? [],
  }
}

/** Remaining budget of task, epic or run, the smallest. An epic counts only once a share worth mentioning is used. */
function budgetLeft(task: Task, { history }: TaskView, run: RunSummary | null): number | null {
  const epic = run?.budgets?.reached.find(({ scope, name }) => scope === 'epic' && name === task.epic)
  const budgets = [{ budgetUsd: task.budgetUsd, spentUsd: usageOf(history).costUsd }, run?.budgets, epic]
  const left = budgets.flatMap((one) => (typeof one?.budgetUsd === 'number' ? [one.budgetUsd - one.spentUsd] : []))
  return left.length > 0 ? Math.max(0, Math.min(...left)) : null
}

function needFacts({ id, title, status, history }: TaskView) {
  return { task: id, title, status, summary: history.at(-1)?.summary ?? null }
}

function runningFacts(task: Task, { history }: TaskView, identity: AttemptIdentity) {
  const last = history.at(-1)
  return {
    task: task.id,
    title: task.title,
    /** Null: a shell command. */
    agent: last?.agent ?? (task.work.kind === 'prompt' ? task.work.agent : null),
    since: new Date(last?.startedAt ?? 0).toISOString(),
    claims: withGranted(task.claims, grantedTo(history)),
    isYou: task.id === identity.task,
  }
}

function planOf({ store, identity }: LiveAttempt): Promise<Plan | null> {
  return store.currentPlan(identity.run)
}
