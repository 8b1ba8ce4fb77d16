// Requests of the task manager's tools, as data. On the engine's machine the store answers. On a worker the request is a file
// in the attempt's folder until the worker has its server's answer (fleet/worker/answer-asks.ts), so an agent needs no access
// to the server and no token but that of its attempt.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { type Result, refuse } from '../../problem.ts'
import { NOTE_KINDS } from '../../status.ts'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'
import { attemptFolder, stateFolder } from '../../workspace/state-folder.ts'
import {
  type AnsweringPlace,
  type ClaimAnswer,
  cleanNote,
  inScope,
  requestClaim,
  type Scope,
  tellNote,
  untilMayWrite,
} from './agent-requests.ts'
import { listRunning, type RunningFacts, readTask, type TaskFacts } from './task-info-for-agent.ts'

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
  const answer = async (scope: Scope): Promise<Result<Answers[Ask['type']]>> => {
    switch (asked.type) {
      case 'task':
        return readTask(scope)
      case 'running':
        return listRunning(scope)
      case 'note':
        return tellNote(scope, asked)
      case 'claim':
        return requestClaim(scope, asked.paths)
      default:
        return asked satisfies never
    }
  }
  return (await inScope(identity, answer, place)) as Result<AnswerTo<A>>
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
