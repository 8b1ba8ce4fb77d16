// GSD's `*-PLAN.md`: a plan is a chain of tasks, and waits for the wave before its own. With a `*-SUMMARY.md` it is done.
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { AcceptedChecks } from '../checks/commands-in.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { frontMatterText } from '../markdown/front-matter.ts'
import { MarkdownPlan, type Need } from '../markdown/markdown-draft.ts'
import { LOOKED_AT_CHARS } from '../markdown/parse-lines.ts'
import { pathsInField } from '../paths/field.ts'
import { pathsInProse } from '../paths/prose.ts'
import { contextText, prose } from '../task-prompt/compose-prompt.ts'
import type { GsdStep } from './document.ts'
import { type GsdPlan, isSummary, readGsdPlans } from './plans.ts'
import { gsdPrompt, gsdSurroundings, gsdVerify } from './prompt.ts'

export const gsdPlan: Format = {
  name: 'gsd-plan',
  title: "GSD's *-PLAN.md",
  sign: 'the fields `phase` and `plan` at its top',
  kind: 'markdown',
  words: { task: 'task', epic: 'plan' },
  manyFiles: true,
  recognises: (file) => {
    const front = isSummary(file) ? null : frontMatterText(file.text)
    return front !== null && /^phase[ \t]*:/m.test(front) && /^plan[ \t]*:/m.test(front)
  },
  // In capitals: `docs/plans/2026-01-01-login-plan.md` is somebody else's.
  resembles: (file) =>
    !isSummary(file) && (/-PLAN\.md$/.test(file.file) || /^<task(?:s|[ >])/m.test(file.text.slice(0, LOOKED_AT_CHARS))),
  alsoReads: isSummary,
  translate,
}

type Context = {
  plan: MarkdownPlan
  plans: readonly GsdPlan[]
  open: ReadonlySet<GsdPlan>
  before: Map<GsdPlan, GsdPlan[]>
}

function translate(files: readonly SourceFile[], { checks }: TranslateOptions): Result<Translation> {
  const plan = new MarkdownPlan(files)
  if (plan.isRefused) return plan.finish()
  const plans = readGsdPlans(files, plan)
  if (plan.isRefused) return plan.finish()
  const count = plans.reduce((sum, { steps }) => sum + steps.length, 0)
  if (plan.tooMany(count)) return plan.finish()
  const open = plans.filter(({ isDone, steps }) => !isDone && steps.some(({ isCheckpoint }) => !isCheckpoint))
  const context: Context = { plan, plans, open: new Set(open), before: wavesBefore(open) }
  readHead(plans, plan)
  for (const one of open)
    plan.epic({ id: one.epic, title: `Plan ${one.label}`, needs: needsOf(one, context) }, one.top, one.label)
  const ids = new OwnIds('task')
  for (const one of plans) addTasks(one, { plan, ids, count, checks })
  return plan.finish()
}

/** Called as its phase, if that has a name; plans of several phases are called as their folder. */
function readHead(plans: readonly GsdPlan[], plan: MarkdownPlan): void {
  const [first] = plans
  if (!first) return
  const phases = new Set(plans.map(({ front }) => prose(front.fields.phase)))
  const phase = prose(first.front.fields.phase)
  if (phases.size === 1 && /[a-z]/i.test(phase))
    plan.head({ name: slug(plans.length === 1 ? `${phase} ${first.label.split('-').at(-1)}` : phase) })
  if (plans.length === 1) plan.head({ objective: first.sections.get('objective')?.split('\n', 1)[0]?.trim() })
}

function needsOf(one: GsdPlan, { plan, plans, open, before }: Context): Need[] {
  const named = one.dependsOn.flatMap(({ text, place }): Need[] => {
    const other = one.find(text)
    if (other) return open.has(other) ? [{ id: other.epic, place }] : []
    if (plans.length > 1 && one.isOfThisPhase(text))
      plan.error(place, `there is no plan ${shown(text)} in this phase to depend on`)
    else plan.assume(place, `plan ${shown(text)} is not among these files: it is taken as done`)
    return []
  })
  const wave = before.get(one) ?? []
  const place = one.fields.place(['wave'])
  return plan.mayNeed(wave.length, place) ? [...named, ...wave.map(({ epic }) => ({ id: epic, place }))] : []
}

/** For every plan with a wave the open plans of the group before; groups are the waves of a phase, phase by phase. */
function wavesBefore(open: readonly GsdPlan[]): Map<GsdPlan, GsdPlan[]> {
  const ordered = open.filter(({ wave }) => wave !== null).sort(compare)
  const before = new Map<GsdPlan, GsdPlan[]>()
  let last: GsdPlan[] = []
  let current: GsdPlan[] = []
  for (const one of ordered) {
    if (current[0] && compare(current[0], one) !== 0) {
      last = current
      current = []
    }
    current.push(one)
    before.set(one, last)
  }
  return before
}

function compare(a: GsdPlan, b: GsdPlan): number {
  return a.phaseOrder - b.phaseOrder || (a.wave ?? 0) - (b.wave ?? 0)
}

type Adding = { plan: MarkdownPlan; ids: OwnIds; count: number; checks: AcceptedChecks }

function addTasks(one: GsdPlan, { plan, ids, count, checks }: Adding): void {
  const last = one.steps.findLast(({ isCheckpoint }) => !isCheckpoint)
  const about = contextText(gsdSurroundings(one), count)
  let before: Need[] = []
  let asked: GsdStep[] = []
  for (const [i, step] of one.steps.entries()) {
    const source = `${one.label}-${i + 1}`
    const id = ids.of(source)
    const place = plan.place(one.file, step.line, step.column)
    const state = one.isDone ? 'done' : step.isCheckpoint ? 'skipped' : 'open'
    plan.entries.push({ task: id, source, state })
    if (state !== 'open') {
      const kind = step.type.replace(/^checkpoint:?/, '') || 'checkpoint'
      if (state === 'skipped')
        plan.warn(place, `this is for a person (${kind}): nobody is asked, and the tasks behind it do not wait for it`)
      if (step.isCheckpoint) asked.push(step)
      continue
    }
    const isLast = step === last
    const write = writtenPaths(one, step, isLast)
    if (!plan.mayClaim(write.length, place)) return
    const behind = isLast ? one.steps.slice(i + 1).filter(({ isCheckpoint }) => isCheckpoint) : []
    plan.task(
      {
        id,
        title: step.name,
        epic: one.epic,
        prompt: gsdPrompt(one, step, { asked, behind, isLast, about }),
        needs: before,
        verify: plan.checks(gsdVerify(step, checks), one.file),
        ...plan.claims({ write, read: [] }, place, `task ${shown(source)}`),
      },
      place,
    )
    before = [{ id, place }]
    asked = []
  }
}

/** Its own, or those of the plan where it names none; the last one also writes what the plan is to leave behind. */
function writtenPaths({ files, sections }: GsdPlan, { fields }: GsdStep, isLast: boolean): string[] {
  const own = (fields.get('files')?.text ?? '')
    .split('\n')
    .flatMap((line) => pathsInField(line.replace(/^\s*[-*]\s+/, '')))
  const output = isLast ? pathsInProse(sections.get('output') ?? '') : []
  return own.length > 0 ? [...own, ...output] : files.length > 0 ? [...files, ...output] : []
}
