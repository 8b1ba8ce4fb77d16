// GSD's `*-PLAN.md`: a chain of tasks that waits for the plans of the previous wave. A plan with a `*-SUMMARY.md` is done.
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
import { pathsInField, pathsInProse } from '../claims-from-paths.ts'
import type { Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextPart, contextText, headingOf, type PromptSection, promptText, prose } from '../prompt-from-fields.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './lines.ts'
import { type FrontMatter, frontMatterText, MarkdownPlan, type Need, readFrontMatter } from './plan-draft.ts'

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
  // Upper case only: `docs/plans/2026-01-01-login-plan.md` is not a GSD plan.
  resembles: (file) =>
    !isSummary(file) && (/-PLAN\.md$/.test(file.file) || /^<task(?:s|[ >])/m.test(file.text.slice(0, LOOKED_AT_CHARS))),
  alsoReads: isSummary,
  translate,
}

type GsdPlan = {
  file: SourceFile
  front: FrontMatter
  sections: Map<string, string>
  steps: Step[]
  /** The text between the elements. */
  rest: string
  epic: string
  /** Number of the phase and of the plan: `01-02`. */
  label: string
  /** Number of the phase: `01`. Empty if the file name begins with no number; such a plan comes last. */
  phase: string
  /** Null: not given; the plan waits only for those it names. */
  wave: number | null
  /** The open plans of the previous wave, in this phase or the previous one. */
  before: readonly GsdPlan[]
  /** True if there is a summary of the plan. */
  isDone: boolean
  top: Place
}

/** A `<task>`. A checkpoint, whose type begins with `checkpoint`, `manual` or `human`, is for a person. */
type Step = Place & { text: string; isCheckpoint: boolean; fields: Map<string, Part> }

type Context = { plan: MarkdownPlan; plans: readonly GsdPlan[]; byName: ReadonlyMap<string, GsdPlan> }

function translate(files: readonly SourceFile[], { checks }: TranslateOptions): Result<Translation> {
  const plan = new MarkdownPlan(files)
  if (plan.isRefused) return plan.finish()
  const plans = readGsdPlans(files, plan)
  // A plan whose number includes that of its phase (`plan: 04-01`) is referred to by its file name.
  const named = plans.map((one) => [keyOf(basename(stemOf(one.file.file))), one] as const)
  const byName = new Map([...named, ...plans.toReversed().map((one) => [keyOf(one.label), one] as const)])
  for (const one of plans) {
    const first = byName.get(keyOf(one.label))
    if (first !== one) plan.error(one.top, `there are two plans ${shown(one.label)}; the first is ${first?.file.file}`)
  }
  if (plan.isRefused) return plan.finish()
  const count = plans.reduce((sum, { steps }) => sum + steps.length, 0)
  if (plan.tooMany(count)) return plan.finish()
  const [one, ...more] = plans
  // Several plans are named after their folder, which GSD names after their phase.
  if (one && more.length === 0) {
    const name = slug(`${prose(one.front.fields.phase)} ${one.label.split('-').at(-1)}`)
    plan.head({ name, objective: one.sections.get('objective')?.split('\n', 1)[0]?.trim() })
  }
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
  const about = contextText(surroundingsOf(one), count)
  const files = plan.names(one.front, 'files_modified').map(({ text }) => text)
  let before: Need[] = []
  let asked: Step[] = []
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
    const own = pathsInField((step.fields.get('files')?.text ?? '').replace(/^\s*[-*]\s+/gm, ''))
    const named = own.length > 0 ? own : files
    // The last task also writes the output of the whole plan.
    const output = isLast && named.length > 0 ? pathsInProse(one.sections.get('output') ?? '') : []
    if (!plan.mayAdd(named.length, place)) return
    plan.task(
      {
        id,
        title: nameOf(step),
        epic: one.epic,
        prompt: promptOf(one, step, { asked, isLast, about }),
        needs: before,
        verify: plan.checks(verificationOf(step, checks), one.file, source),
        ...plan.claims({ write: [...named, ...output], read: [] }, place, () => `task ${shown(source)}`),
      },
      place,
    )
    before = [{ id, place }]
    asked = []
  }
}

const FOR_A_PERSON = 'tasks for a person: nobody is asked, and the tasks behind them do not wait'

// The plans of a GSD folder: their names, needs and states.

function isSummary({ file }: SourceFile): boolean {
  return /(?:^|[-/\\])SUMMARY\.md$/i.test(file)
}

