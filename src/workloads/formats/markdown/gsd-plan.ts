// GSD's `*-PLAN.md`: a plan is a chain of tasks, and waits for the wave before its own. With a `*-SUMMARY.md` it is done.
import { basename } from 'node:path'
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { kindOf, shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import {
  type AcceptedChecks,
  checkOf,
  commandsIn,
  type FoundChecks,
  joined,
  NO_VERIFICATION,
} from '../checks/commands-in.ts'
import { pathsInField, pathsInProse } from '../claims.ts'
import type { Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextPart, contextText, headingOf, type PromptSection, promptText, prose } from '../prompt.ts'
import { elementsIn, type GsdDocument, type GsdStep, readGsd } from './gsd-document.ts'
import { LOOKED_AT_CHARS, textOf } from './lines.ts'
import { FrontFields, type FrontName, frontMatterText, MarkdownPlan, type Need, tellOfFences } from './plan.ts'

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

// The plans of a folder of GSD: what each is called, what it waits for, whether it is done.

type GsdPlan = GsdDocument & {
  fields: FrontFields
  epic: string
  /** `01-02`: number of the phase and of the plan. */
  label: string
  /** The number of the phase; one without a number comes last. */
  phaseOrder: number
  /** Null: it says nothing, and waits only for what it names. */
  wave: number | null
  dependsOn: FrontName[]
  files: string[]
  /** Its summary is there. */
  isDone: boolean
  top: Place
  find(name: string): GsdPlan | undefined
  isOfThisPhase(name: string): boolean
}

function isSummary({ file }: SourceFile): boolean {
  return /(?:^|[-/\\])SUMMARY\.md$/i.test(file)
}

function readGsdPlans(files: readonly SourceFile[], plan: MarkdownPlan): GsdPlan[] {
  const done = new Set(files.filter(isSummary).map(({ file }) => stemOf(file)))
  const epics = new OwnIds('plan')
  const byName = new Map<string, GsdPlan>()
  const plans: GsdPlan[] = []
  for (const file of files) {
    if (isSummary(file)) continue
    const read = readGsd(file)
    if (!read.ok) plan.errors(read.problems)
    else {
      tellOfFences(read.value.markdown, plan, file)
      plans.push(toPlan(read.value, { plan, epics, byName, isDone: done.has(stemOf(file.file)) }))
    }
  }
  for (const one of plans) {
    const first = byName.get(keyOf(one.label))
    if (first) plan.error(one.top, `there are two plans ${shown(one.label)}; the first is ${first.file.file}`)
    else byName.set(keyOf(one.label), one)
  }
  for (const one of plans) for (const name of otherNames(one)) if (!byName.has(name)) byName.set(name, one)
  if (plans.length === 0 && !plan.isRefused)
    plan.error({ line: 1, column: 1 }, 'there is no plan in it, only what plans left behind')
  return plans
}

type Surroundings = { plan: MarkdownPlan; epics: OwnIds; byName: Map<string, GsdPlan>; isDone: boolean }

function toPlan(document: GsdDocument, { plan, epics, byName, isDone }: Surroundings): GsdPlan {
  const { file, front, sections } = document
  const fields = new FrontFields(front, plan, file)
  const top = plan.place(file, 1)
  for (const name of ['phase', 'plan'])
    if (fields.text(name) === '')
      plan.error(top, `\`${name}\` is missing in the fields at its top, such as \`phase: 01-name\` and \`plan: 01\``)
  const wave = waveOf(fields.values.wave)
  if (wave === undefined)
    plan.error(fields.place(['wave']), `\`wave\` must be a whole number, not ${kindOf(fields.values.wave)}`)
  fields.noteUnknown(KNOWN, 'plan')
  if (sections.has('execution_context')) plan.ignore(top, '`<execution_context>`, which is for the commands of GSD')
  const phase = phaseNumber(fields)
  const label = `${padded(phase || fields.text('phase'))}-${padded(fields.text('plan'))}`
  return {
    ...document,
    fields,
    steps: document.steps.length > 0 ? document.steps : [wholeStep(document)],
    epic: epics.of(label),
    label,
    phaseOrder: phase === '' ? Number.MAX_SAFE_INTEGER : Number(phase),
    wave: wave ?? null,
    dependsOn: fields.names('depends_on'),
    files: fields.names('files_modified').map(({ text }) => text),
    isDone,
    top,
    find: (name) => byName.get(keyOf(name)) ?? byName.get(keyOf(`${label.slice(0, label.lastIndexOf('-'))}-${name}`)),
    isOfThisPhase: (name) => /^\d+$/.test(keyOf(name)) || (phase !== '' && keyOf(name).startsWith(`${keyOf(phase)}-`)),
  }
}

/** One without `<task>` is one task as a whole. */
function wholeStep({ body, front }: GsdDocument): GsdStep {
  const place = { line: front.lines + 1, column: 1 }
  return { name: '', isCheckpoint: false, type: '', fields: new Map(), text: body, ...place }
}

const KNOWN = new Set([
  ...['phase', 'plan', 'type', 'wave', 'depends_on', 'files_modified', 'autonomous', 'must_haves'],
])

function waveOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined
}

