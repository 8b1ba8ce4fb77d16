// One candidate, judged: its gates, then its score, as often as it is measured.
//
// Properties
// - It is judged in a worktree made from scratch, of a commit that the engine made: nothing that steps left ignored, untracked or
//   running is there, and the evaluator's paths are those of the root.
// - Every command finds the worktree as it was made: what a gate or a measurement did to it, running the candidate's own code, is
//   undone before the next one. Where that touched what setup had made, the worktree and its setup are made anew.
// - What it measured is in the fact the attempt ends with, and nowhere that a candidate could write to.
// - After a restart the same function takes over: a command that still runs or has ended is taken up, never run twice.
// Tolerated: code of the candidate that the evaluator loads into its own process can do whatever that can. docs/search.md says so.

import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { Check, Failure } from '../../event.ts'
import { readSlotNote } from '../../git/slots/slot.ts'
import { outcomeOf } from '../../outcome-of-failure.ts'
import { keptText } from '../../process/secrets.ts'
import { supervisorPid } from '../../process/supervise/supervise.ts'
import { newestIteration, stepName } from '../../workspace/state-folder.ts'
import { type AttemptContext, attemptEnvironment } from '../attempt-context.ts'
import type { AttemptFinished, RunningAttempt, SearchOrder } from '../attempt-order.ts'
import { withNotes } from '../exit-failures.ts'
import { commandFailure, Steps } from '../worktree-commands.ts'
import { fingerprintOfFiles, type JudgedCommit, judgedCommit, judgePath, restoredPaths } from './candidate.ts'
import { measurementIn, scoreArguments } from './score-command.ts'

type Judge = Extract<SearchOrder, { role: 'judge' }>

export class Judgement implements RunningAttempt {
  readonly #context: AttemptContext
  readonly #judge: Judge
  readonly #steps: Steps
  readonly #gates: Check[] = []
  readonly #samples = new Map<string, number[]>()
  readonly result: Promise<AttemptFinished>
  #lastDir: string | null = null

  constructor(context: AttemptContext, judge: Judge) {
    const { order, slot, folder } = context
    this.#context = context
    this.#judge = judge
    // Caches that survive the reuse of a worktree may be a candidate's work.
    const settings = { ...order.settings, keep: [] }
    this.#steps = new Steps({ slot, root: folder.root, token: order.token, settings }, () => {})
    this.result = this.#steps.carryOut(() => this.#work())
  }

  async stop(why: Failure): Promise<boolean> {
    this.#steps.stop(why)
    return true
  }

  letGo(): void {
    this.#steps.letGo()
  }

  async #work(): Promise<AttemptFinished> {
    const judged = await judgedCommit(this.#context, this.#judge)
    const failure =
      (await this.#prepareOnce(judged)) ?? (await this.#passGates(judged)) ?? (await this.#measure(judged))
    return this.#finish(judged, failure)
  }

  /** An earlier engine may have done it. */
  async #prepareOnce(judged: JudgedCommit): Promise<Failure | null> {
    const { prepared } = newestIteration(this.#context.folder)
    if (existsSync(prepared)) return null
    await this.#steps.endLeftovers('setup')
    const trouble = await this.#prepare(judged, true)
    if (!trouble) await writeFile(prepared, '')
    return trouble
  }

  async #prepare({ commit }: JudgedCommit, fresh: boolean): Promise<Failure | null> {
    const { order, folder, machine } = this.#context
    const { run, runBase, task } = order
    await mkdir(folder.files, { recursive: true, mode: 0o700 })
    const branch = `espalier/${run}/${task.id}`
    const trouble = await this.#steps.prepare({ commit, runBase, branch, include: machine.include, fresh }, () =>
      this.#environment(),
    )
    if (!trouble && fresh) await writeFile(folder.setupPrint, await this.#setupPrint())
    return trouble
  }

