// From the entries of a suite to the plan of a run: every entry times its variants, repetitions, shards and trees becomes
// tasks that never land. Pure: plan files, the names of test files and what earlier runs took come in.
import { posix } from 'node:path'
import { type LayerSettings, LIMITS, type Settings } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { historyKey, type Suite, type SuiteEntry } from '../../suite-definition.ts'
import type { Epic, Plan, Task } from '../../task.ts'
import { shellWord } from '../../text/shell-word.ts'
import { plainName } from '../../text/slug.ts'
import { listOf, toEnv, toMs } from '../document/field.ts'
import { toResources } from '../document/resource-fields.ts'
import { readPlanFiles } from '../plan/read.ts'
import type { PlanFile } from '../plan/translate-format.ts'
import { toLayer } from '../settings/settings-file-schema.ts'
import { fileGlobs, type ReadSuite } from './read.ts'
import type { EntryInput } from './schema.ts'
import { autoShards, splitFiles } from './shards.ts'

type SuiteSurroundings = {
  /** Plan files by the name that an entry uses. */
  plans: ReadonlyMap<string, readonly PlanFile[]>
  /** The files of the tree that a pattern matches. */
  filesLike(globs: readonly string[]): string[]
  /** Time of each test file on this machine. */
  fileTimes: ReadonlyMap<string, number>
  /** Time of each entry, by its key in the history. */
  durations: ReadonlyMap<string, number>
  /** The command that runs the test files of this project, with `{files}`; null: nobody found out. */
  runner: string | null
  /** Settings below the suite. */
  settings: Settings
  agents: readonly string[]
  workers: number
  /** Commit that the suite is compared with. */
  compared: string | null
}

export type SuiteFlags = {
  repeat?: number | undefined
  shards?: 'auto' | number | undefined
  retries?: number | undefined
  timeoutMs?: number | undefined
  agent?: string | undefined
  model?: string | undefined
  /** Entries to run; default: all. */
  only?: readonly string[] | undefined
}

export type BuiltSuite = { plan: Plan & { suite: Suite }; settings: LayerSettings; warnings: Problem[] }

/** Default retries and time limit of an entry. */
const RETRIES = 2
const TIMEOUT_MS = 30 * 60_000
const KEEP_FAILED = 5

/** One way in which an entry is executed: of a matrix times the repetitions. */
type Variant = { values: Record<string, string>; repetition: number | null }

/** An entry of the file, as it is executed once. */
type Execution = { entry: EntryInput; variant: Variant; side: SuiteEntry['side'] }