function readGsdPlans(files: readonly SourceFile[], plan: MarkdownPlan): GsdPlan[] {
  const done = new Set(files.filter(isSummary).map(({ file }) => stemOf(file)))
  const epics = new OwnIds('plan')
  const plans = files.flatMap((file): GsdPlan[] => {
    if (isSummary(file)) return []
    const read = readFrontMatter(file)
    if (!read.ok) {
      plan.errors(read.problems)
      return []
    }
    const front = read.value
    const markdown = readMarkdown(file.text)
    const text = markdown.lines.slice(front.lines).map((line) => line.text)
    const document = readDocument({ text: text.join('\n'), line: front.lines + 1, column: 1 }, (name, at) =>
      plan.error(plan.place(file, at.line, at.column), `\`<${name}>\` begins here and has no \`</${name}>\``),
    )
    const top = plan.place(file, 1)
    const [phase, number] = [prose(front.fields.phase), prose(front.fields.plan)]
    for (const [name, text] of Object.entries({ phase, plan: number }))
      if (text === '')
        plan.error(top, `\`${name}\` is missing in the fields at its top, such as \`phase: 01-name\` and \`plan: 01\``)
    const wave = Number(prose(front.fields.wave))
    if (!Number.isInteger(wave) || wave < 0)
      plan.error(plan.fieldPlace(front, ['wave']), `\`wave\` must be a whole number, not ${kindOf(front.fields.wave)}`)
    plan.noteOpenFence(markdown, file)
    plan.noteUnknown(front, KNOWN, 'plan')
    const phaseNumber = /^\d{1,9}(?:\.\d{1,9})?/.exec(phase)?.[0] ?? ''
    const label = `${padded(phaseNumber || phase)}-${padded(number)}`
    const isDone = done.has(stemOf(file.file))
    const order = { phase: phaseNumber, wave: front.fields.wave == null ? null : wave, before: [] }
    return [{ ...document, file, front, epic: epics.of(label), label, ...order, isDone, top }]
  })
  if (plans.length === 0 && !plan.isRefused)
    plan.error({ line: 1, column: 1 }, 'there is no plan in it, only what plans left behind')
  return plans
}

const KNOWN = new Set('phase plan type wave depends_on files_modified autonomous must_haves'.split(' '))

function padded(text: string): string {
  return /^\d(?!\d)/.test(text) ? `0${text}` : text
}

/** A name to compare by. YAML reads `01` as 1, so leading zeros do not count. */
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

// The prompt for one task of a GSD plan, and its verification.

/** `asked`: the checkpoints between the previous task and this one. */
type Surrounding = { asked: readonly Step[]; isLast: boolean; about: string }

function promptOf(plan: GsdPlan, step: Step, { asked, isLast, about }: Surrounding): string {
  const action = step.fields.get('action')?.text.trim() ?? ''
  // A task without `<action>` goes into the prompt as written.
  const lead = action === '' ? step.text.trim() || `Plan ${plan.label}` : [nameOf(step), action].join('\n\n').trim()
  const others = [...step.fields].filter(([field]) => action !== '' && field !== 'name' && field !== 'action')
  return promptText(lead, [
    ...others.map(([field, { text }]): PromptSection => {
      // Text in `<automated>` is a command, which needs no tag in a prompt.
      const words = text.replace(/<\/?automated>/gi, '').trim()
      return [field === 'done' ? 'Done when' : headingOf(field), words]
    }),
    ...asked.map(({ text }): PromptSection => ['Before this, the plan asks a person (nobody was asked)', text.trim()]),
    ...CLOSING.map(([heading, section]): PromptSection => [heading, isLast ? (plan.sections.get(section) ?? '') : '']),
    ['What this is part of', about],
  ])
}

function nameOf({ fields }: Step): string {
  return fields.get('name')?.text.trim() ?? ''
}

/** Sections for the prompt of the last task only. */
const CLOSING = [
  ['Verification of the whole plan', 'verification'],
  ['Success criteria of the whole plan', 'success_criteria'],
  ['When the plan is done', 'output'],
] as const

function surroundingsOf({ label, sections, front, rest }: GsdPlan): string[] {
  const mustHaves = prose(front.fields.must_haves)
  const others = [...sections].filter(([name, text]) => !TOLD.has(name) && text !== '')
  return [
    `Plan ${label}`,
    sections.get('objective') ?? '',
    sections.get('context') ?? '',
    mustHaves && `What must be true in the end:\n${mustHaves}`,
    ...others.map(([name, text]) => `${headingOf(name)}:\n${contextPart(text)}`),
    rest,
  ]
}

/** Sections that a prompt has elsewhere, and one that is for the commands of GSD. */
const TOLD = new Set([
  'objective',
  'context',
  'execution_context',
  ...CLOSING.map(([, section]) => section),
] as string[])

