// Webhooks: notices to people and programs, signed by the Standard Webhooks specification, retried for a while, and continued
// after a restart of the server. A slow receiver delays nothing else: each has a bounded queue of its own.
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import type { EventOf, EventType } from '../../event.ts'
import { textIn } from '../../files/if-there.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { readTaskView } from '../../workspace/read-runs.ts'
import type { Log } from '../context.ts'
import type { HubEntry } from '../events/hub.ts'
import type { Project } from '../projects/projects.ts'

const WEBHOOK_EVENTS = ['run.finished', 'task.failed', 'conflict.waiting', 'budget.reached'] as const

const webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** Shared with the receiver; signs the notices. */
  secret: z.string().min(16),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .default([...WEBHOOK_EVENTS]),
})
type Webhook = z.output<typeof webhook>

/** Reads `webhooks.json`; an absent file means no webhooks. */
export function readWebhooks(path: string): Webhook[] | { trouble: string } {
  const text = textIn(path)
  if (text === '') return []
  try {
    const read = z.array(webhook).max(MOST_HOOKS).safeParse(JSON.parse(text))
    return read.success ? read.data : { trouble: `${path}: ${z.prettifyError(read.error)}` }
  } catch (error) {
    return { trouble: `${path}: ${(error as Error).message}` }
  }
}

const MOST_HOOKS = 20

type Notice = { type: (typeof WEBHOOK_EVENTS)[number]; data: { tasks?: string[]; [name: string]: unknown } }

/** The notice for an event; null: receivers get none. */
function noticeOf(event: HubEntry['event']): Notice | null {
  const notice = 'seq' in event ? NOTICES[event.type] : undefined
  return (notice as ((event: HubEntry['event']) => Notice | null) | undefined)?.(event) ?? null
}

const NOTICES: { [T in EventType]?: (event: EventOf<T>) => Notice | null } = {
  'run.finished': ({ status }) => ({ type: 'run.finished', data: { status } }),
  'budget.reached': ({ scope, name, share, spentUsd, budgetUsd }) => {
    return { type: 'budget.reached', data: { scope, name, share, spentUsd, budgetUsd } }
  },
  'attempt.finished': ({ task, attempt, failure }) => {
    return failure && { type: 'task.failed', data: { tasks: [task], attempt, failure } }
  },
  'landing.refused': ({ tasks, conflict, retry, failure }) => {
    if (conflict?.by === 'person') return { type: 'conflict.waiting', data: { tasks, paths: failure.paths ?? [] } }
    return retry ? null : { type: 'task.failed', data: { tasks, failure } }
  },
}

/** False: a task will be tried again. */
async function hasFailed({ workspace }: Project, run: string, { data: { tasks = [] } }: Notice): Promise<boolean> {
  for (const task of tasks) {
    const view = await readTaskView(workspace, { run, task })
    if (view.ok && view.value?.status === 'failed') return true
  }
  return false
}

type Waiting = { id: string; body: string }

export class Webhooks implements AsyncDisposable {
  readonly #folder: string
  readonly #log: Log
  readonly #hooks: { hook: Webhook; queue: Waiting[]; sending: Promise<void> | null }[]
  readonly #stopping = new AbortController()

  constructor(hooks: readonly Webhook[], folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
    this.#hooks = hooks.map((hook) => ({ hook, queue: [], sending: null }))
  }

  /** The cursor of the last event that was handled. Null: none yet. */
  after(project: string): number | null {
    return this.#hooks.length > 0 ? Number(textIn(this.#cursorFile(project))) || null : null
  }

  async take(project: Project, { cursor, run, event }: HubEntry): Promise<void> {
    const told = this.#hooks.length > 0 && noticeOf(event)
    if (!told || (told.type === 'task.failed' && !(await hasFailed(project, run, told)))) return
    const body = JSON.stringify({ type: told.type, at: event.at, project: project.id, run, ...told.data })
    for (const one of this.#hooks) {
      if (!one.hook.events.includes(told.type)) continue
      if (one.queue.length >= MOST_QUEUED) {
        this.#log.warn({ url: one.hook.url }, 'a webhook is too far behind: something is left out')
        one.queue.shift()
      }
      one.queue.push({ id: `${project.id}-${cursor}`, body })
      one.sending ??= this.#send(one).finally(() => {
        one.sending = null
      })
    }
    await writeAtomically(this.#cursorFile(project.id), `${cursor}\n`)
  }

  async #send({ hook, queue }: { hook: Webhook; queue: Waiting[] }): Promise<void> {
    for (let next = queue[0]; next && !this.#stopping.signal.aborted; next = queue[0]) {
      await this.#deliver(hook, next)
      queue.shift()
    }
  }

  async #deliver({ url, secret }: Webhook, { id, body }: Waiting): Promise<void> {
    const { signal } = this.#stopping
    for (const waitMs of WAITS_MS) {
      const seconds = Math.floor(Date.now() / 1000)
      const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${signature}`,
      }
      const given = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
      const response = await fetch(url, { method: 'POST', headers, body, signal: given, redirect: 'error' }).catch(
        () => null,
      )
      await response?.body?.cancel().catch(() => {})
      if (response?.ok || signal.aborted) return
      this.#log.warn({ url, status: response?.status ?? null }, 'a webhook was not taken')
      await wait(waitMs, undefined, { signal }).catch(() => {})
    }
  }

  #cursorFile(project: string): string {
    return join(this.#folder, `${project}.cursor`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#hooks.map(({ sending }) => sending))
  }
}

const MOST_QUEUED = 1_000
const ANSWER_MS = 10_000
/** Pauses between tries; after the last, the notice is dropped. */
const WAITS_MS = [1_000, 5_000, 30_000, 120_000, 600_000]
