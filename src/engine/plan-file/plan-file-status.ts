// Writes the statuses of a run's tasks into its plan file, for formats that have statuses. It follows the journal: computed from
// the newest views and the file as it is, so it can be repeated at any time, also by an engine that takes over. It never ends
// the run, and delays only its end, by seconds.
//
// The way of one status:
//   run.ts writes facts ──▶ follow(views that changed) ──▶ a pause ──▶ per file: changesOf (status, hash, own words)
//   ──▶ changeFile (replace-file-safely.ts) reads the file ──▶ applyStatus makes the new text, or a conflict (the rule: write-status.ts)
//   ──▶ the words about to be written go into the note `plan-file-written` of the run ──▶ draft, sync, rename
//   ──▶ troubles and conflicts go into the note `unwritten` and are told once
import { Pause } from '../../async/pause.ts'
import { LIMITS, type Settings } from '../../config.ts'
import type { EngineRepository } from '../../git/engine/engine-repository.ts'
import { changedFiles, fileAt } from '../../git/trees/tree-changes.ts'
import { ok } from '../../problem.ts'
import type { Store } from '../../store/store.ts'
import { saveUnwritten, unwrittenText } from '../../unwritten-statuses.ts'
import type { TaskView, UnwrittenStatus } from '../../view.ts'
import { shown } from '../../workloads/document/field.ts'
import type { StatusFormat } from '../../workloads/formats/format.ts'
import {
  type PlanFileTask,
  type PlanFileTasks,
  sourceFile,
  statusFileOf,
} from '../../workloads/formats/status/plan-file-tasks.ts'
import {
  applyStatus,
  isComparable,
  type NotWritten,
  type StatusChange,
  type StatusChanges,
} from '../../workloads/formats/status/write-status.ts'
import { changeFile } from './replace-file-safely.ts'
import { planFileName } from './saved-tasks.ts'
import { statusFacts } from './status-of-task.ts'

type OfRun = {
  store: Store
  run: string
  settings?: Pick<Settings, 'writeBack'>
  isTask(id: string): boolean
  /** The file as agents have changed it on the run's branch; null: unchanged. */
  onBranch?(path: string): Promise<string | null>
}

export class PlanFileStatus implements AsyncDisposable {
  readonly #of: OfRun
  readonly #origin: PlanFileTasks
  readonly #files: Map<string, PlanFileTask[]>
  readonly #format: StatusFormat
  /** Statuses that the run has written or was about to write, by task. */
  readonly #written: Record<string, string[]>
  readonly #views = new Map<string, TaskView>()
  readonly #troubles = new Map<string, string>()
  readonly #conflicts = new Map<string, UnwrittenStatus['conflicts']>()
  /** Changes that a file has already. Most files of a large plan need not be read again. */
  readonly #upToDate = new Map<string, string>()
  readonly #told = new Set<string>()
  readonly #pause = new Pause()
  #working: Promise<void> | null = null
  #isDirty = false
  #failures = 0
  /** In `performance.now`, while a caller waits for the file to be up to date. */
  #deadline: number | null = null
  #isClosed = false
  #isAbandoned = false
  #restMs = REST_MS
  /** The note `unwritten` as it was kept last. */
  #keptUnwritten = ''
  #keptWritten: string
  /** Receives a line for each thing that the file does not say. */
  tell: (message: string) => void = () => {}

  private constructor(of: OfRun, origin: PlanFileTasks, format: StatusFormat, written: Record<string, string[]>) {
    this.#of = of
    this.#origin = origin
    this.#files = Map.groupBy(origin.open, ({ path }) => path)
    this.#format = format
    this.#written = written
    this.#keptWritten = JSON.stringify(written)
  }

  /** Null: the plan has no file that carries statuses. */
  static async open(of: OfRun, origin: PlanFileTasks | null): Promise<PlanFileStatus | null> {
    const format = origin && statusFileOf(origin.format)
    if (!format || origin.open.length === 0 || of.settings?.writeBack === false) return null
    return new PlanFileStatus(of, origin, format, await loadWritten(of.store, of.run))
  }

