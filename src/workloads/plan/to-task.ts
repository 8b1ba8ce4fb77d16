// A task with everything filled in: by itself, then its epic, the defaults of the plan, the settings.
import type { LayerSettings, Settings } from '../../config.ts'
import type { Claims, Task, Work } from '../../task.ts'
import { listOf, toEnv, toMs } from '../document/field.ts'
import type { DefaultsInput, EpicInput, HeadInput, TaskInput } from './schema.ts'

type Overrule = Pick<LayerSettings, 'agent' | 'budgetUsd' | 'checks'>

type Filling = ReturnType<typeof fillingOf>

/** Shared by everything that has none: a plan of 100,000 tasks has 400,000 empty lists. Frozen, so nobody adds to it. */
const NONE: string[] = Object.freeze<string[]>([]) as string[]

export function fillingOf(
  head: Partial<HeadInput>,
  defaults: Partial<DefaultsInput>,
  epics: Map<string, Partial<EpicInput>>,
  settings: Settings,
  overrule: Overrule,
) {
  const agents = namedAgents(defaults) ?? namedAgents(head) ?? [settings.agent]
  const [agent] = agents
  const guard = guardOf([head, defaults])
  return {
    defaults: { iterations: settings.iterations, ...defaults },
    epics,
    guard: (written: Guard) =>
      written.protected || written.unprotected ? guardOf([head, { ...defaults, ...written }]) : guard,
    env: Object.freeze({ ...toEnv(head.env), ...toEnv(defaults.env) }),
    claims: toClaims(defaults.claims) ?? { write: NONE, read: NONE },
    /** The preferred one first; never empty. */
    agentsOf: (written: string[] | undefined) => (overrule.agent == null ? (written ?? agents) : [overrule.agent]),
    // A model is meant for the agent it was written with: another agent does not know it.
    modelOf: (written: { agent: string | undefined; model: string | undefined }) => {
      const meant = written.agent ?? agent
      if (meant !== (overrule.agent ?? meant)) return null
      return written.model ?? (meant === agent ? (defaults.model ?? null) : null)
    },
  }
}

export function toTask(id: string, input: Partial<TaskInput>, filling: Filling): Task {
  const all = { ...filling.defaults, ...input }
  const work = toWork(input, filling)
  const { epic: epicName = null } = all
  const epic = epicName === null ? undefined : filling.epics.get(epicName)
  const isolation = input.isolation ?? epic?.isolation ?? all.isolation ?? 'task'
  return {
    id,
    title: input.title?.trim() || firstLine(work),
    epic: epicName,
    needs: input.needs?.length ? input.needs : NONE,
    after: input.after?.length ? input.after : NONE,
    claims: toClaims(input.claims) ?? filling.claims,
    work,
    ...withoutEmpty({ uses: all.uses, labels: all.labels, setup: listOf(all.setup) }),
    verify: listOf(all.verify) ?? NONE,
    priority: toPriority(input.priority ?? epic?.priority ?? all.priority ?? 0),
    estimateMs: toMs(all.estimate) ?? null,
    ...limitsOf(input),
    land: all.land ?? true,
    isolation: epicName === null ? 'task' : isolation,
    ...filling.guard(input),
    env: input.env ? { ...filling.env, ...toEnv(input.env) } : filling.env,
    tags: all.tags ?? NONE,
    ...given(['budgetUsd', 'estimateUsd'], all),
    ...(work.kind === 'prompt' ? persistenceOf(all) : {}),
    ...decisionsOf(epic?.decision, all.decision),
  }
}

/** Limits of the task's own; others are the run's. */
function limitsOf({ timeout, retries, outside }: Partial<TaskInput>): Pick<Task, 'timeoutMs' | 'retries' | 'outside'> {
  const time = timeout === undefined ? {} : { timeoutMs: toMs(timeout) }
  // A path outside the repository fails every time, so there are no retries.
  if (outside?.length) return { ...time, outside, retries: 0 }
  return retries === undefined ? time : { ...time, retries }
}

/** Most tasks have none of these. */
function withoutEmpty<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  const filled: Partial<T> = {}
  for (const name in fields) if (Object.keys(fields[name] ?? NONE).length > 0) filled[name] = fields[name]
  return filled
}

