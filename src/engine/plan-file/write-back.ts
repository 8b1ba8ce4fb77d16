// Writes how the tasks of a run stand into their plan file, for formats that carry a status. It follows the journal:
// worked out from the newest views and the file as it is, so it can be done again at any time, also by an engine that takes
// over. It never holds the run up, and never ends it.
import { existsSync } from 'node:fs'
import { Pause } from '../../async/pause.ts'
import { LIMITS } from '../../config.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import { changedFiles, fileAt } from '../../git/trees/tree-changes.ts'
import { ok } from '../../problem.ts'
import type { TaskView } from '../../status.ts'
import { type StatusConflict, type UnwrittenStatus, unwrittenText } from '../../unwritten-status.ts'
import { shown } from '../../workloads/document/field.ts'
import {
  applyStatus,
  type Conflict,
  doneWords,
  type StatusChanges,
} from '../../workloads/formats/write-back/apply-status.ts'
import {
  type OriginFile,
  type PlanOrigin,
  sourceFile,
  statusFileOf,
} from '../../workloads/formats/write-back/plan-file-at-start.ts'
import type { StatusFile } from '../../workloads/formats/write-back/status-writer.ts'
import { findRenamed } from './find-renamed-plan-files.ts'
import { planFilesIn } from './keep-plan-file-at-start.ts'
import { updateFile } from './locked-update.ts'
import { writtenStatus } from './status-of-task.ts'

export class WriteBack implements AsyncDisposable {
  readonly #origin: PlanOrigin
  readonly #format: StatusFile
  readonly #isTask: (id: string) => boolean
  readonly #views = new Map<string, TaskView>()
  readonly #troubles = new Map<string, string>()
  readonly #conflicts = new Map<string, StatusConflict[]>()
  readonly #said = new Set<string>()
  /** By file: what was written last. Where a plan is many files, most of them need not be looked at again. */
  readonly #written = new Map<string, string>()
  #failures = 0
  #dirty = false
  #working: Promise<void> | null = null
  /** Somebody waits for it to be done: when their patience ends, by `performance.now`. */
  #giveUpAt: number | null = null
  /** Files that say what they should are looked at once more: somebody may have changed them since. */
  #looksAgain = false
  readonly #pause = new Pause()
  #closed = false
  #abandoned = false
  #restMs = REST_MS
  #kept = ''
  tell: (message: string) => void = () => {}
  /** The file as it is on the run's branch, where an agent has changed it; else null. */
  landed: (path: string) => Promise<string | null> = async () => null
  keep: (unwritten: UnwrittenStatus) => Promise<void> = async () => {}
  keepOrigin: (origin: PlanOrigin) => Promise<void> = async () => {}

  constructor(origin: PlanOrigin, format: StatusFile, isTask: (id: string) => boolean) {
    this.#origin = origin
    this.#format = format
    this.#isTask = isTask
  }

  static of(origin: PlanOrigin | null, isTask: (id: string) => boolean): WriteBack | null {
    const format = origin && statusFileOf(origin.format)
    return format && origin.files.length > 0 ? new WriteBack(origin, format, isTask) : null
  }

