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
import { frontMatterText, MarkdownPlan, type Need } from './plan.ts'

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

type GsdPlan = GsdDocument & {
  epic: string
  /** `01-02`: number of the phase and of the plan. */
  label: string
  /** `01`; empty where its name does not begin with a number, and then it comes last. */
  phase: string
  /** Null: it says nothing, and waits only for what it names. */
  wave: number | null
  /** The open plans of the wave before, in this phase or the one before. */
  before: readonly GsdPlan[]
  /** Its summary is there. */
  isDone: boolean
  top: Place
}

type Context = { plan: MarkdownPlan; plans: readonly GsdPlan[]; byName: ReadonlyMap<string, GsdPlan> }

function translate(files: readonly SourceFile[], { checks }: TranslateOptions): Result<Translation> {
  const plan = new MarkdownPlan(files)
  if (plan.isRefused) return plan.finish()
  const plans = readGsdPlans(files, plan)
  const byName = namesOf(plans, plan)
  if (plan.isRefused) return plan.finish()
  const count = plans.reduce((sum, { steps }) => sum + steps.length, 0)
  if (plan.tooMany(count)) return plan.finish()
  readHead(plans, plan)
  const open = plans.filter(isOpen)
  const inOrder = open
    .filter(({ wave }) => wave !== null)
    .sort((a, b) => orderOf(a) - orderOf(b) || (a.wave ?? 0) - (b.wave ?? 0))
  let before: GsdPlan[] = []
  for (const wave of Map.groupBy(inOrder, (one) => `${orderOf(one)} ${one.wave}`).values()) {
    for (const one of wave) one.before = before
    before = wave
  }
  for (const one of open) {
    const needs = needsOf(one, { plan, plans, byName })
    plan.epic({ id: one.epic, title: `Plan ${one.label}`, needs }, one.top, one.label)
  }
  const ids = new OwnIds('task')
  for (const one of plans) addTasks(one, { plan, ids, count, checks })
  return plan.finish()
}

function isOpen({ isDone, steps }: GsdPlan): boolean {
  return !isDone && steps.some(({ isCheckpoint }) => !isCheckpoint)
}