const PERSISTENCE = ['iterations', 'completion', 'maxTurns', 'maxToolCalls', 'maxRepeats', 'allowNoChange'] as const

/** Iterations of an agent. A shell command does the same every time, and most plans have none. */
function persistenceOf(input: Partial<DefaultsInput>) {
  const { iterations, ...rest } = given(PERSISTENCE, input)
  return iterations === 1 ? rest : { iterations, ...rest }
}

function given<K extends keyof DefaultsInput>(
  names: readonly K[],
  input: Partial<Pick<DefaultsInput, K>>,
): Partial<Pick<DefaultsInput, K>> {
  const named: Partial<Pick<DefaultsInput, K>> = {}
  for (const name of names) if (input[name] !== undefined) named[name] = input[name]
  return named
}

export function decisionsOf(...written: DefaultsInput['decision'][]): Pick<Task, 'decisions'> {
  const decisions = [...new Set(written.flatMap((one) => listOf(one) ?? []).map((one) => one.trim()))]
  return withoutEmpty({ decisions })
}

function toWork(input: Partial<TaskInput>, { agentsOf, modelOf }: Filling): Work {
  const { prompt = '', run, model } = input
  if (run !== undefined) return { kind: 'command', command: run }
  const written = namedAgents(input)
  const [agent = '', ...fallbacks] = agentsOf(written)
  const work = { kind: 'prompt', prompt, agent, model: modelOf({ agent: written?.[0], model }) } as const
  return fallbacks.length > 0 ? { ...work, fallbacks } : work
}

/** Agents named there, the preferred one first; undefined: none. */
export function namedAgents({ agent, agents }: Pick<Partial<DefaultsInput>, 'agent' | 'agents'>): string[] | undefined {
  return agents ?? (agent === undefined ? undefined : [agent])
}

const TITLE_CHARS = 72

function firstLine(work: Work): string {
  const text = (work.kind === 'prompt' ? work.prompt : work.command).trimStart()
  const [first = ''] = text.slice(0, 10 * TITLE_CHARS).split(/[\r\n]/, 1)
  const line = first.trimEnd()
  if (line.length <= TITLE_CHARS) return line
  // A title becomes the subject of a commit: the first sentence, else whole words.
  const sentence = /^.{3,}?[.!?;:](?=\s)/u.exec(line)?.[0] ?? ''
  if (sentence !== '' && sentence.length <= TITLE_CHARS) return sentence.replace(/[;:]$/, '')
  const words = line.slice(0, TITLE_CHARS + 1).replace(/\s+\S*$/, '')
  return words.length <= TITLE_CHARS ? words : line.slice(0, TITLE_CHARS).replace(/[\ud800-\udbff]$/, '')
}

function toClaims(input: TaskInput['claims']): Claims | undefined {
  if (input === undefined) return undefined
  const { write, read } = typeof input === 'string' || Array.isArray(input) ? { write: input, read: undefined } : input
  return { write: toGlobs(listOf(write)), read: toGlobs(listOf(read)) }
}

function toGlobs(written: string[] | undefined): string[] {
  if (!written || written.length === 0) return NONE
  return written.some((glob) => glob.startsWith('.') || glob.endsWith('/')) ? written.map(plainGlob) : written
}

type Guard = Pick<Task, 'protected' | 'unprotected'>

/** Protected paths of plan and task together; most plans have none. */
function guardOf(sources: readonly Guard[]): Guard {
  const all = (name: keyof Guard) => [...new Set(sources.flatMap((source) => toGlobs(source[name])))]
  return withoutEmpty({ protected: all('protected'), unprotected: all('unprotected') })
}

/** `./src/` is `src`; `.` is everything. */
function plainGlob(glob: string): string {
  const plain = glob.replace(/^(\.\/+)+/, '').replace(/\/+$/, '')
  return plain === '.' || plain === '' ? '**' : plain
}

const PRIORITIES = { low: -10, normal: 0, high: 10, critical: 20 } as const

function toPriority(input: NonNullable<TaskInput['priority']>): number {
  return typeof input === 'number' ? input : PRIORITIES[input]
}
