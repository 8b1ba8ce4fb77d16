// Espalier's own plan: from the text of a file to tasks with every default filled in, or to all that is wrong with
// it. Pure: what the machine and the user say comes in as settings.
import { basename, extname } from 'node:path'
import { type LayerSettings, LIMITS, type Settings } from '../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../problem.ts'
import type { Plan } from '../task.ts'
import { pathsOfNul } from './control-character.ts'
import { type Kind, readDocument } from './document.ts'
import { expandEpicNeeds } from './epic-needs.ts'
import { listOf, toEnv, toMs } from './field.ts'
import { addError, errorsOf, newFindings, warningsOf } from './findings.ts'
import { toLanding } from './landing-fields.ts'
import { checkCycles } from './plan-cycles.ts'
import { toDraft } from './plan-draft.ts'
import { checkReferences } from './plan-references.ts'
import { checkAgents, readWritten, SMALLEST_PLAN, type Written, warnOfReserved } from './plan-written.ts'
import { isMapping } from './schema-check.ts'
import { slug } from './slug.ts'
import { fillingOf, type Overrule } from './to-task.ts'

export type ReadPlan = { plan: Plan; settings: LayerSettings; warnings: Problem[] }

export type ReadPlanOptions = {
  /** The agents there are. */
  agents?: readonly string[]
  /**
   * What the environment and the flags say, which goes above the plan: `agent` is then the agent of every task that
   * has a prompt, `retries` and `timeoutMs` go above the plan's defaults, but not above what a task says itself.
   */
  overrule?: Overrule
}

const KIND: Kind = {
  called: 'a plan',
  hint: SMALLEST_PLAN,
  mustHave: 'tasks',
  maxBytes: LIMITS.planBytes,
}

export function readPlan(
  text: string,
  file: string,
  defaults: Settings,
  { agents = ['command'], overrule = {} }: ReadPlanOptions = {},
): Result<ReadPlan> {
  const read = readDocument(text, file, KIND)
  if (!read.ok) return read
  const document = read.value
  if (!isMapping(document.value)) {
    const message = `this is not a plan: ${KIND.hint}`
    return refuse(problem(message, { file, line: 1, column: 1 }))
  }
  const findings = newFindings()
  // A text in the file cannot hold NUL itself, only an escape for it.
  if (/\\(u0000|U00000000|x00|0)/.test(text))
    for (const path of pathsOfNul(document.value)) addError(findings, path, 'this text holds a NUL character')

  const written = readWritten(document.value, findings)
  if (findings.cutShort) return refuse(...errorsOf(findings, document, file))
  if (overrule.agent == null) checkAgents(written, agents, findings)
  warnOfReserved(written, findings)
  const epics = new Map(written.epics.flatMap((epic) => (epic?.id === undefined ? [] : [[epic.id, epic] as const])))
  const draft = toDraft(written, fillingOf(written.head, written.defaults, epics, defaults, overrule), findings)
  checkReferences(draft, findings)
  checkCycles(draft, findings)
  if (findings.errors.length === 0) {
    expandEpicNeeds(draft, findings)
    for (const task of draft.tasks) {
      if (task.needs.length > 1) task.needs = unique(task.needs)
      if (task.after.length > 1) task.after = unique(task.after)
    }
  }
  if (findings.errors.length > 0)
    return refuse(...errorsOf(findings, document, file), ...warningsOf(findings, document, file))
  const name = written.head.name ?? slug(basename(file, extname(file)))
  const { objective, base = null } = written.head
  const purpose = objective === undefined ? {} : { objective: objective.trim() }
  const plan: Plan = { name, ...purpose, base, epics: draft.epics, tasks: draft.tasks }
  return ok({ plan, settings: toSettings(written), warnings: warningsOf(findings, document, file) })
}

/** What the plan says about the run rather than about its tasks. */
function toSettings({ head, defaults }: Written): LayerSettings {
  const settings: LayerSettings = {
    maxConcurrency: head.maxConcurrency,
    maxPerEpic: head.maxPerEpic,
    schedule: head.schedule,
    strict: head.strict,
    claims: head.claims,
    agent: defaults.agent ?? head.agent,
    command: head.command,
    retries: defaults.retries,
    timeoutMs: toMs(defaults.timeout),
    keep: head.keep,
    setup: listOf(head.setup),
    setupInputs: head.setupInputs,
    landing: landingOf(head),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** What holds for every task holds for the commands that verify their work together, too. */
function landingOf({ landing, env }: Written['head']): LayerSettings['landing'] {
  const said = toLanding(landing)
  return env ? { ...said, env: { ...toEnv(env), ...said?.env } } : said
}

function unique(names: string[]): string[] {
  const set = new Set(names)
  return set.size === names.length ? names : [...set]
}
