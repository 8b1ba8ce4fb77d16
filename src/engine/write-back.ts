// Writes how the tasks of a run stand into the plan file they came from, for the formats that carry a status. It
// follows the journal: what is written there is worked out from the newest views and the file as it is at that moment,
// so it can be done again at any time, and an engine that takes over writes what the one before it did not get to.
// It never holds the run up, and never ends it.
import { LIMITS } from '../config.ts'
import { ok } from '../problem.ts'
import type { TaskView } from '../status.ts'
import { shown } from '../workloads/field.ts'
import { applyStatus, type Conflict, type StatusChanges } from '../workloads/formats/write-back/apply-status.ts'
import {
  type OriginFile,
  type PlanOrigin,
  sourceFile,
  statusFileOf,
} from '../workloads/formats/write-back/plan-origin.ts'
import type { StatusFile } from '../workloads/formats/write-back/status-file.ts'
import { updateFile } from './update-file.ts'
import { writtenStatus } from './written-status.ts'

export class WriteBack implements AsyncDisposable {
  readonly #origin: PlanOrigin
  readonly #format: StatusFile
  readonly #isTask: (id: string) => boolean
  readonly #views = new Map<string, TaskView>()
  /** By file: why it is not as it should be. */
  readonly #troubles = new Map<string, string>()
  /** By task: what a person has made of it that the run does not overwrite. */
  readonly #conflicts = new Map<string, string>()
  /** What was said once is not said again. */
  readonly #said = new Set<string>()
  /** By file: what was written last. Where a plan is many files, most of them need not be looked at again. */
  readonly #written = new Map<string, string>()
  #failures = 0
  #dirty = false
  #working: Promise<void> | null = null
  #inHurry = false
  #wake: (() => void) | null = null
  #closed = false
  #restMs = REST_MS
  /** Told what a person should know, as soon as it is known. */
  tell: (message: string) => void = () => {}

  constructor(origin: PlanOrigin, format: StatusFile, isTask: (id: string) => boolean) {
    this.#origin = origin
    this.#format = format
    this.#isTask = isTask
  }

  /** Null where there is nothing to write into. */
  static of(origin: PlanOrigin | null, isTask: (id: string) => boolean): WriteBack | null {
    const format = origin && statusFileOf(origin.format)
    return format && origin.files.length > 0 ? new WriteBack(origin, format, isTask) : null
  }

  /** Why the file does not say everything about the run; a line each. */
  get trouble(): string[] {
    const files = [...this.#troubles].map(([path, why]) => unwritten(path, why))
    return [...files, ...this.#conflicts.values()]
  }

  /** These tasks have changed, and the journal says so. */
  follow(tasks: readonly TaskView[]): void {
    for (const task of tasks) this.#views.set(task.id, task)
    if (tasks.length > 0) this.#start()
  }

  /** Resolves when the file says all of it, or cannot be made to. */
  async settled(): Promise<void> {
    this.#inHurry = true
    this.#wake?.()
    while (this.#working) await this.#working
    this.#inHurry = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#wake?.()
    await this.#working
  }

  #start(): void {
    this.#dirty = true
    if (this.#closed) return
    this.#working ??= this.#work().finally(() => {
      this.#working = null
      if (this.#dirty) this.#start() // something came after the last look
    })
  }

  async #work(): Promise<void> {
    while (this.#dirty) {
      await this.#rest(this.#failures > 0 ? RETRY_MS : this.#restMs)
      this.#dirty = false
      const isLast = this.#inHurry || this.#closed
      const since = performance.now()
      for (const file of this.#origin.files) await this.#write(file, isLast)
      this.#restMs = Math.min(Math.max(REST_MS, (performance.now() - since) * REST_SHARE), MAX_REST_MS)
      this.#failures = this.#troubles.size > 0 ? this.#failures + 1 : 0
      if (this.#failures > 0 && !isLast) this.#dirty = true
      if (this.#failures === TOLD_AFTER || (this.#failures > 0 && isLast))
        for (const [path, why] of this.#troubles) this.#say(`file ${path}`, unwritten(path, why))
    }
  }

  #say(key: string, message: string): void {
    if (this.#said.has(key) || this.#said.size >= LIMITS.problems) return
    this.#said.add(key)
    this.tell(message)
  }

  async #write(file: OriginFile, isLast: boolean): Promise<void> {
    const changes = this.#changesOf(file)
    const key = JSON.stringify(changes.tasks)
    if (changes.tasks.length === 0 || (!isLast && this.#written.get(file.path) === key)) return
    let conflicts: Conflict[] = []
    const why = await updateFile(file.path, {
      lock: this.#format.lock,
      waitMs: isLast ? LAST_WAIT_MS : WAIT_MS,
      edit: (text) => {
        const source = sourceFile(file.path, text)
        const mark = text.slice(0, text.length - source.text.length)
        const applied = applyStatus(this.#format, source, changes, this.#origin.part)
        if (!applied.ok) return applied
        conflicts = applied.value.conflicts
        return ok(mark + applied.value.text)
      },
    })
    if (why === null) this.#written.set(file.path, key)
    else this.#written.delete(file.path)
    if (why === null) this.#troubles.delete(file.path)
    else this.#troubles.set(file.path, why)
    for (const conflict of conflicts) this.#report(file.path, conflict)
  }

  #changesOf({ entries }: OriginFile): StatusChanges {
    const changes: { tasks: StatusChanges['tasks'][number][]; groups: StatusChanges['groups'][number][] } = {
      tasks: [],
      groups: [],
    }
    for (const { task, ...origin } of entries) {
      const view = this.#views.get(task)
      const facts = view && writtenStatus(view)
      if (facts) changes.tasks.push({ ...origin, ...facts })
      else if (!this.#isTask(task)) changes.groups.push(origin)
    }
    return changes
  }

  #report(path: string, conflict: Conflict): void {
    const key = `task ${conflict.source} ${conflict.why}`
    const message = conflictText(path, conflict)
    if (!this.#conflicts.has(key) && this.#conflicts.size < LIMITS.problems) this.#conflicts.set(key, message)
    this.#say(key, message)
  }

  async #rest(ms: number): Promise<void> {
    if (this.#inHurry || this.#closed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#wake = resolve
    await promise
    this.#wake = null
    clearTimeout(timer)
  }
}

/** Between two writes; longer where one takes long, so that a large file costs a twentieth of the time at most. */
const REST_MS = 300
const REST_SHARE = 20
const MAX_REST_MS = 60_000

/** After a write that did not succeed. A file that somebody is just saving is whole again by then. */
const RETRY_MS = 1_000
const TOLD_AFTER = 3

/** For the lock: briefly while there is a next time, and for a person's program to end where there is none. */
const WAIT_MS = 500
const LAST_WAIT_MS = 5_000

function unwritten(path: string, why: string): string {
  return `the status of tasks could not be written into ${path}: ${why}`
}

function conflictText(path: string, { source, why, status }: Conflict): string {
  if (why === 'gone') return `${shown(source)} is not in ${path} any more: its status is not written`
  const what = `the status of ${shown(source)} stays as it is in ${path}`
  if (why === 'another-task') return `${what}: what is to be done for it was changed meanwhile`
  return `${what}: somebody has set it to ${shown(status)} meanwhile`
}
