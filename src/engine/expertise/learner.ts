// Follows the journal of a run; what it learns goes into prompts, choices of models and estimates. It never fails a run.
// Properties: an event is learned from once, also if the engine dies in between (`learnedUpTo`). Turned off, it does nothing.
import type { Settings } from '../../config.ts'
import { type Event, startOf } from '../../event.ts'
import { absorb, judge, prune } from '../../learning/absorb.ts'
import { type Estimate, estimate } from '../../learning/estimates.ts'
import { expertiseFor } from '../../learning/lessons-for-prompt.ts'
import { type LearningContext, type Taught, TEACHES, taught } from '../../learning/lessons-from-event.ts'
import { chooseModel } from '../../learning/model-choice.ts'
import { tiersOf } from '../../learning/models-of-agent.ts'
import { looksOf } from '../../learning/task-features.ts'
import type { Experience, Known, Lesson, ModelChoice } from '../../learning-records.ts'
import { ok, type Result } from '../../problem.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { emptyState, indexOf, type RunState } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { LearningStore } from '../../store/learning.ts'
import type { Plan, Task } from '../../task.ts'
import type { AttemptView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type Asked = {
  task: Task
  agent: string
  /** How many it still has. */
  tries: number
  history: readonly AttemptView[]
  /** Remaining budget for each remaining task; null: no budget. */
  budgetUsd: number | null
}

export class Learner {
  readonly #store: LearningStore
  readonly #settings: Settings
  #past: Experience[] = []
  #succeeded: Experience[] | null = null
  #seen: (Taught & { at: number })[] = []
  #last: Promise<void> = Promise.resolve()
  #isOff: boolean

  private constructor(store: LearningStore, settings: Settings) {
    this.#store = store
    this.#settings = settings
    this.#isOff = !settings.learning.enabled
  }

  static async open(store: LearningStore, settings: Settings): Promise<Learner> {
    const learner = new Learner(store, settings)
    if (!learner.#isOff) learner.#past = await store.experiences()
    return learner
  }

  get hasPast(): boolean {
    return this.#past.length > 0
  }

  /** Looks at an event right after it was applied: its consequences may change the task it was about. */
  look(event: Event, context: LearningContext): void {
    if (this.#isOff) return
    for (const one of taught(event, context)) this.#seen.push({ ...one, at: event.at })
  }

  /** Learns from events that a killed engine had not learned from. `plan`: as it was when the run began. */
  async catchUp(run: string, plan: Plan, events: readonly Event[], secrets: readonly string[]): Promise<void> {
    const first = startOf(events)
    if (this.#isOff || !first) return
    const upTo = await this.#store.learnedUpTo(run)
    if (!events.some(({ seq, type }) => seq > upTo && TEACHING.has(type))) return
    let state = emptyState(plan, first.limits)
    for (const event of events) {
      state = apply(state, event)
      if (event.seq > upTo) this.look(event, learningContext(run, { settings: this.#settings, state, secrets }))
    }
    this.keep(run, events.at(-1)?.seq ?? 0)
  }

  keep(run: string, seq: number): void {
    const seen = this.#seen.splice(0)
    if (seen.length === 0) return
    const usual = seen.map((one) => this.#usual(one.domain))
    const experiences = seen.flatMap(({ experience }) => experience ?? [])
    this.#past.push(...experiences)
    this.#succeeded = null
    const update = (known: Known) =>
      seen.flatMap((one, n) => [
        ...judge(known, one, usual[n] ?? 0.5, one.at),
        ...absorb(known, one.observations, one.at),
      ])
    this.#last = this.#last
      .then(() => this.#store.learn((known) => ({ touched: update(known), experiences, upTo: { run, seq } })))
      .catch(this.#giveUp)
  }

  async expertise(task: Task): Promise<Lesson[]> {
    const { learning } = this.#settings
    if (this.#isOff || learning.promptTokens === 0) return []
    try {
      await this.#last
      const verify = [...task.verify, ...(task.land ? this.#settings.landing.verify : [])]
      const wanted = { ...looksOf(task), claims: task.claims, verify, maxTokens: learning.promptTokens }
      return expertiseFor(await this.#store.lessons(), wanted)
    } catch {
      this.#giveUp()
      return []
    }
  }

  /** Chooses a model for a task with `model: auto`; null: its agent has no models to choose from. */
  choose({ task, agent, history, tries, budgetUsd }: Asked): ModelChoice | null {
    const { tiers } = tiersOf(agent, this.#settings)
    if (tiers.length === 0) return null
    const before = history.findLast(
      (one) => one.failure && TEACHES.has(one.failure.reason) && one.choice && one.agent === agent,
    )?.choice
    return chooseModel({
      looks: looksOf(task),
      tiers,
      past: this.#past.filter((one) => one.agent === agent),
      tries,
      after: before ? Math.min(before.tier, tiers.length) - 1 : null,
      budgetUsd,
      tolerance: this.#settings.models.tolerance,
    })
  }

  estimate(task: Task, plan: string, by: 'same' | 'similar' = 'similar'): Estimate | null {
    this.#succeeded ??= this.#past.filter(({ succeeded }) => succeeded)
    return estimate({ ...looksOf(task), task: task.id, plan }, this.#succeeded, by)
  }

  /** Resolves when everything is written. `filesAt`: the run is over, so lessons about files that are gone go. */
  async settle(filesAt: ((when: 'begin' | 'end') => Promise<ReadonlySet<string>>) | null): Promise<void> {
    await this.#last
    if (filesAt === null || this.#isOff) return
    try {
      if (!(await this.#store.lessons()).some(({ paths }) => paths.length > 0)) return
      const [begin, end] = [await filesAt('begin'), await filesAt('end')]
      const files = { now: (path: string) => isThere(end, path), before: (path: string) => isThere(begin, path) }
      await this.#store.learn((known) => ({ touched: prune(known, files, Date.now()) }))
    } catch {
      this.#giveUp()
    }
  }

  /** Share of attempts at such tasks that succeed without any lessons. */
  #usual(domain: string): number {
    const all = this.#past.filter((one) => one.domain === domain).slice(-RECENT)
    return (all.filter(({ succeeded }) => succeeded).length + 1) / (all.length + 2)
  }

  readonly #giveUp = () => {
    this.#isOff = true
  }
}

const TEACHING: ReadonlySet<Event['type']> = new Set(['attempt.finished', 'landing.landed', 'landing.refused'])
const RECENT = 200

export function learningContext(
  run: string,
  { state, ...known }: Pick<LearningContext, 'settings' | 'secrets'> & { state: RunState },
): LearningContext {
  const at = (id: string) => indexOf(state, id)
  return { ...known, run, task: (id) => taskAt(state.graph, at(id)), view: (id) => taskView(state, at(id)) }
}

function isThere(files: ReadonlySet<string>, path: string): boolean {
  if (files.has(path)) return true
  if (path.endsWith('/')) for (const file of files) if (file.startsWith(path)) return true
  return false
}

export async function readExpertise(workspace: Workspace, task: Task, settings: Settings): Promise<Result<string[]>> {
  return workspace.read<string[]>([], async (store) => {
    const learner = await Learner.open(store, settings)
    return ok((await learner.expertise(task)).map(({ text }) => text))
  })
}