function phaseNumber(fields: FrontFields): string {
  return /^\d{1,9}(?:\.\d{1,9})?/.exec(fields.text('phase'))?.[0] ?? ''
}

function padded(text: string): string {
  return /^\d(?!\d)/.test(text) ? `0${text}` : text
}

/** As others may write it: with the name of the phase, or as its file is called. */
function otherNames({ front, file }: GsdPlan): string[] {
  return [keyOf(`${prose(front.fields.phase)}-${prose(front.fields.plan)}`), keyOf(basename(stemOf(file.file)))]
}

/** YAML reads `01` as 1, so leading zeros do not count. */
function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/(?:-plan)?(?:\.md)?$/, '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
}

function stemOf(file: string): string {
  return file.replace(/-?(?:PLAN|SUMMARY)\.md$/i, '')
}

// What the agent of one task of a GSD plan is told, and how its work is checked.

/** `asked`: the checkpoints between the task before and this one; `behind`: those after which nothing comes. */
type Surrounding = { asked: readonly GsdStep[]; behind: readonly GsdStep[]; isLast: boolean; about: string }

function gsdPrompt(plan: GsdPlan, step: GsdStep, { asked, behind, isLast, about }: Surrounding): string {
  const { fields, name } = step
  const action = fields.get('action')?.text ?? ''
  // One that is written in some other way is told as it is.
  const isPlain = action === '' && fields.size < 2
  const lead = isPlain ? step.text.trim() || `Plan ${plan.label}` : [name, action].filter(Boolean).join('\n\n')
  const others = [...fields].filter(([field]) => !isPlain && field !== 'name' && field !== 'action')
  return promptText(lead, [
    ...others.map(
      ([field, { text }]): PromptSection => [field === 'done' ? 'Done when' : headingOf(field), withoutTags(text)],
    ),
    ...asked.map(({ text }): PromptSection => ['Before this, the plan asks a person (nobody was asked)', text]),
    ...behind.map(({ text }): PromptSection => ['After this, the plan asks a person (nobody is asked)', text]),
    ...(isLast ? closing(plan) : []),
    ['What this is part of', about],
  ])
}

/** What is automated is a command, which the agent reads as one. */
function withoutTags(text: string): string {
  return text.replace(/<\/?automated>/gi, '').trim()
}

function closing({ sections }: GsdPlan): PromptSection[] {
  return [
    ['Verification of the whole plan', sections.get('verification') ?? ''],
    ['Success criteria of the whole plan', sections.get('success_criteria') ?? ''],
    ['When the plan is done', sections.get('output') ?? ''],
  ]
}

function gsdSurroundings({ label, sections, front, rest, steps, body }: GsdPlan): string[] {
  const mustHaves = prose(front.fields.must_haves)
  // Of a plan without tasks all of the text is the prompt already.
  const isToldAlready = steps[0]?.text === body
  const others = [...sections].filter(([name]) => !isToldAlready && !TOLD.has(name))
  return [
    `Plan ${label}`,
    sections.get('objective') ?? '',
    sections.get('context') ?? '',
    mustHaves && `What must be true in the end:\n${mustHaves}`,
    ...others.filter(([, text]) => text !== '').map(([name, text]) => `${headingOf(name)}:\n${contextPart(text)}`),
    isToldAlready ? '' : rest,
  ]
}

/** Those with a place of their own, and one that is for the commands of GSD. */
const TOLD = new Set(['objective', 'context', 'verification', 'success_criteria', 'output', 'execution_context'])

/** What `<automated>` holds is meant as a command; beside it, the lines that are one. */
function gsdVerify({ fields }: GsdStep, accepted: AcceptedChecks): FoundChecks {
  const field = fields.get('verify')
  if (!field) return NO_VERIFICATION
  const { found, rest } = elementsIn(field.lines)
  const own: FoundChecks = { verify: [], words: [], notRun: [] }
  for (const { name, lines, line } of found) {
    const text = textOf(lines).trim()
    if (text === '') continue
    const check = name === 'automated' && !text.startsWith('MISSING') ? checkOf(text, accepted) : null
    if (check === null) own.words.push(line)
    else if ('run' in check) own.verify.push(check.run)
    else own.notRun.push({ ...check.notRun, line })
  }
  return joined([own, commandsIn(rest, accepted)])
}