  async #passGates(judged: JudgedCommit): Promise<Failure | null> {
    const env = this.#environment()
    for (const [index, command] of this.#judge.gates.entries()) {
      const name = stepName('gate', index + 1)
      const trouble = await this.#asItWas(name, judged, index === 0)
      if (trouble) return trouble
      this.#context.host.progress(`gate ${index + 1} of ${this.#judge.gates.length}: ${command}`)
      const { dir, exit } = await this.#steps.once(name, { command, argv: ['sh', '-c', command], env })
      this.#lastDir = dir
      if (this.#steps.stopping) return this.#steps.stopping
      if (exit.kind === 'lost') return { reason: 'supervisor-lost', message: `nobody knows how \`${command}\` ended` }
      const failure = await commandFailure(dir, command, 'gate-failed', exit)
      // Without the duration: the same candidate is to be recorded in the same words.
      this.#gates.push({ command, durationMs: 0, passed: failure === null })
      if (failure) return failure
    }
    return null
  }

  async #measure(judged: JudgedCommit): Promise<Failure | null> {
    const { score, repeats, gates } = this.#judge
    const { token } = this.#context.order
    for (let number = 1; number <= repeats; number++) {
      const name = stepName('score', number)
      const trouble = await this.#asItWas(name, judged, number === 1 && gates.length === 0)
      if (trouble) return trouble
      if (repeats > 1) this.#context.host.progress(`measurement ${number} of ${repeats}`)
      const argv = scoreArguments(score, token, number)
      const command = { command: score.run, argv, env: this.#environment(), stderr: 'separate' } as const
      const { dir, exit } = await this.#steps.once(name, command)
      this.#lastDir = dir
      if (this.#steps.stopping) return this.#steps.stopping
      const measured = await measurementIn(dir, exit, score, { token, number })
      if (!measured.ok) return measured.failure
      for (const [key, value] of Object.entries(measured.values))
        this.#samples.set(key, [...(this.#samples.get(key) ?? []), value])
    }
    return null
  }

  /** Undoes changes of earlier commands to the worktree, before a command that has not begun. */
  async #asItWas(name: string, judged: JudgedCommit, isFirst: boolean): Promise<Failure | null> {
    if (isFirst || this.#steps.hasBegun(name)) return null
    this.#steps.released.throwIfAborted()
    const before = await readFile(this.#context.folder.setupPrint, 'utf8').catch(() => '')
    return this.#prepare(judged, before !== (await this.#setupPrint()))
  }

  async #setupPrint(): Promise<string> {
    const { slot } = this.#context
    const note = await readSlotNote(slot)
    return fingerprintOfFiles(slot.path, [...(note?.setupPaths ?? []), ...(note?.included ?? [])])
  }

  #environment(): Record<string, string> {
    const { folder, machine } = this.#context
    const env = attemptEnvironment(this.#context, newestIteration(folder))
    const own = [machine.engine.user.top, machine.engine.stateDir]
    return { ...env, PATH: judgePath(env.PATH ?? '', own) }
  }

  #finish(judged: JudgedCommit, failed: Failure | null): AttemptFinished {
    const { order, secrets } = this.#context
    const { commit, tree, restored, diff } = judged
    const samples = Object.fromEntries(this.#samples)
    const scores = Object.fromEntries([...this.#samples].map(([key, values]) => [key, medianOf(values)]))
    const pid = this.#lastDir === null ? null : supervisorPid(this.#lastDir)
    const isChanged = commit !== order.runBase
    const words = failed && { ...failed, message: keptText(failed.message, secrets) }
    const summary = failed
      ? null
      : Object.entries(scores)
          .map(([key, value]) => `${key} ${value}`)
          .join(', ')
    return {
      type: 'attempt.finished',
      task: order.task.id,
      attempt: order.attempt,
      outcome: failed ? outcomeOf(failed) : isChanged ? 'changed' : 'no-change',
      commit: isChanged ? commit : null,
      diff: isChanged ? diff : null,
      usage: null,
      ...(this.#gates.length > 0 ? { checks: this.#gates } : {}),
      ...restoredPaths(restored),
      result: { ...(failed ? {} : { scores, samples, tree }), ...(pid === null ? {} : { pid }) },
      ...withNotes({ failure: words, summary }, this.#steps.notes),
    }
  }
}

function medianOf(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] as number
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
