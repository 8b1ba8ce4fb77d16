// A run of any size, written into the store of a repository as an engine would have: for what a browser makes of many tasks.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import type { RunSummary, TaskView } from '../../src/view.ts'
import { stateFolder } from '../../src/workspace/state-folder.ts'
import { largeInput } from '../reports/sample.ts'

export class LargeRun implements AsyncDisposable {
  readonly run: string
  readonly tasks: TaskView[]
  readonly #store: Store
  #summary: RunSummary
  #seq: number

  private constructor(store: Store, run: string, tasks: TaskView[], summary: RunSummary, seq: number) {
    this.#store = store
    this.run = run
    this.tasks = tasks
    this.#summary = summary
    this.#seq = seq
  }

  /** Half of it is done; the tasks are of so many epics. */
  static async write(repo: string, size: number, epics = 20): Promise<LargeRun> {
    const { view, plan } = largeInput(size)
    const { tasks: all, engine: _, durationMs: __, spending: ___, ...rest } = view
    const epicOf = (index: number) => `epic-${Math.floor((index * epics) / size)}`
    const tasks = all.map((task, index): TaskView => {
      const kept = { ...task, epic: epicOf(index) }
      if (index < size / 2) return kept
      const open = { status: 'pending', outcome: null, attempts: 0, startedAt: null, finishedAt: null } as const
      return { ...kept, ...open, durationMs: null, landedCommit: null, landedAt: null, failure: null, history: [] }
    })
    const planned = plan.tasks.map((task, index) => ({ ...task, epic: epicOf(index) }))
    const named = { ...plan, tasks: planned, epics: [...new Set(planned.map(({ epic }) => epic))].map(epicNamed) }
    const run = `large-${size}`
    const folder = stateFolder(repo, null)
    mkdirSync(folder.root, { recursive: true })
    const opened = await openStore(folder.database)
    assert.ok(opened.ok, JSON.stringify(opened))
    const store = opened.value
    const record = { id: run, name: 'large', repo, planFile: null, createdAt: Date.now(), settings: DEFAULT_SETTINGS }
    await store.createRun({ ...record, plan: named })
    const summary: RunSummary = {
      ...rest,
      run,
      name: 'large',
      status: 'running',
      finishedAt: null,
      counts: countsOf(tasks),
    }
    const started = { type: 'run.interrupted', request: null, seq: 1, at: Date.now() } as const
    assert.equal(await store.append(run, [started], { run: summary, tasks }), 'written')
    return new LargeRun(store, run, tasks, summary, 1)
  }

  /** Something happens to a task: it starts, or it lands. */
  async step(index: number): Promise<void> {
    const task = this.tasks[index % this.tasks.length]
    if (!task) return
    const status = task.status === 'running' ? 'landed' : 'running'
    const changed = { ...task, status } as const
    this.tasks[index % this.tasks.length] = changed
    const counts = { ...this.#summary.counts }
    counts[task.status]--
    counts[status]++
    this.#summary = { ...this.#summary, counts, lastAt: Date.now() }
    const event = { type: 'run.interrupted', request: null, seq: ++this.#seq, at: Date.now() } as const
    await this.#store.append(this.run, [event], { run: this.#summary, tasks: [changed] })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
  }
}

function epicNamed(id: string) {
  return { id, title: id, needs: [] }
}

function countsOf(tasks: readonly TaskView[]): RunSummary['counts'] {
  const counts = { total: tasks.length } as RunSummary['counts']
  for (const status of ['pending', 'ready', 'running', 'landing', 'conflict', 'landed', 'passed'] as const)
    counts[status] = 0
  for (const status of ['failed', 'blocked', 'cancelled'] as const) counts[status] = 0
  for (const { status } of tasks) counts[status]++
  return counts
}