  get unwritten(): UnwrittenStatus {
    const files = [...this.#troubles].map(([file, why]) => ({ file, why }))
    return {
      files: files.slice(0, LIMITS.problems),
      conflicts: [...this.#conflicts.values()].flat().slice(0, LIMITS.problems),
    }
  }

  follow(tasks: readonly TaskView[]): void {
    for (const task of tasks) this.#views.set(task.id, task)
    if (tasks.length > 0) this.#start()
  }

  /** Resolves when the file says all of it, or could not be made to for as long as anybody should wait. */
  async settled(patienceMs = LAST_WAIT_MS): Promise<void> {
    this.#giveUpAt = performance.now() + patienceMs
    this.#looksAgain = true
    if (this.#views.size > 0) this.#start()
    this.#pause.cutShort()
    while (this.#working) await this.#working
    this.#giveUpAt = null
    this.#looksAgain = false
  }

  /** What is not written yet is not written here any more: another engine has the run. */
  abandon(): void {
    this.#closed = true
    this.#abandoned = true
    this.#pause.cutShort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#looksAgain = true
    this.#pause.cutShort()
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
    while (this.#dirty && !this.#abandoned) {
      const ms = this.#restingMs()
      if (ms > 0) await this.#pause.take(ms)
      if (this.#abandoned) return
      this.#dirty = false
      const looksAgain = this.#looksAgain
      this.#looksAgain = false
      const since = performance.now()
      for (const file of this.#origin.files) await this.#write(file, looksAgain)
      this.#restMs = Math.min(Math.max(REST_MS, (performance.now() - since) * REST_SHARE), MAX_REST_MS)
      this.#failures = this.#troubles.size > 0 ? this.#failures + 1 : 0
      await this.#conclude()
    }
  }

  /** A file that is just being saved is whole again soon: only what lasts is told. */
  async #conclude(): Promise<void> {
    const isOver = this.#closed || (this.#giveUpAt !== null && performance.now() >= this.#giveUpAt)
    if (this.#failures > 0 && !isOver) this.#dirty = true
    const lasts = isOver || this.#failures >= TOLD_AFTER
    if (isOver || (lasts && this.#giveUpAt === null))
      for (const [file, why] of this.#troubles) this.#say(`file ${file}`, unwrittenText({ file, why }))
    const { files, conflicts } = this.unwritten
    const left = { files: lasts ? files : [], conflicts }
    const text = JSON.stringify(left)
    if (text === this.#kept) return
    this.#kept = text
    await this.keep(left)
  }

  #say(key: string, message: string): void {
    if (this.#said.has(key) || this.#said.size >= LIMITS.problems) return
    this.#said.add(key)
    this.tell(message)
  }

  async #write(file: OriginFile, looksAgain: boolean): Promise<void> {
    const changes = this.#changesOf(file)
    const key = JSON.stringify(changes.tasks)
    if (changes.tasks.length === 0 || (!looksAgain && this.#written.get(file.path) === key)) return
    if (await this.#followRenamed(file)) return this.#write(file, looksAgain)
    const written = await this.#asLanded(file, changes)
    let conflicts: Conflict[] = []
    const why = await updateFile(file.path, {
      lock: this.#format.lock,
      waitMs: this.#giveUpAt === null ? WAIT_MS : Math.min(WAIT_MS, Math.max(0, this.#giveUpAt - performance.now())),
      edit: (text) => {
        const source = sourceFile(file.path, text)
        const mark = text.slice(0, text.length - source.text.length)
        const applied = applyStatus(this.#format, source, written, this.#origin.part)
        if (!applied.ok) return applied
        conflicts = applied.value.conflicts
        return ok(mark + applied.value.text)
      },
    })
    if (why === null) {
      this.#written.set(file.path, key)
      this.#troubles.delete(file.path)
      if (forgetWordsLeft(file, conflicts)) await this.keepOrigin(this.#origin)
    } else {
      this.#written.delete(file.path)
      this.#troubles.set(file.path, why)
    }
    const found = conflicts.map((conflict) => toConflict(file.path, conflict))
    this.#conflicts.set(file.path, found)
    for (const { task, message } of found) this.#say(`task ${task} ${message}`, message)
  }

  /** In place, because watch.ts goes by it, too. Whether it has another name now. */
  async #followRenamed(file: OriginFile): Promise<boolean> {
    if (!this.#format.renamesFiles || existsSync(file.path)) return false
    const now = (await findRenamed(this.#format, this.#origin.files)).get(file.path)
    if (!now) return false
    for (const known of [this.#troubles, this.#conflicts, this.#written]) known.delete(file.path)
    Object.assign(file, now)
    await this.keepOrigin(this.#origin)
    return true
  }

  /** Done as an agent has written it on the branch, such as `[X]`: else `land` would meet two spellings of one thing. */
  async #asLanded({ path }: OriginFile, changes: StatusChanges): Promise<StatusChanges> {
    const isDone = changes.tasks.some(({ phase }) => phase === 'done')
    const text = isDone ? await this.landed(path) : null
    if (text === null) return changes
    const words = doneWords(this.#format, sourceFile(path, text), this.#origin.part)
    const tasks = changes.tasks.map((task) => {
      const word = task.phase === 'done' ? words.get(task.source) : undefined
      return word === undefined ? task : { ...task, word }
    })
    return { ...changes, tasks }
  }

  #changesOf({ entries }: OriginFile): StatusChanges {
    const changes: { tasks: StatusChanges['tasks'][number][]; groups: StatusChanges['groups'][number][] } = {
      tasks: [],
      groups: [],
    }
    for (const { task, ...origin } of entries) {
      const view = this.#views.get(task)
      const facts = view && writtenStatus(view, origin.left !== undefined)
      if (facts) changes.tasks.push({ ...origin, ...facts })
      else if (!this.#isTask(task)) changes.groups.push(origin)
    }
    return changes
  }

  #restingMs(): number {
    if (this.#closed || this.#looksAgain) return 0
    if (this.#failures === 0) return this.#giveUpAt === null ? this.#restMs : 0
    return this.#giveUpAt === null ? RETRY_MS : LAST_RETRY_MS
  }
}

/** Between two writes; longer where one takes long, so that a large file costs a twentieth of the time at most. */
const REST_MS = 300
const REST_SHARE = 20
const MAX_REST_MS = 60_000

/** After a write that did not succeed. A file that somebody is just saving is whole again by then. */
const RETRY_MS = 1_000
const TOLD_AFTER = 3

/** At the end of a run there is no next time: a person's program may end its work first. */
const LAST_WAIT_MS = 5_000
const LAST_RETRY_MS = 200

const WAIT_MS = 500

/** The file says how it stands now. In place, because watch.ts goes by it, too. Whether there was anything to forget. */
function forgetWordsLeft({ entries }: OriginFile, conflicts: readonly Conflict[]): boolean {
  const unwritten = new Set(conflicts.map(({ source }) => source))
  const old = entries.filter(({ source, left }) => left !== undefined && !unwritten.has(source))
  for (const entry of old) delete entry.left
  return old.length > 0
}

function toConflict(file: string, conflict: Conflict): StatusConflict {
  return { file, task: conflict.source, message: conflictText(file, conflict) }
}

function conflictText(path: string, { source, why, status }: Conflict): string {
  if (why === 'gone') return `${shown(source)} is not in ${path} any more: its status is not written`
  const what = `the status of ${shown(source)} stays as it is in ${path}`
  if (why === 'another-task') return `${what}: its description was changed during the run`
  return `${what}: somebody set it to ${shown(status)} during the run`
}

export type RunBranch = { engine: EngineRepository; repo: string; state: { base: string; head: string } }

export class LandedPlanFiles {
  readonly #run: RunBranch
  /** What the run has changed up to `head`: looked up once for all the files that a plan may have. */
  #changed = { head: '', files: new Set<string>() }

  constructor(run: RunBranch) {
    this.#run = run
  }

  /** Null where no agent changed it, or where that cannot be found out. */
  async text(path: string): Promise<string | null> {
    const { engine, repo, state } = this.#run
    const { base, head } = state
    const [file] = await planFilesIn(repo, { files: [{ path }] })
    if (file === undefined) return null
    try {
      if (head !== this.#changed.head) this.#changed = { head, files: await changedFiles(engine, base, head) }
      return this.#changed.files.has(file) ? await fileAt(engine, head, file, LIMITS.planBytes) : null
    } catch {
      return null
    }
  }
}
