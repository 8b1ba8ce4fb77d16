// A repository, a stage for puppets, and runs of the real engine on it. All of it ends with the test.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { LayerSettings } from '../../src/config.ts'
import type { MakeRunner } from '../../src/engine/open/check-before-run.ts'
import { openRun } from '../../src/engine/open/open-run.ts'
import { resumeRun } from '../../src/engine/open/resume-run.ts'
import { useGitRunner } from '../../src/git/run/runner-client.ts'
import type { Event, Plan, Run, RunEvent, RunResult } from '../../src/index.ts'
import { findSupervisor, findTree } from '../../src/process/tree/tree.ts'
import { attemptToken } from '../../src/workspace/state-folder.ts'
import { makePlan, makeSettings, type TaskDraft } from './plan.ts'
import { makeRepository, type RepositoryOptions, type TestRepository } from './repository.ts'
import { type Puppet, Stage } from './stage.ts'
import { until } from './until.ts'
import { workspaceAt } from './workspace-at.ts'

// One for all runs of a test file, as all runs of an engine have one: starting it takes longer than a small run's git.
useGitRunner()

export class Rig implements AsyncDisposable {
  readonly repository: TestRepository
  readonly stage: Stage
  readonly #runs: Started[] = []

  private constructor(repository: TestRepository, stage: Stage) {
    this.repository = repository
    this.stage = stage
  }

  static async open(options: RepositoryOptions = {}): Promise<Rig> {
    const repository = await makeRepository(options)
    return new Rig(repository, await Stage.open(repository.path))
  }

  get top(): string {
    return this.repository.top
  }

  /** The state folder the engine chooses by itself. */
  get state(): string {
    return join(this.repository.path, 'repo.espalier')
  }

  git(...args: string[]): string {
    return this.repository.git(...args)
  }

  plan(tasks: TaskDraft[]): Plan {
    return makePlan(tasks, this.stage.command())
  }

  /** Starts a run of these tasks and does not wait for it. */
  async start(
    tasks: TaskDraft[],
    settings: LayerSettings = {},
    environment = process.env,
    runner?: MakeRunner,
  ): Promise<Started> {
    const opened = await openRun(await workspaceAt(this.top), {
      plan: this.plan(tasks),
      settings: makeSettings(settings),
      environment,
      runner,
    })
    assert.ok(opened.ok, JSON.stringify(opened))
    return this.#follow(opened.value)
  }

  async resume(
    settings: LayerSettings = {},
    run?: string,
    environment = process.env,
    runner?: MakeRunner,
  ): Promise<Started> {
    const opened = await resumeRun(await workspaceAt(this.top), {
      run,
      changes: [{ from: 'test', settings }],
      environment,
      runner,
    })
    assert.ok(opened.ok, JSON.stringify(opened))
    return this.#follow(opened.value)
  }

  /** A whole run, from its first task to its result. */
  async run(tasks: TaskDraft[], settings: LayerSettings = {}, environment = process.env): Promise<Finished> {
    return (await this.start(tasks, settings, environment)).finish()
  }

  /** A file on the run's branch in the user's repository; null if it is not there. */
  landedFile(run: { branch: string }, path: string): string | null {
    try {
      return this.git('show', `${run.branch}:${path}`)
    } catch {
      return null
    }
  }

  /** The tasks on the first-parent chain of the run's branch, oldest first: `a/1`, or `a/1 b/1` if they landed together. */
  landings(run: { branch: string; base: string }): string[] {
    const format =
      '--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)/%(trailers:key=Espalier-Attempt,valueonly,separator=%x20)'
    const text = this.git('log', '--first-parent', '--reverse', format, `${run.base}..${run.branch}`)
    return text.split('\n').filter((line) => line !== '')
  }

  /** Where a puppet's supervisor keeps its files. */
  workOf({ task, attempt, hello }: Puppet): string {
    const iteration = hello.env.ESPALIER_ITERATION ?? '1'
    const name = iteration === '1' ? 'work' : `work-${iteration}`
    return join(this.state, 'runs', 'plan-1', task, String(attempt), name)
  }

  /** The supervisor of a puppet with all its shells first, so that none is left to say how the puppet ended. */
  async loseSupervisor(puppet: Puppet): Promise<void> {
    const dir = this.workOf(puppet)
    for (const { pid } of findSupervisor({ dir, token: '', supervisor: null })) process.kill(pid, 'SIGKILL')
    process.kill(puppet.hello.pid, 'SIGKILL')
    await puppet.gone()
  }

  /** Also after a test that failed half-way: nothing of it goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      for (const started of this.#runs) await started.end()
    } finally {
      await this.stage[Symbol.asyncDispose]()
      await this.repository[Symbol.asyncDispose]()
    }
  }

  #follow(run: Run): Started {
    const started = new Started(run)
    this.#runs.push(started)
    return started
  }
}

export type Finished = Started & { outcome: RunResult }

/** A run that is being executed, with everything it has said so far. */
export class Started {
  readonly run: Run
  readonly events: RunEvent[] = []
  readonly result: Promise<RunResult>
  readonly #listening: Promise<void>
  #ended = false

  constructor(run: Run) {
    this.run = run
    this.#listening = this.#listen()
    this.result = run.execute()
    this.result.catch(() => {}) // whoever awaits it sees it
  }

  get id(): string {
    return this.run.id
  }

  async finish(): Promise<Finished> {
    const outcome = await this.result
    await this.#listening
    await this.#close()
    return Object.assign(this, { outcome })
  }

  /** All events of one kind, in order. */
  all<T extends RunEvent['type']>(type: T): Extract<RunEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type)
  }

  async saw<T extends RunEvent['type']>(
    type: T,
    wanted: (event: Extract<RunEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<RunEvent, { type: T }>> {
    return until(`an event ${type}`, () => this.all(type).find(wanted) ?? null)
  }

  task(id: string) {
    const task = this.run.status().tasks.find((one) => one.id === id)
    assert.ok(task, `no task ${id}`)
    return task
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(this.run.status().tasks.map((task) => [task.id, task.status]))
  }

  /** Processes of an attempt that are alive. */
  processes(task: string, attempt: number): number[] {
    const [first] = this.events as Event[]
    assert.ok(first?.type === 'run.started')
    const token = attemptToken(this.id, first.seed, task, attempt)
    return findTree({ token, dir: '/nowhere', supervisor: null }).map(({ pid }) => pid)
  }

  /** For a test that failed half-way as well. */
  async end(): Promise<void> {
    if (this.#ended) return
    this.run.cancel()
    await this.result.catch(() => {})
    await this.#close()
  }

  async #close(): Promise<void> {
    this.#ended = true
    await this.run[Symbol.asyncDispose]()
  }

  async #listen(): Promise<void> {
    for await (const event of this.run.events()) this.events.push(event)
  }
}
