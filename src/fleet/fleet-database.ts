// Workers of a project and their assignments, in Postgres beside the store: a queue of pg-boss for each worker (a shared queue
// costs Postgres two hundred times as much with a thousand workers), and tables for workers, messages and output.
//
// Properties
// - The id of an assignment follows from its attempt or verification: a restarted engine that sends it again adds nothing.
// - Nothing is decided here. An assignment that is lost, late or given twice changes nothing: results count by their attempt (I2).
// - No secrets: orders name variables, their values are the workers'.
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import pg from 'pg'
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import type * as z from 'zod'
import { untilAborted } from '../async/until-aborted.ts'
import { ok, type Result } from '../problem.ts'
import { postgresPlace } from '../store/place.ts'
import { BEAT, JOIN, KEEP_OUTPUT, OUTPUT, TABLES, TELL } from './assignments-sql.ts'
import { FLEET } from './limits.ts'
import type { WorkOrder } from './orders.ts'
import type { beatSchema, Control, Join, Message } from './protocol.ts'

export type WorkerRow = {
  name: string
  /** The id of the token it joined with: only its holder speaks for the worker. */
  token: string
  slots: number
  labels: string[]
  resources: Record<string, number>
  machine: Join['machine']
  /** Its clock minus that of the database, in ms. */
  skewMs: number
  load: number
  /** Names of its assignments: `run/task` or `run verification 3`. */
  doing: string[]
  joinedAt: number
  beatAt: number
  /** Number of heartbeats: an engine that waits for the next one compares no clocks. */
  beats: number
  /** Time since the last heartbeat, by the clock of the database. */
  silentMs: number
  hasLeft: boolean
}

/** `folder`: that of its attempt or verification, below the state folder. */
export type OutputPiece = { folder: string; file: string; offset: number; data: Buffer }

type AssignedWork = { run: string; order: WorkOrder }
export type Assignment = { job: string } & AssignedWork

export function assignmentsAt(url: string, role: 'engine' | 'server'): Result<Assignments> {
  const place = postgresPlace(url)
  return place.ok ? ok(new Assignments(place.value, role)) : place
}

export class Assignments implements AsyncDisposable {
  readonly #boss: PgBoss
  readonly #schema: string
  readonly #connectionString: string
  readonly #woken = new EventEmitter()
  readonly #closing = new AbortController()
  readonly #queues = new Set<string>()
  #started: Promise<void> | null = null
  #listening: Promise<void> | null = null