/** The checks of a task. Text in `<automated>` is always a command; other lines only if they look like one. */
function verificationOf({ fields }: Step, accepted: AcceptedChecks): FoundChecks {
  const field = fields.get('verify')
  if (!field) return NO_VERIFICATION
  const { found, rest } = elementsIn(field)
  const own: FoundChecks = { verify: [], words: [], notRun: [] }
  for (const { name, inside, line } of found) {
    const text = inside.text.trim()
    if (text === '') continue
    const check = name === 'automated' && !text.startsWith('MISSING') ? checkOf(text, accepted) : null
    if (check === null) own.words.push(line)
    else if ('run' in check) own.verify.push(check.run)
    else own.notRun.push({ ...check.notRun, line })
  }
  const lines = readMarkdown(rest).lines.map((one) => ({ ...one, number: one.number + field.line - 1 }))
  return joined([own, commandsIn(lines, accepted)])
}

// The elements of a `*-PLAN.md`, such as `<task type="auto">…</task>`. It is no XML: the text between tags is free, so tags count
// only outside of code blocks, at the start of a line or right after another element.

/** A part of the text with its place. */
type Part = Place & { text: string }

type Element = Place & { name: string; type: string; inside: Part }

type Unclosed = (name: string, place: Place) => void

function readDocument(whole: Part, unclosed: Unclosed): Pick<GsdPlan, 'sections' | 'steps' | 'rest'> {
  const sections = new Map<string, string>()
  const steps: Step[] = []
  const { found, rest } = elementsIn(whole, unclosed)
  const words = [rest]
  for (const element of found) {
    const within = element.name === 'tasks' ? elementsIn(element.inside, unclosed) : { found: [element], rest: '' }
    words.push(within.rest)
    for (const { name, type, inside, line, column } of within.found) {
      const text = inside.text.trim()
      if (name !== 'task') sections.set(name, [sections.get(name), text].filter(Boolean).join('\n\n'))
      else {
        const fields = new Map(elementsIn(inside, unclosed).found.map((field) => [field.name, field.inside]))
        steps.push({ line, column, text, isCheckpoint: /^(?:checkpoint|manual|human)/i.test(type), fields })
      }
    }
  }
  const between = words.map((text) => text.replace(/\n\s*\n/g, '\n\n').trim())
  if (steps.length > 0) return { sections, steps, rest: between.filter(Boolean).join('\n\n') }
  // A plan without `<task>` is one task, whose prompt is the whole text.
  const others = [...sections].filter(([name]) => TOLD.has(name))
  return { sections: new Map(others), steps: [{ ...whole, isCheckpoint: false, fields: new Map() }], rest: '' }
}

/** Finds the outermost elements. In `rest`, the text outside of them, every line keeps its number. */
function elementsIn(part: Part, unclosed: Unclosed = () => {}): { found: Element[]; rest: string } {
  const found: Element[] = []
  let rest = ''
  let { line, column } = part
  let position = 0
  const upTo = (end: number): Part => {
    const passed = { line, column, text: part.text.slice(position, end) }
    const lines = passed.text.split('\n')
    line += lines.length - 1
    column = (lines.length > 1 ? 1 : column) + (lines.at(-1)?.length ?? 0)
    position = end
    return passed
  }
  const visible = readMarkdown(part.text).lines.map(({ text, isQuoted }) => (isQuoted ? ' '.repeat(text.length) : text))
  const text = visible.join('\n')
  const tag = new RegExp(OPEN)
  for (let open = tag.exec(text); open; open = tag.exec(text)) {
    const { 1: name = '', 2: attributes = '' } = open
    const closing = new RegExp(`</${name}>`, 'gi')
    closing.lastIndex = tag.lastIndex
    const end = closing.exec(text)
    rest += upTo(open.index).text
    const place = upTo(tag.lastIndex)
    if (!end) {
      unclosed(name.toLowerCase(), place)
      break
    }
    const type = /\stype\s*=\s*(["'])(.*?)\1/i.exec(attributes)?.[2] ?? ''
    found.push({ name: name.toLowerCase(), type, line: place.line, column: place.column, inside: upTo(end.index) })
    tag.lastIndex = closing.lastIndex
    upTo(closing.lastIndex)
    rest += '\n'.repeat(line - place.line)
  }
  return { found, rest: rest + part.text.slice(position) }
}

const OPEN = /(?<=^[ \t]*|<\/[a-z][\w-]{0,40}>[ \t]*)<([a-z][\w-]{0,40})((?:\s[^<>]{0,500})?)>/gim
