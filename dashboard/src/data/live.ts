// Keeps what is shown current. Events only say that something has happened: what has changed is asked for, at most a few
// times a second, and put in place as one update. What agents are doing right now comes with the events themselves.
//
// Properties
// - Nothing is missed: `runs.changes` gives what changed since the cursor of the last answer, and the client of the events
//   replays what came while the connection was away.
// - However many events arrive, there is one update of the page for each frame at most, and one request at a time.
// - While the connection is away, or an answer failed, `currentness` says so.
import type { QueryClient } from '@tanstack/react-query'
import { type EventMessage, Refused } from 'espalier/client'
import { useEffect, useSyncExternalStore } from 'react'
import { keys, merged, type RunRef, type RunState, stateOf } from './queries.ts'
import { type Data, useData } from './source.ts'

/** `since`: from when on what is shown may be older than what is. */
export type Currentness =
  | { state: 'connecting' }
  | { state: 'current' }
  | { state: 'lost'; since: number }
  | { state: 'refused'; why: string }

const MIN_INTERVAL_MS = 150
const HIDDEN_INTERVAL_MS = 5_000
/** An engine that is killed says nothing. */
const IDLE_INTERVAL_MS = 5_000
const EARLIER_EVENTS = 300

let currentness: Currentness = { state: 'connecting' }
let progress: ReadonlyMap<string, string> = new Map()
const listeners = new Set<() => void>()

export function useCurrentness(): Currentness {
  return useSyncExternalStore(subscribe, () => currentness)
}

/** By task: what its agent is doing right now. */
export function useProgress(task: string): string {
  return useSyncExternalStore(subscribe, () => progress.get(task) ?? '')
}

/** Follows a run, or with null the lists of runs, while the calling view is shown. */
export function useLive(ref: RunRef | null): void {
  const data = useData()
  const [project, run] = [ref?.project, ref?.run]
  useEffect(() => {
    if (data.recording) return
    const leaving = new AbortController()
    const wanted = project !== undefined && run !== undefined ? { project, run } : null
    void follow(data, wanted, leaving.signal)
    return () => leaving.abort()
  }, [data, project, run])
}

async function follow(data: Data, ref: RunRef | null, signal: AbortSignal): Promise<void> {
  const update = ref ? updateRun(data, ref) : updateLists(data.queries)
  const pending = new Pending(update, signal)
  progress = new Map()
  const onConnection = (isConnected: boolean) => {
    if (isConnected) pending.now()
    else if (currentness.state !== 'lost') tell({ state: 'lost', since: Date.now() })
  }
  const poll = setInterval(() => pending.later(), IDLE_INTERVAL_MS)
  signal.addEventListener('abort', () => clearInterval(poll))
  try {
    // A little of what was before tells what agents are doing that have been at work for a while.
    const after = ref ? await earlierCursor(data, ref.project) : undefined
    const view = ref ? 'all' : 'journal'
    for await (const message of data.client.events({ ...ref, after, view, signal, onConnection })) pending.take(message)
  } catch (error) {
    if (!signal.aborted) tell({ state: 'refused', why: (error as Error).message })
  }
}

async function earlierCursor({ client }: Data, project: string): Promise<string> {
  const { items } = await client.projects.list({})
  const cursor = Number(items.find(({ id }) => id === project)?.cursor ?? 0)
  return String(Math.max(0, cursor - EARLIER_EVENTS))
}

/** What has come and is not shown yet. */
class Pending {
  readonly #update: (isAll: boolean) => Promise<void>
  readonly #signal: AbortSignal
  #messages: EventMessage[] = []
  #isAll = false
  #isWanted = false
  #isBusy = false
  #frame: number | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #askedAt = 0

  constructor(update: (isAll: boolean) => Promise<void>, signal: AbortSignal) {
    this.#update = update
    this.#signal = signal
  }

  take(message: EventMessage): void {
    this.#messages.push(message)
    // A page in the background has no frames.
    if (document.visibilityState === 'hidden') this.#frame ??= window.setTimeout(() => this.#flush(), 1_000)
    else this.#frame ??= requestAnimationFrame(() => this.#flush())
  }

  #flush(): void {
    this.#frame = null
    const messages = this.#messages
    this.#messages = []
    let isChange = false
    let said: Map<string, string> | null = null
    for (const { event } of messages) {
      if (event.type === 'attempt.progress') {
        said ??= new Map(progress)
        said.set(event.task, event.message)
      } else isChange = true
      if (event.type === 'run.replanned' || event.type === 'tasks.added') this.#isAll = true
    }
    if (said) {
      progress = said
      for (const listener of listeners) listener()
    }
    if (isChange) this.later()
  }

  now(): void {
    this.#askedAt = 0
    this.later()
  }

  later(): void {
    this.#isWanted = true
    if (this.#isBusy || this.#timer !== null || this.#signal.aborted) return
    const interval = document.visibilityState === 'hidden' ? HIDDEN_INTERVAL_MS : MIN_INTERVAL_MS
    const wait = Math.max(0, this.#askedAt + interval - Date.now())
    this.#timer = setTimeout(() => void this.#ask(), wait)
  }

  async #ask(): Promise<void> {
    this.#timer = null
    const isAll = this.#isAll
    this.#isWanted = false
    this.#isAll = false
    this.#isBusy = true
    this.#askedAt = Date.now()
    try {
      await this.#update(isAll)
      if (!this.#signal.aborted) tell({ state: 'current' })
    } catch (error) {
      this.#isAll ||= isAll
      if (error instanceof Refused && error.status < 500) tell({ state: 'refused', why: error.message })
      else if (currentness.state !== 'lost' && !this.#signal.aborted) tell({ state: 'lost', since: Date.now() })
    }
    this.#isBusy = false
    if (this.#isWanted) this.later()
  }
}

function updateRun({ client, queries }: Data, ref: RunRef): (isAll: boolean) => Promise<void> {
  return async (isAll) => {
    const known = queries.getQueryData<RunState>(keys.run(ref))
    if (!known) return // the query itself is under way
    const after = isAll ? undefined : known.cursor
    const changes = await client.runs.changes(after === undefined ? ref : { ...ref, after })
    const isNew = changes.tasks.some(({ id }) => !known.byId.has(id))
    if (after !== undefined && isNew) {
      queries.setQueryData(keys.run(ref), stateOf(await client.runs.changes(ref)))
      await queries.invalidateQueries({ queryKey: keys.ofRun(ref, 'plan') })
      return
    }
    if (isAll) await queries.invalidateQueries({ queryKey: keys.ofRun(ref, 'plan') })
    const now = queries.getQueryData<RunState>(keys.run(ref)) ?? known
    queries.setQueryData(keys.run(ref), after === undefined ? stateOf(changes) : merged(now, changes))
  }
}

function updateLists(queries: QueryClient): () => Promise<void> {
  return async () => {
    await queries.invalidateQueries({ queryKey: ['runs'] }, { throwOnError: true })
  }
}

function tell(now: Currentness): void {
  if (now.state === currentness.state && now.state !== 'refused') return
  currentness = now
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