  constructor({ connectionString, schema }: { connectionString: string; schema: string }, role: 'engine' | 'server') {
    this.#schema = `${schema}_fleet`
    this.#connectionString = connectionString
    this.#woken.setMaxListeners(0)
    this.#boss = new PgBoss({
      ...{ connectionString, schema: this.#schema, application_name: 'espalier', max: 4 },
      // Only engines maintain the queues: one runs as long as there is work.
      ...{ supervise: role === 'engine', schedule: false },
    })
    // Failed calls reject; these errors are of maintenance, which is tried again.
    this.#boss.on('error', () => {})
  }

  /** Makes missing tables. */
  async #ready(): Promise<void> {
    this.#started ??= this.#start().catch((error) => {
      this.#started = null
      throw error
    })
    await this.#started
  }

  async #start(): Promise<void> {
    await this.#boss.start()
    // Fails if another process makes them at the same time.
    await this.#execute(TABLES).catch(() => this.#execute(TABLES))
  }

  async #sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    await this.#ready()
    return this.#execute(text, values)
  }

  async #execute(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return (await this.#boss.getDb().executeSql(text.replaceAll('$schema', this.#schema), values)).rows
  }

  // Workers.

  /** False: a worker with another token has this name and is still there. */
  async join(join: Join, token: string): Promise<boolean> {
    const { name, slots, labels, resources, machine } = join
    const values = [name, token, slots, JSON.stringify({ labels, resources, machine }), machine.now, FLEET.lostAfterMs]
    const rows = await this.#sql(JOIN, values)
    if (rows.length === 0) return false
    await this.#queue(name)
    await this.#notify('engine')
    return true
  }

  /** Null: there is no worker of that name. */
  async tokenOf(name: string): Promise<string | null> {
    const [row] = await this.#sql('select token from $schema.worker where name = $1 and not has_left', [name])
    return row ? String(row.token) : null
  }

  /** Records a heartbeat, and returns those of `jobs` that the worker no longer has. */
  async beat({ name, load, now, jobs, doing }: z.output<typeof beatSchema>): Promise<string[]> {
    await this.#sql(BEAT, [name, load, now, JSON.stringify(doing)])
    if (jobs.length === 0) return []
    // The ids of active jobs, which the types of pg-boss leave out.
    const touched = (await this.#boss.touch(await this.#queue(name), jobs)) as { settled?: string[] | null }
    const active = new Set(touched.settled)
    return jobs.filter((job) => !active.has(job))
  }

  async leave(name: string): Promise<void> {
    await this.#sql('update $schema.worker set has_left = true where name = $1', [name])
    await this.#notify('engine')
  }

  async workers(): Promise<WorkerRow[]> {
    const silent = 'extract(epoch from now() - beat_at) * 1000 as silent_ms'
    return (await this.#sql(`select *, ${silent} from $schema.worker order by name`)).map(workerOf)
  }

  /** Removes workers and messages of long ago, and the output of other runs. */
  async forget(run: string): Promise<void> {
    await this.#sql(`delete from $schema.worker where beat_at < now() - interval '7 days'`)
    await this.#sql(`delete from $schema.message where at < now() - interval '1 day'`)
    await this.#sql(`delete from $schema.output where run <> $1 and at < now() - interval '1 day'`, [run])
  }

  // Assignments.

  async assign(order: WorkOrder): Promise<void> {
    const queue = await this.#queue(order.worker)
    const data = { run: order.run, order }
    await this.#boss.send(queue, data, { ...JOB, id: jobOf(order) })
    await this.#notify(order.worker)
  }

  /** Takes the assignment from the worker, which then ends it. */
  async cancel(worker: string, job: string): Promise<void> {
    await this.#boss.cancel(await this.#queue(worker), job)
    await this.#notify(worker)
  }

  /** Cancels assignments of this run that an engine gave up but could not cancel before it died. */
  async cancelAllBut(run: string, alive: () => ReadonlySet<string>): Promise<void> {
    const workers = await this.workers()
    const jobs = await Promise.all(workers.map(async ({ name }) => this.#open(await this.#queue(name), { run })))
    // Asked afterwards: an assignment made meanwhile is alive, or not among the jobs.
    const tokens = alive()
    for (const { name, id, data } of jobs.flat()) if (!tokens.has(data.order.token)) await this.#boss.cancel(name, id)
  }

  /** Reads all jobs of the last hour: only for when an engine, a worker or a connection has failed. */
  async #open(queue: string, data?: { run: string }): Promise<JobWithMetadata<AssignedWork>[]> {
    const jobs = await this.#boss.findJobs<AssignedWork>(queue, data ? { data } : {})
    return jobs.filter(({ state }) => state === 'created' || state === 'active')
  }

  async control(worker: string, job: string, control: Control): Promise<void> {
    await this.#sql(TELL, [worker, job, JSON.stringify(control)])
    await this.#notify(worker)
  }

  /** New assignments; `isAll`: also those that the worker should have but lacks, because an answer was lost. */
  async take(worker: string, has: readonly string[], isAll: boolean): Promise<Assignment[]> {
    const queue = await this.#queue(worker)
    const fresh = await this.#boss.fetch<AssignedWork>(queue, { batchSize: FLEET.slots })
    const taken = isAll ? [...(await this.#open(queue)).filter(({ state }) => state === 'active')] : fresh
    return taken.filter(({ id }) => !has.includes(id)).map(({ id, data }) => ({ job: id, ...data }))
  }

  /** Null: the worker has no such assignment. `any` includes assignments that are finished or were taken away. */
  async mine(worker: string, job: string, state: 'active' | 'any'): Promise<Assignment | null> {
    const [found] = await this.#boss.findJobs<AssignedWork>(await this.#queue(worker), { id: job })
    return found && (state === 'any' || found.state === 'active') ? { job, ...found.data } : null
  }

  async messages(worker: string, after: number): Promise<Message[]> {
    const rows = await this.#sql(
      'select id, job, data from $schema.message where worker = $1 and id > $2 order by id',
      [worker, after],
    )
    return rows.map((row) => ({
      ...(JSON.parse(String(row.data)) as Control),
      id: Number(row.id),
      job: String(row.job),
    }))
  }

  async done(worker: string, job: string): Promise<void> {
    await this.#boss.complete(await this.#queue(worker), job)
  }

  // Output, for an engine on a disk that the server cannot reach. It is kept until the run is over: an engine that takes over needs
  // all of it.

  async keepOutput(run: string, { folder, file, offset, data }: OutputPiece): Promise<void> {
    await this.#sql(KEEP_OUTPUT, [run, folder, file, offset, data])
  }

  /** The next pieces after `id`, of that folder only if one is named. */
  async outputAfter(run: string, id: number, folder?: string): Promise<(OutputPiece & { id: number })[]> {
    const rows = await this.#sql(OUTPUT, [run, id, folder ?? null])
    return rows.map(({ id, at_byte, ...piece }) => {
      return { ...(piece as Omit<OutputPiece, 'offset'>), id: Number(id), offset: Number(at_byte) }
    })
  }

  /** Resolves when there may be news for that worker (`engine`: for the engine), or after the time. */
  async woken(whom: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    this.#listen()
    const ends = [AbortSignal.timeout(timeoutMs), this.#closing.signal, ...(signal ? [signal] : [])]
    await once(this.#woken, whom, { signal: AbortSignal.any(ends) }).catch(() => {})
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#listening
    await this.#started?.catch(() => {})
    await this.#boss.stop({ graceful: false, close: true }).catch(() => {})
  }

  async #queue(worker: string): Promise<string> {
    await this.#ready()
    const queue = `worker-${worker}`
    if (!this.#queues.has(queue)) {
      await this.#boss.createQueue(queue, JOB)
      this.#queues.add(queue)
    }
    return queue
  }

  async #notify(whom: string): Promise<void> {
    await this.#sql('select pg_notify($1, $2)', [this.#schema, whom])
  }

  /** Uses a connection of its own. While it is lost, callers of `woken` look again after their time. */
  #listen(): void {
    this.#listening ??= this.#untilLost()
      .catch(() => {})
      .finally(() => {
        this.#listening = null
      })
  }

  async #untilLost(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: 'espalier',
      keepAlive: true,
    })
    const ended = Promise.withResolvers<void>()
    client.on('error', () => ended.resolve())
    client.on('end', () => ended.resolve())
    client.on('notification', ({ payload }) => this.#woken.emit(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(this.#schema)}`)
      for (const whom of this.#woken.eventNames()) this.#woken.emit(whom)
      await untilAborted(this.#closing.signal, ended.promise)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const JOB = {
  retryLimit: 0,
  expireInSeconds: FLEET.expireSeconds,
  heartbeatSeconds: FLEET.jobHeartbeatSeconds,
  deleteAfterSeconds: FLEET.keptSeconds,
}

/** The same id for the same order. Verifications of a commit and then of the branch have one token, so the commit counts, too. */
export function jobOf(order: WorkOrder): string {
  const { run, token } = order
  const more = order.kind === 'verification' ? `\0${order.commit}` : ''
  const hex = createHash('sha256').update(`${run}\0${token}${more}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function workerOf(row: Record<string, unknown>): WorkerRow {
  const data = JSON.parse(String(row.data)) as Pick<WorkerRow, 'labels' | 'resources' | 'machine'>
  return {
    ...{ name: String(row.name), token: String(row.token), slots: Number(row.slots), ...data },
    doing: JSON.parse(String(row.doing)) as string[],
    ...{ skewMs: Number(row.skew_ms), load: Number(row.load), beats: Number(row.beats) },
    ...{ joinedAt: (row.joined_at as Date).getTime(), beatAt: (row.beat_at as Date).getTime() },
    ...{ silentMs: Number(row.silent_ms), hasLeft: row.has_left === true },
  }
}