export function buildSuite(given: ReadSuite, around: SuiteSurroundings, flags: SuiteFlags = {}): Result<BuiltSuite> {
  const { head } = given
  const entries: SuiteEntry[] = []
  const epics: Epic[] = []
  const allTasks: Task[] = []
  const problems: Problem[] = []
  const planWarnings: Problem[] = []
  const taken = new Set<string>()
  for (const entry of given.entries) if (flags.only === undefined || flags.only.includes(entry.id)) add(entry)
  return finish()

  function add(entry: EntryInput): void {
    const matrix = entry.matrix ?? head.matrix
    const sides = around.compared === null ? [null] : (['head', 'base'] as const)
    for (const variant of variantsOf(matrix, flags.repeat))
      for (const side of sides) {
        if (entries.length > LIMITS.suiteEntries || problems.length > LIMITS.problems) return
        const one = { entry, variant, side }
        if (entry.plan !== undefined) addPlan(one)
        else if (entry.files !== undefined) addShards(one)
        else addCommand(one, filledCommand(entry.run ?? '', variant.values))
      }
  }

  function finish(): Result<BuiltSuite> {
    const { name, warnings } = given
    const limit = Math.min(head.queueLimit ?? LIMITS.suiteEntries, LIMITS.suiteEntries)
    if (entries.length > limit)
      problems.push(
        problem(`these are ${entries.length} entries with all their variants, and \`queueLimit\` is ${limit}`),
      )
    if (problems.length > 0) return refuse(...problems)
    connect()
    const resources = toResources(head.resources)
    const kept = head.preserveFailed ?? true
    const suite: Suite = {
      entries,
      keepFailed: typeof kept === 'boolean' ? (kept ? KEEP_FAILED : 0) : kept,
      cleanup: head.cleanup ?? false,
      compared: around.compared,
    }
    const work = { epics, tasks: allTasks }
    const plan = { name, base: head.base ?? null, ...(resources ? { resources } : {}), ...work, suite }
    return ok({ plan, settings: settings(), warnings: [...warnings, ...planWarnings] })
  }

  function settings(): LayerSettings {
    const { workers, setup, setupInputs, keep, command, retries, timeout } = head
    return {
      ...toLayer({ maxConcurrency: workers === 'auto' ? undefined : workers, setup, setupInputs, keep, command }),
      retries: flags.retries ?? retries ?? RETRIES,
      timeoutMs: flags.timeoutMs ?? toMs(timeout) ?? TIMEOUT_MS,
    }
  }

  function addCommand(one: Execution, command: string, shard: SuiteEntry['shard'] = null, ms?: number): void {
    const { entry } = one
    const made = newEntry(one, { kind: 'command', command }, shard)
    const time = ms ?? around.durations.get(historyKey(made))
    const task: Task = {
      ...commonFields(one, made.id),
      title: entry.title?.trim() || command.split('\n', 1)[0]?.slice(0, 72) || made.id,
      epic: null,
      isolation: 'task',
      needs: [],
      after: [],
      claims: { write: [], read: [] },
      work: { kind: 'command', command },
      ...(entry.setup ? { setup: listOf(entry.setup) } : {}),
      verify: [],
      estimateMs: null,
      ...(time === undefined ? {} : { expected: { ms: time } }),
      tags: [],
    }
    push(made, [task])
  }

  function addShards(one: Execution): void {
    const { entry, variant } = one
    const template = entry.run ?? around.runner
    const files = around.filesLike(fileGlobs(entry))
    if (template === null || files.length === 0) {
      const missing = template === null ? NO_RUNNER : `no file matches ${fileGlobs(entry).join(', ')}`
      problems.push(problem(`entry ${entry.id}: ${missing}`))
      return
    }
    const { fileTimes, workers } = around
    const wanted = flags.shards ?? entry.shards ?? 'auto'
    const count = wanted === 'auto' ? autoShards(files, fileTimes, workers) : wanted
    const parts = splitFiles(files, fileTimes, count)
    parts.forEach((part, n) => {
      const shard = parts.length === 1 ? null : { number: n + 1, of: parts.length, files: part.files }
      const words = part.files.map((file) => shellWord(/^-/.test(file) ? `./${file}` : file)).join(' ')
      const dirs = [...new Set(part.files.map((file) => `./${posix.dirname(file)}`))].map(shellWord).join(' ')
      const command = filledCommand(template, variant.values).replaceAll('{files}', words).replaceAll('{dirs}', dirs)
      const isMeasured = part.files.some((file) => fileTimes.has(file))
      addCommand(one, command, shard, isMeasured ? part.ms : undefined)
    })
  }

  function addPlan(one: Execution): void {
    const { entry, variant } = one
    const { plans, durations } = around
    const agent = variant.values.agent ?? flags.agent ?? entry.agent ?? head.agent
    const model = variant.values.model ?? flags.model ?? entry.model ?? head.model
    const files = plans.get(entry.plan ?? '') ?? []
    const read = readPlanEntry(entry, files, around, { agent, model })
    if (!read.ok) {
      problems.push(...read.problems)
      return
    }
    const made = newEntry(one, { kind: 'plan', file: entry.plan ?? '' }, null)
    if (entries.length === 0 || !planWarnings.length) planWarnings.push(...read.value.warnings)
    const known = new Map(read.value.tasks.map(({ id }) => [id, newId(`${made.id}-${id}`)]))
    const renamed = (ids: string[]) => ids.map((id) => known.get(id) ?? id)
    const { timeoutMs, ...common } = commonFields(one, made.id)
    const expected = durations.get(historyKey(made))
    const share = expected === undefined ? {} : { expected: { ms: expected / read.value.tasks.length } }
    const setup = [...read.value.setup, ...(listOf(entry.setup) ?? [])]
    const tasks = read.value.tasks.map((task, n): Task => {
      const own = [...(n === 0 ? setup : []), ...(task.setup ?? [])]
      return {
        ...task,
        ...share,
        ...common,
        env: { ...common.env, ...task.env },
        id: known.get(task.id) as string,
        epic: made.id,
        isolation: 'epic',
        needs: renamed(task.needs),
        after: renamed(task.after),
        claims: { write: [], read: [] },
        ...(own.length > 0 ? { setup: own } : {}),
        timeoutMs: Math.min(task.timeoutMs ?? LIMITS.durationMs, timeoutMs ?? LIMITS.durationMs),
      }
    })
    epics.push({ id: made.id, title: entry.title ?? made.id, needs: [], timeoutMs })
    push(made, tasks)
  }

  /** Fields common to all tasks of an entry. */
  function commonFields({ entry, variant, side }: Execution, id: string) {
    const { retries, timeoutMs } = flags
    // A repetition is one look at it: to try again would hide what it is repeated for.
    const usual = variant.repetition === null ? (head.retries ?? RETRIES) : 0
    const artifacts = [...(listOf(head.artifacts) ?? []), ...(listOf(entry.artifacts) ?? [])]
    const junit = [...(listOf(head.junit) ?? []), ...(listOf(entry.junit) ?? [])]
    const compared = around.compared
    return {
      id,
      priority: entry.priority ?? 0,
      retries: retries ?? entry.retries ?? usual,
      timeoutMs: timeoutMs ?? toMs(entry.timeout ?? head.timeout) ?? TIMEOUT_MS,
      ...(head.restartOnError === false ? { restartOnError: false as const } : {}),
      land: false,
      ...(side === 'base' && compared !== null ? { base: compared } : {}),
      ...(entry.uses ? { uses: entry.uses } : {}),
      ...(artifacts.length > 0 ? { artifacts } : {}),
      ...(junit.length > 0 ? { junit } : {}),
      env: { ...toEnv(head.env), ...toEnv(entry.env), ...variantVariables(variant.values) },
    }
  }

  function newEntry(
    { entry, variant, side }: Execution,
    runs: SuiteEntry['runs'],
    shard: SuiteEntry['shard'],
  ): SuiteEntry {
    const { values, repetition } = variant
    const parts = [entry.id, ...Object.values(values), repetition, shard?.number, side === 'base' ? 'base' : null]
    const name = parts.filter((part) => part !== null && part !== undefined).join('-')
    const quarantined = entry.quarantine ?? head.quarantine?.includes(entry.id) ?? false
    const id = newId(name)
    return { id, entry: entry.id, tasks: [], runs, variant: values, repetition, shard, side, quarantined }
  }

  function newId(wanted: string): string {
    const plain = plainName(wanted).replace(/-$/, '') || 'entry'
    for (let n = 1; ; n++) {
      const suffix = n === 1 ? '' : `-${n}`
      const id = `${plain.slice(0, MAX_ID - suffix.length)}${suffix}`
      if (taken.has(id)) continue
      taken.add(id)
      return id
    }
  }

  function push(entry: SuiteEntry, tasks: Task[]): void {
    entries.push({ ...entry, tasks: tasks.map(({ id }) => id) })
    allTasks.push(...tasks)
  }

  /** An entry waits for all that the other one has become: of its own tree, where two are compared. */
  function connect(): void {
    const byTask = new Map(allTasks.map((task) => [task.id, task]))
    const needsOf = new Map(given.entries.map(({ id, needs }) => [id, needs ?? []]))
    for (const { entry, tasks, side } of entries) {
      const needed = (needsOf.get(entry) ?? []).flatMap((need) =>
        entries.filter((other) => other.entry === need && other.side === side).flatMap((other) => other.tasks),
      )
      if (needed.length === 0) continue
      for (const id of tasks) {
        const task = byTask.get(id)
        if (task) task.needs = [...task.needs, ...needed]
      }
    }
  }
}

