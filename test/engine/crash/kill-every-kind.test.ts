// For every kind of event there is, the engine dies right before and right after it is first written. Resumed, the run
// ends as an undisturbed one does: nothing lost, nothing done or landed twice, no process left. The kinds come from the
// code: one that no scenario writes fails here.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { findLeftovers } from '../../../src/engine/upkeep/leftovers-of-killed-engine.ts'
import { type EventType, eventSchema } from '../../../src/event.ts'
import { type RunView, readRun } from '../../../src/index.ts'
import { readProcessTable } from '../../../src/process/tree/process-table.ts'
import { runNow, spending, taskView } from '../../../src/view.ts'
import { stateFolder } from '../../../src/workspace/state-folder.ts'
import { SCENARIOS, type Scenario } from '../../rig/every-kind.ts'
import { kindsWritten, type Place, play } from '../../rig/every-kind-play.ts'
import type { Death } from '../../rig/every-kind-process.ts'
import { Rig } from '../../rig/rig.ts'
import { sampled, WHOLE } from '../../rig/sampled.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const SCRIPT = fileURLToPath(new URL('../../rig/every-kind-process.ts', import.meta.url))
/** Only runs with workers have some others: test/fleet has those, and the simulation restarts after each. One is never written any more. */
const OTHERS: readonly EventType[] = ['attempt.late', 'attempt.overlapped']
const KINDS = eventSchema.options
  .map(({ shape }) => shape.type.value)
  .filter((kind) => !OTHERS.includes(kind) && !kind.startsWith('worker.'))
const VIEW = runNow.extend({ tasks: z.array(taskView), spending: spending.optional() })
const EXTEND = 'no scenario writes it: extend one in test/rig/every-kind.ts, or add one'

suite('the engine dies at the first write of every kind', { concurrency: 4 }, () => {
  for (const [name, { ends }] of WHOLE ? Object.entries(SCENARIOS) : [])
    test(`undisturbed: ${name}`, async () => {
      const { run, tasks } = (await undisturbed(name)).outcome
      assert.deepEqual([run, ...tasks.map((task) => task.replace(/ \d+$/, ''))], ends)
    })

  test('every kind is written by a scenario', { skip: !WHOLE && 'npm run test:crash has it' }, async () => {
    for (const kind of KINDS) assert.ok(await scenarioOf(kind), `${kind}: ${EXTEND}`)
  })

  const deaths = KINDS.flatMap((kind) => [
    { kind, when: 'before' as const },
    { kind, when: 'after' as const },
  ])
  for (const { kind, when } of sampled('deaths', deaths, 4))
    test(`${when} ${kind}`, async () => {
      const name = await scenarioOf(kind)
      assert.ok(name, `${kind}: ${EXTEND}`)
      await using stand = await Stand.open(name)
      await stand.die({ kind, when })
      if (kind === 'landing.landed') await stand.diedBetweenBranches()
      await play(stand.scenario, stand.place)
      assert.deepEqual(await stand.look(), (await undisturbed(name)).outcome)
    })
})

/** The first that writes it. */
async function scenarioOf(kind: EventType): Promise<string | null> {
  for (const name of Object.keys(SCENARIOS)) if ((await undisturbed(name)).kinds.has(kind)) return name
  return null
}

type Undisturbed = { kinds: ReadonlySet<string>; outcome: Awaited<ReturnType<Stand['look']>> }
const known = new Map<string, Promise<Undisturbed>>()

function undisturbed(name: string): Promise<Undisturbed> {
  const playing = known.get(name) ?? playUndisturbed(name)
  known.set(name, playing)
  return playing
}

async function playUndisturbed(name: string): Promise<Undisturbed> {
  await using stand = await Stand.open(name)
  await play(stand.scenario, stand.place)
  return { kinds: await kindsWritten(stand.place), outcome: await stand.look() }
}

/** A repository on which one scenario is played. */
class Stand implements AsyncDisposable {
  readonly #rig: Rig
  readonly #name: string
  readonly scenario: Scenario
  readonly place: Place

  private constructor(rig: Rig, name: string, scenario: Scenario) {
    this.#rig = rig
    this.#name = name
    this.scenario = scenario
    this.place = { repo: rig.top, signals: rig.repository.at('signals') }
  }

  static async open(name: string): Promise<Stand> {
    const stand = new Stand(await Rig.open(), name, SCENARIOS[name] as Scenario)
    await mkdir(stand.place.signals)
    return stand
  }

