// Requests of the task manager's tools, as data. On the engine's machine the store answers. On a worker the request is a file
// in the attempt's folder until the worker has its server's answer (fleet/worker/answer-asks.ts), so an agent needs no access
// to the server and no token but that of its attempt.
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { type EventOf, startOf } from '../../event.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { lockHolder } from '../../process/lock.ts'
import { keptText, secretValues } from '../../process/secrets.ts'
import { NOTE_KINDS } from '../../status.ts'
import { withStore } from '../../store/open.ts'
import { isPostgresUrl, storeExists } from '../../store/place.ts'
import type { Store } from '../../store/store.ts'
import { cut } from '../../text/cut.ts'
import { glob } from '../../workloads/document/field.ts'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'
import {
  type AttemptFolder,
  attemptFolder,
  attemptToken,
  type StateFolder,
  stateFolder,
} from '../../workspace/state-folder.ts'
import { type LiveAttempt, listRunning, type RunningFacts, readTask, type TaskFacts } from './task-info-for-agent.ts'

const text = z.string().max(LIMITS.messageChars + 1)

export const askSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('task') }),
  z.strictObject({ type: z.literal('running') }),
  z.strictObject({ type: z.literal('note'), kind: z.enum(NOTE_KINDS), text, details: text.optional() }),
  z.strictObject({ type: z.literal('claim'), paths: z.array(z.string()).max(LIMITS.askedPaths) }),
])
export type Ask = z.infer<typeof askSchema>
type Answers = { task: TaskFacts; running: RunningFacts[]; note: null; claim: ClaimAnswer }
export type AnswerTo<A extends Ask> = Answers[A['type']]

/** Files in the folder of asks: `<name>.ask.json`, and its answer beside it. */
export const askedSchema = z.strictObject({ token: z.string(), ask: askSchema })
export const ASK_FILE = /^([0-9a-f-]{36})\.ask\.json$/
export function answerFile(folder: string, name: string): string {
  return join(folder, `${name}.answer.json`)
}

/** From the process of an agent, on any machine. */
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

/** Answers on a machine with the store. Refuses unless the identity is that of a live attempt. */
export async function answerHere<A extends Ask>(
  identity: AttemptIdentity,
  asked: A,
  place?: AnsweringPlace,
): Promise<Result<AnswerTo<A>>> {
  const answer = async (live: LiveAttempt): Promise<Result<Answers[Ask['type']]>> => {
    switch (asked.type) {
      case 'task':
        return readTask(live)
      case 'running':
        return listRunning(live)
      case 'note':
        return tellNote(live, asked)
      case 'claim':
        return requestClaim(live, asked.paths)
      default:
        return asked satisfies never
    }
  }
  return (await withLiveAttempt(identity, answer, place)) as Result<AnswerTo<A>>
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
    if (path.length > LIMITS.askedPathChars || /\p{Cc}/u.test(path)) return 'one of the paths is too long or no path'
    const { error } = glob.safeParse(path)
    if (error) return error.issues[0]?.message ?? `${path} is not a pattern of paths`
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
    if (found) return ok(toAnswer(found))
    if (!engine) break
  }
  return ok({ answer: 'open', paths, engine })
}

function toAnswer({ paths, holder }: Pick<EventOf<'attempt.asked'>, 'paths' | 'holder'>): ClaimAnswer {
  return holder === null ? { answer: 'granted', paths } : { answer: 'refused', paths, holder }
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

/** The open store that answers, for callers that have one. */
type AnsweringPlace = {
  folder: StateFolder
  write<T>(use: (store: Store) => Promise<Result<T>>): Promise<Result<T>>
}

/** For a process of the agent. */
function placeOf({ stateRoot }: AttemptIdentity): AnsweringPlace {
  const folder = stateFolder(stateRoot, stateRoot)
  return { folder, write: (use) => withStore(folder.database, 'write', use) }
}

async function withLiveAttempt<T>(
  identity: AttemptIdentity,
  use: (live: LiveAttempt) => Promise<Result<T>>,
  { folder, write }: AnsweringPlace = placeOf(identity),
): Promise<Result<T>> {
  // Opening it to write would create one.
  if (!storeExists(folder.database)) return refuse(`there are no runs in ${identity.stateRoot} any more`)
  return write(async (store) => {
    if (!(await isProved(store, identity)))
      return refuse(
        `this token is not that of attempt ${identity.attempt} of ${identity.task} in run ${identity.run}: nothing can be told or asked in its name`,
      )
    const current = await aliveAttempt(store, identity)
    return current.ok ? use({ identity, store, folder, ...current.value }) : current
  })
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