const NO_RUNNER = 'no test runner was found: say how its files are run, such as `run: node --test {files}`'

/** Longest id: see ID_PATTERN. */
const MAX_ID = 63

/**
 * A plan file as an entry: its tasks, one after the other in one worktree, judged by their checks. Nothing of it lands, and nothing
 * is written into the file. `agent` and `model`: of the entry or its variant; they go above what the plan says.
 */
function readPlanEntry(
  entry: EntryInput,
  files: readonly PlanFile[],
  { settings, agents }: SuiteSurroundings,
  { agent, model }: Record<'agent' | 'model', string | undefined>,
): Result<{ tasks: Task[]; setup: string[]; warnings: Problem[] }> {
  const { plan: name = '', format } = entry
  const part = partOf(entry.batch_range)
  const overrule = agent === undefined ? {} : { agent }
  // A range implies a batch plan: only these have batches.
  const how = part === undefined ? { format } : { format: format ?? 'batch-plan', part }
  const read = readPlanFiles(files, name, settings, { agents, overrule, redo: true, ...how })
  if (!read.ok) return read
  const { plan, settings: said, warnings } = read.value
  if (plan.tasks.length === 0) return refuse(problem('there is nothing in it to run', { file: name }))
  const tasks = plan.tasks.map((task) => {
    const { work } = task
    return model === undefined || work.kind === 'command' ? task : { ...task, work: { ...work, model } }
  })
  return ok({ tasks, setup: listOf(said.setup) ?? [], warnings })
}

function partOf(range: EntryInput['batch_range']): string | undefined {
  const text = String(range ?? 'all').trim()
  return text === 'all' ? undefined : text.replaceAll(/\s/g, '')
}

/** Axes in the order they are written, the last one changing first. `repeat`: of a flag, goes before that of the matrix. */
function variantsOf(matrix: EntryInput['matrix'], repeat?: number): Variant[] {
  const { repeat: written, ...axes } = matrix ?? {}
  let all: Record<string, string>[] = [{}]
  for (const [axis, values] of Object.entries(axes))
    all = all.flatMap((one) => [values].flat().map((value) => ({ ...one, [axis]: String(value) })))
  const times = repeat ?? (typeof written === 'number' ? written : 1)
  if (times === 1) return all.map((values) => ({ values, repetition: null }))
  return all.flatMap((values) => Array.from({ length: times }, (_, n) => ({ values, repetition: n + 1 })))
}

/** Puts values of the variant into a command and its environment: `{node}` and `ESPALIER_MATRIX_NODE`. */
function filledCommand(command: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((text, [axis, value]) => text.replaceAll(`{${axis}}`, value), command)
}

function variantVariables(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([axis, value]) => [`ESPALIER_MATRIX_${axis.toUpperCase()}`, value]),
  )
}