  /** Plays it in a process of its own until that kills itself. */
  async die(death: Death): Promise<void> {
    const words = JSON.stringify({ ...this.place, ...death, scenario: this.#name })
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, words], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, [MARK]: this.place.repo },
    })
    await once(child, 'exit')
    assert.equal(child.signalCode, 'SIGKILL', `${this.#name} came to its end without ${death.kind}`)
  }

  /**
   * It died where it hurts: the engine's branch has moved and the user's has not. Within the same second the same
   * landing is made of the same commit once more: what is to be found out is what becomes of a different one.
   */
  async diedBetweenBranches(): Promise<void> {
    const base = this.#rig.git('rev-parse', 'main')
    const landings = (gitDir: string) =>
      this.#rig.git(`--git-dir=${gitDir}`, 'log', '--first-parent', '--format=%ct', `${base}..espalier/plan-1`)
    assert.equal(landings('.git'), '')
    const madeAt = Number(landings(join(this.#rig.state, 'engine.git')))
    assert.ok(madeAt > 0, 'one landing')
    await until('another second', () => Date.now() >= (madeAt + 1) * 1000)
  }

  /** All that has to be the same, whatever happened to the engine. */
  async look() {
    await this.#nothingRuns()
    const found = await readRun(await workspaceAt(this.place.repo))
    assert.ok(found.ok && found.value, JSON.stringify(found))
    const view = found.value
    const shown = JSON.parse(JSON.stringify(view)) as RunView
    assert.deepEqual(VIEW.parse(shown), shown, 'no field that the schemas do not have')
    const { started, ended } = await this.#deeds()
    assert.deepEqual(started, attempts(view), 'each attempt was started once')
    const { run, branch, base, status, usage } = view
    const chain = this.#rig.git('log', '--first-parent', '--format=%H', `${base}..${branch}`).split('\n')
    const recorded = view.tasks.flatMap((task) => task.landedCommit ?? [])
    assert.deepEqual(recorded.sort(), chain.sort(), 'what landed and what the journal says has landed')
    return {
      run: status,
      tasks: view.tasks.map((task) => `${task.id} ${task.status} ${task.history.filter(isOwnEnd).length}`),
      landed: this.#rig
        .landings(view)
        .map((line) => line.split('/')[0])
        .sort(),
      tree: this.#rig.git('rev-parse', `${branch}^{tree}`),
      told: view.tasks.flatMap((task) => task.history.flatMap(told)),
      kept: this.#kept(run),
      ended,
      usage,
    }
  }

  /** Neither of the attempts, nor of the engine that was killed. */
  async #nothingRuns(): Promise<void> {
    const folder = stateFolder(this.place.repo, null)
    await until('the end of all processes', async () => {
      const mine = readProcessTable().filter((row) => row.variable(MARK) === this.place.repo)
      return mine.length === 0 && (await findLeftovers(folder)).length === 0
    })
  }

  /** Work that did not land, with what it changes: its base may differ. */
  #kept(run: string): string[] {
    const refs = this.#rig.git('for-each-ref', '--format=%(refname)', `refs/espalier/${run}`).split('\n')
    return refs.map((ref) => {
      const changes = this.#rig.git('diff-tree', '--no-commit-id', '-r', ref)
      return `${ref.replace(`refs/espalier/${run}/`, '')} ${changes}`
    })
  }

  async #deeds(): Promise<{ started: string[]; ended: string[] }> {
    const lines = (await readFile(join(this.place.signals, 'ran'), 'utf8')).trimEnd().split('\n').sort()
    const of = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length))
    return { started: of('started '), ended: of('ended ') }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rig[Symbol.asyncDispose]()
  }
}

/** In the environment of the engine that is killed, and of what it starts for itself. */
const MARK = 'KILLED_ENGINE_OF'

function attempts(view: RunView): string[] {
  return view.tasks.flatMap(({ id, history }) => history.map(({ attempt }) => `${id}/${attempt}`)).sort()
}

/** What its agent told and asked, each once. */
function told({ notes = [], asked = [] }: RunView['tasks'][number]['history'][number]): string[] {
  return [
    ...notes.map(({ kind, text }) => `${kind}: ${text}`),
    ...asked.map(({ paths, holder }) => `${paths} ${holder}`),
  ]
}

/**
 * An attempt that an engine was about to interrupt when it died goes on and may even end: there is one attempt less
 * than there would have been.
 */
function isOwnEnd({ failure }: RunView['tasks'][number]['history'][number]): boolean {
  return failure?.reason !== 'interrupted'
}
