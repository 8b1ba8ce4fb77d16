// The events that one client follows: of one project or all, of one run or all, from a position on. They come in the order of
// each project, each with the position after it, from which a client can continue. Its form is opaque to clients: a number for one
// project, one for each for all projects (`api.17~web.42`).

import { BatchEvents } from '../../engine/run/batch-progress-events.ts'
import type { Event } from '../../event.ts'
import { readEvents } from '../../workspace/read-runs.ts'
import type { Project } from '../projects/projects.ts'
import type { HubEntry } from './hub.ts'

export type Subscription = {
  projects: readonly Project[]
  /** False: positions have the form for several projects, even if there is one. */
  isOne: boolean
  /** Cursors by the id of the project. */
  after: ReadonlyMap<string, number>
  run?: string | undefined
  /** `batches`: the events of the requirement documents. `journal`: without the progress of agents. */
  view: 'all' | 'journal' | 'batches'
  signal: AbortSignal
}

export async function* subscribe(subscription: Subscription): AsyncGenerator<Buffer[], void, void> {
  const { projects, isOne, after, run, view, signal } = subscription
  const cursors = new Map(projects.map(({ id }) => [id, after.get(id) ?? 0]))
  const position = () => formatPosition(cursors, isOne)
  const batches = view === 'batches' ? batchViews() : null
  for await (const [project, entries] of merged(projects, cursors, { run, signal })) {
    const messages: Buffer[] = []
    for (const entry of entries) {
      const before = position()
      cursors.set(project.id, entry.cursor)
      if (isOne && !batches) {
        if (isWanted(entry, view)) messages.push(messageOf(entry, project.id))
        continue
      }
      const events = batches ? await batches(project, entry) : ownEvent(entry, view)
      events.forEach((json, n) => {
        // A client that is cut off between two messages made of one event gets both again.
        const cursor = n === events.length - 1 ? position() : before
        messages.push(messageText(entry, { cursor, project: project.id, json }))
      })
    }
    if (messages.length > 0) yield messages
  }
}

/** The cursor of each project; 0 for one that was added since. Null: the text is no position. */
export function parsePosition(text: string): ((project: string) => number) | null {
  if (NUMBER.test(text)) return () => Number(text)
  const parts = text.split('~').map((part) => PART.exec(part))
  if (parts.length > MOST_PROJECTS || parts.some((part) => part === null)) return null
  const cursors = new Map(parts.map((part) => [part?.[1], Number(part?.[2])]))
  return (project) => cursors.get(project) ?? 0
}

const NUMBER = /^\d{1,15}$/
const PART = /^([a-z0-9][a-z0-9-]{0,62})\.(\d{1,15})$/
const MOST_PROJECTS = 1_000

export function formatPosition(cursors: ReadonlyMap<string, number>, isOne: boolean): string {
  if (isOne) return String([...cursors.values()][0] ?? 0)
  return [...cursors].map(([project, cursor]) => `${project}.${cursor}`).join('~')
}

function ownEvent(entry: HubEntry, view: Subscription['view']): string[] {
  return isWanted(entry, view) ? [entry.json] : []
}

function isWanted({ event }: HubEntry, view: Subscription['view']): boolean {
  return view !== 'journal' || event.type !== 'attempt.progress'
}

/** The message for an event, made once for all followers of that project. */
function messageOf(entry: HubEntry, project: string): Buffer {
  const known = made.get(entry)
  if (known?.project === project) return known.message
  const message = messageText(entry, { cursor: String(entry.cursor), project, json: entry.json })
  made.set(entry, { project, message })
  return message
}

const made = new WeakMap<HubEntry, { project: string; message: Buffer }>()

/** `cursor`: the position after the event. */
function messageText({ run }: HubEntry, { cursor, project, json }: Record<'cursor' | 'project' | 'json', string>) {
  return Buffer.from(`{"cursor":"${cursor}","project":"${project}","run":${JSON.stringify(run)},"event":${json}}`)
}

/** Batch events of the requirement documents, for each run with news. */
function batchViews(): (project: Project, entry: HubEntry) => Promise<string[]> {
  const runs = new Map<string, { seq: number; events: BatchEvents } | null>()
  return async (project, { run, event }) => {
    if (!('seq' in event)) return []
    const key = `${project.id}/${run}`
    const known = runs.get(key)
    const now = known === undefined ? await begin(project, run, event) : known
    if (known === undefined) runs.set(key, now)
    if (!now || event.seq <= now.seq) return []
    now.seq = event.seq
    return now.events.take(event).map((one) => JSON.stringify(one))
  }
}

/** Replays the run up to that event. Null: the run is gone. */
async function begin({ workspace }: Project, run: string, { seq }: Event) {
  const record = await workspace.readViews(null, (views) => views.run(run))
  const past = await readEvents(workspace, { run })
  if (!record.ok || !record.value || !past.ok) return null
  const events = new BatchEvents(record.value.plan)
  for (const event of past.value) if (event.seq < seq) events.take(event)
  return { seq: seq - 1, events }
}

type Pieces = AsyncGenerator<HubEntry[], void, void>

/** Pieces of all projects as they come. If one ends or fails, all end: the client comes back. */
async function* merged(
  projects: readonly Project[],
  cursors: ReadonlyMap<string, number>,
  { run, signal }: Pick<Subscription, 'run' | 'signal'>,
): AsyncGenerator<[Project, HubEntry[]], void, void> {
  const leaving = new AbortController()
  const until = AbortSignal.any([signal, leaving.signal])
  const all = projects.map((project) => {
    const pieces: Pieces = project.hub.follow(cursors.get(project.id) ?? 0, { run, signal: until })
    return { project, pieces, next: pieces.next() }
  })
  try {
    while (all.length > 0) {
      const first = await Promise.race(all.map((one) => one.next.then((result) => ({ one, result }))))
      if (first.result.done) return
      first.one.next = first.one.pieces.next()
      first.one.next.catch(() => {}) // told by the next race
      yield [first.one.project, first.result.value]
    }
  } finally {
    leaving.abort()
    await Promise.allSettled(all.map(({ next }) => next))
    await Promise.allSettled(all.map(({ pieces }) => pieces.return()))
  }
}