  get unwritten(): UnwrittenStatus {
    const files = [...this.#troubles].map(([file, why]) => ({ file, why }))
    const conflicts = [...this.#conflicts.values()].flat()
    return { files: files.slice(0, LIMITS.problems), conflicts: conflicts.slice(0, LIMITS.problems) }
  }

  follow(tasks: readonly TaskView[]): void {
    for (const task of tasks) this.#views.set(task.id, task)
    if (tasks.length > 0) this.#start()
  }

  /** Resolves when the file is up to date, or after the time that a caller should wait at most. */
  async settled(patienceMs = LAST_WAIT_MS): Promise<void> {
    this.#deadline = performance.now() + patienceMs
    this.#lookAgain()
    while (this.#working) await this.#working
    this.#deadline = null
  }

  /** Another engine has the run, and writes the rest. */
  abandon(): void {
    this.#isClosed = true
    this.#isAbandoned = true
    this.#pause.cutShort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lookAgain()
    this.#isClosed = true
    await this.#working
  }

  /** Also reads files that were up to date: somebody may have changed them since. */
  #lookAgain(): void {
    this.#upToDate.clear()
    if (this.#views.size > 0) this.#start()
    this.#pause.cutShort()
  }

  #start(): void {
    this.#isDirty = true
    if (this.#isClosed) return
    this.#working ??= this.#work().finally(() => {
      this.#working = null
      if (this.#isDirty) this.#start() // something came after the last look
    })
  }

  async #work(): Promise<void> {
    while (this.#isDirty && !this.#isAbandoned) {
      const ms = this.#untilNextMs()
      if (ms > 0) await this.#pause.take(ms)
      if (this.#isAbandoned) return
      this.#isDirty = false
      const since = performance.now()
      for (const [path, tasks] of this.#files) if (!this.#isAbandoned) await this.#write(path, tasks)
      this.#restMs = Math.min(Math.max(REST_MS, (performance.now() - since) * REST_SHARE), MAX_REST_MS)
      await this.#conclude()
    }
  }

  #untilNextMs(): number {
    if (this.#isClosed) return 0
    if (this.#failures === 0) return this.#deadline === null ? this.#restMs : 0
    return this.#deadline === null ? RETRY_MS : LAST_RETRY_MS
  }

  async #write(path: string, mine: PlanFileTask[]): Promise<void> {
    const changes = this.#changesOf(mine)
    const key = JSON.stringify(changes.tasks)
    if (changes.tasks.length === 0 || this.#upToDate.get(path) === key) return
    const spelled = await this.#asOnBranch(path, changes)
    let conflicts: NotWritten[] = []
    const why = await changeFile(path, async (text) => {
      const source = sourceFile(path, text)
      const applied = applyStatus(this.#format, source, spelled, this.#origin.part)
      if (!applied.ok) return applied
      conflicts = applied.value.conflicts
      await this.#keepOwnWords(mine, applied.value.changed)
      if (this.#isAbandoned) return ok(text)
      const mark = text.slice(0, text.length - source.text.length) // a byte order mark, which the source lacks
      return ok(mark + applied.value.text)
    })
    if (why === null) {
      this.#upToDate.set(path, key)
      this.#troubles.delete(path)
    } else this.#troubles.set(path, why)
    const found = conflicts.map((one) => ({ file: path, task: one.source, message: conflictText(path, one) }))
    this.#conflicts.set(path, found)
    for (const { task, message } of found) this.#say(`${task} ${message}`, message)
  }

  #changesOf(mine: PlanFileTask[]): StatusChanges {
    const { words } = this.#format
    const tasks: StatusChanges['tasks'][number][] = []
    const groups: StatusChanges['groups'][number][] = []
    for (const { task, source, says: textHash, status } of mine) {
      const written = this.#written[task] ?? []
      const view = this.#views.get(task)
      const facts = view && statusFacts(view, written.length > 0)
      // `begun` counts as the run's word: a person has no reason to set it on a task of a run. Builds before the first release
      // did not keep what they wrote.
      const own = [status, words.begun, ...(isComparable(textHash) ? written : Object.values(words))]
      if (facts) tasks.push({ source, textHash, own, ...facts })
      else if (!this.#of.isTask(task)) groups.push({ source, textHash, own: [...own, words.open] })
    }
    return { tasks, groups }
  }

  /** Writes `done` as an agent has written it on the branch, such as `[X]`: otherwise `land` would meet two spellings. */
  async #asOnBranch(path: string, changes: StatusChanges): Promise<StatusChanges> {
    const isDone = changes.tasks.some(({ phase }) => phase === 'done')
    const text = isDone ? await this.#of.onBranch?.(path) : null
    const read = text ? this.#format.read(sourceFile(path, text), this.#origin.part) : null
    if (!read?.ok) return changes
    const done = new Map(read.value.flatMap((one) => (one.state === 'done' ? [[one.source, one.status]] : [])))
    const tasks = changes.tasks.map((one) => (one.phase === 'done' ? { ...one, spelling: done.get(one.source) } : one))
    return { ...changes, tasks }
  }

  /** Kept before the file is replaced: an engine that takes over must know the words of this one. */
  async #keepOwnWords(mine: readonly PlanFileTask[], changes: readonly StatusChange[]): Promise<void> {
    const { words } = this.#format
    const bySource = new Map(mine.map((one) => [one.source, one.task]))
    for (const { source, phase } of changes) {
      const task = bySource.get(source)
      const written = (task !== undefined && this.#written[task]) || []
      if (task !== undefined && !written.includes(words[phase])) this.#written[task] = [...written, words[phase]]
    }
    const text = JSON.stringify(this.#written)
    if (text === this.#keptWritten || this.#isAbandoned) return
    try {
      await this.#of.store.putNote(this.#of.run, WRITTEN, this.#written)
      this.#keptWritten = text
    } catch {} // kept with the next write; until then an engine that takes over may report a conflict
  }

  /** Reports lasting trouble only: a file that is just being saved is whole again soon. */
  async #conclude(): Promise<void> {
    const isLast = this.#isClosed || (this.#deadline !== null && performance.now() >= this.#deadline)
    this.#failures = this.#troubles.size > 0 ? this.#failures + 1 : 0
    if (this.#failures > 0 && !isLast) this.#isDirty = true
    const lasts = isLast || this.#failures >= TOLD_AFTER
    if (isLast || (lasts && this.#deadline === null))
      for (const [file, why] of this.#troubles) this.#say(file, unwrittenText({ file, why }))
    const { files, conflicts } = this.unwritten
    const left = { files: lasts ? files : [], conflicts }
    const text = JSON.stringify(left)
    if (text === this.#keptUnwritten) return
    this.#keptUnwritten = text
    await saveUnwritten(this.#of.store, this.#of.run, left)
  }

  #say(key: string, message: string): void {
    if (this.#told.has(key) || this.#told.size >= LIMITS.problems) return
    this.#told.add(key)
    this.tell(message)
  }
}

/** Statuses that a run has written or was about to write, by task. */
export async function loadWritten(store: Pick<Store, 'note'>, run: string): Promise<Record<string, string[]>> {
  return ((await store.note(run, WRITTEN)) ?? {}) as Record<string, string[]>
}

const WRITTEN = 'plan-file-written'

/** Rest between two writes; longer after a slow one, so that a large file costs a twentieth of the time at most. */
const REST_MS = 300
const REST_SHARE = 20
const MAX_REST_MS = 60_000

/** Rest after a failed write: a file that is just being saved is whole by then. */
const RETRY_MS = 1_000
const TOLD_AFTER = 3

/** Longest wait at the end of a run, when there is no next time. */
const LAST_WAIT_MS = 5_000
const LAST_RETRY_MS = 200

function conflictText(path: string, { source, why, status }: NotWritten): string {
  if (why === 'gone') return `${shown(source)} is not in ${path} any more: its status is not written`
  const what = `the status of ${shown(source)} stays as it is in ${path}`
  if (why === 'another-task') return `${what}: its description was changed during the run`
  return `${what}: it says ${shown(status)}, which this run did not write`
}

/** Plan files as agents have changed them on the run's branch; null: unchanged, or git cannot tell. */
export function planFilesOnBranch(
  engine: EngineRepository,
  state: { base: string; head: string },
): (path: string) => Promise<string | null> {
  /** Computed once for all files of a plan. */
  let changed = { head: '', files: new Set<string>() }
  return async (path) => {
    const { base, head } = state
    try {
      if (head !== changed.head) changed = { head, files: await changedFiles(engine, base, head) }
      const name = await planFileName(path, engine.user.top)
      return changed.files.has(name) ? await fileAt(engine, head, name, LIMITS.planBytes) : null
    } catch {
      return null
    }
  }
}