function orderOf({ phase }: GsdPlan): number {
  return phase === '' ? Number.MAX_SAFE_INTEGER : Number(phase)
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

function needsOf(one: GsdPlan, { plan, plans, byName }: Context): Need[] {
  const { phase, label, before, front } = one
  const named = plan.names(front, 'depends_on').flatMap(({ text, place }): Need[] => {
    const key = keyOf(text)
    const other = byName.get(key) ?? byName.get(keyOf(`${label.slice(0, label.lastIndexOf('-'))}-${text}`))
    const isOfThisPhase = /^\d+$/.test(key) || (phase !== '' && key.startsWith(`${keyOf(phase)}-`))
    if (other) return isOpen(other) ? [{ id: other.epic, place }] : []
    if (plans.length > 1 && isOfThisPhase)
      plan.error(place, `there is no plan ${shown(text)} in this phase to depend on`)
    else plan.assume(place, 'plans that are not among these files are taken as done', text)
    return []
  })
  const place = plan.fieldPlace(front, ['wave'])
  return plan.mayAdd(before.length, place) ? [...named, ...before.map(({ epic }) => ({ id: epic, place }))] : []
}

type Adding = { plan: MarkdownPlan; ids: OwnIds; count: number; checks: AcceptedChecks }

function addTasks(one: GsdPlan, { plan, ids, count, checks }: Adding): void {
  const last = one.steps.findLast(({ isCheckpoint }) => !isCheckpoint)
  const about = contextText(gsdSurroundings(one), count)
  const files = plan.names(one.front, 'files_modified').map(({ text }) => text)
  let before: Need[] = []
  let asked: GsdStep[] = []
  for (const [i, step] of one.steps.entries()) {
    const source = `${one.label}-${i + 1}`
    const id = ids.of(source)
    const place = plan.place(one.file, step.line, step.column)
    const state = one.isDone ? 'done' : step.isCheckpoint ? 'skipped' : 'open'
    plan.entries.push({ task: id, source, state })
    if (state === 'skipped') {
      plan.warn(place, FOR_A_PERSON, source)
      asked.push(step)
    }
    if (state !== 'open') continue
    const isLast = step === last
    const own = (step.fields.get('files')?.text ?? '')
      .split('\n')
      .flatMap((line) => pathsInField(line.replace(/^\s*[-*]\s+/, '')))
    const named = own.length > 0 ? own : files
    // The last one also writes what the plan is to leave behind.
    const output = isLast && named.length > 0 ? pathsInProse(one.sections.get('output') ?? '') : []
    if (!plan.mayAdd(named.length, place)) return
    const behind = isLast ? one.steps.slice(i + 1).filter(({ isCheckpoint }) => isCheckpoint) : []
    plan.task(
      {
        id,
        title: step.name,
        epic: one.epic,
        prompt: gsdPrompt(one, step, { asked, behind, isLast, about }),
        needs: before,
        verify: plan.checks(gsdVerify(step, checks), one.file, source),
        ...plan.claims({ write: [...named, ...output], read: [] }, place, `task ${shown(source)}`),
      },
      place,
    )
    before = [{ id, place }]
    asked = []
  }
}

const FOR_A_PERSON = 'tasks for a person: nobody is asked, and the tasks behind them do not wait'

// The plans of a folder of GSD: what each is called, what it waits for, whether it is done.

function isSummary({ file }: SourceFile): boolean {
  return /(?:^|[-/\\])SUMMARY\.md$/i.test(file)
}

function readGsdPlans(files: readonly SourceFile[], plan: MarkdownPlan): GsdPlan[] {
  const done = new Set(files.filter(isSummary).map(({ file }) => stemOf(file)))
  const epics = new OwnIds('plan')
  const plans = files.flatMap((file): GsdPlan[] => {
    const document = isSummary(file) ? null : readGsd(file, plan)
    if (!document) return []
    const { front, sections, markdown } = document
    const top = plan.place(file, 1)
    const [phase, number] = [prose(front.fields.phase), prose(front.fields.plan)]
    for (const [name, text] of Object.entries({ phase, plan: number }))
      if (text === '')
        plan.error(top, `\`${name}\` is missing in the fields at its top, such as \`phase: 01-name\` and \`plan: 01\``)
    const wave = Number(prose(front.fields.wave))
    if (!Number.isInteger(wave) || wave < 0)
      plan.error(plan.fieldPlace(front, ['wave']), `\`wave\` must be a whole number, not ${kindOf(front.fields.wave)}`)
    plan.noteCodeBlocks(markdown, file)
    plan.noteUnknown(front, KNOWN, 'plan')
    if (sections.has('execution_context')) plan.ignore(top, '`<execution_context>`, which is for the commands of GSD')
    const phaseNumber = /^\d{1,9}(?:\.\d{1,9})?/.exec(phase)?.[0] ?? ''
    const label = `${padded(phaseNumber || phase)}-${padded(number)}`
    const isDone = done.has(stemOf(file.file))
    const order = { phase: phaseNumber, wave: front.fields.wave == null ? null : wave, before: [] }
    return [{ ...document, epic: epics.of(label), label, ...order, isDone, top }]
  })
  if (plans.length === 0 && !plan.isRefused)
    plan.error({ line: 1, column: 1 }, 'there is no plan in it, only what plans left behind')
  return plans
}

/** By their labels, and as others may write them: with the name of the phase, or as the file is called. */
function namesOf(plans: readonly GsdPlan[], plan: MarkdownPlan): Map<string, GsdPlan> {
  const byName = new Map<string, GsdPlan>()
  for (const one of plans) {
    const first = byName.get(keyOf(one.label))
    if (first) plan.error(one.top, `there are two plans ${shown(one.label)}; the first is ${first.file.file}`)
    else byName.set(keyOf(one.label), one)
  }
  for (const one of plans) {
    const { fields } = one.front
    for (const name of [`${prose(fields.phase)}-${prose(fields.plan)}`, basename(stemOf(one.file.file))])
      if (!byName.has(keyOf(name))) byName.set(keyOf(name), one)
  }
  return byName
}

const KNOWN = new Set([
  ...['phase', 'plan', 'type', 'wave', 'depends_on', 'files_modified', 'autonomous', 'must_haves'],
])

function padded(text: string): string {
  return /^\d(?!\d)/.test(text) ? `0${text}` : text
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
    ...CLOSING.map(([heading, section]): PromptSection => [heading, isLast ? (plan.sections.get(section) ?? '') : '']),
    ['What this is part of', about],
  ])
}

/** What is automated is a command, which the agent reads as one. */
function withoutTags(text: string): string {
  return text.replace(/<\/?automated>/gi, '').trim()
}

/** What the last task is told besides. */
const CLOSING = [
  ['Verification of the whole plan', 'verification'],
  ['Success criteria of the whole plan', 'success_criteria'],
  ['When the plan is done', 'output'],
] as const

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
const TOLD = new Set([
  'objective',
  'context',
  'execution_context',
  ...CLOSING.map(([, section]) => section),
] as string[])

/** Text in `<automated>` is always a command; of the other lines only those that look like one. */
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
