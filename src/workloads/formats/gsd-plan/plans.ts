// The plans of a folder of GSD: what each is called, what it waits for, whether it is done.
import { basename } from 'node:path'
import { kindOf, shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { SourceFile } from '../format.ts'
import { FrontFields, type FrontName } from '../markdown/front-matter.ts'
import type { MarkdownPlan } from '../markdown/markdown-draft.ts'
import { tellOfFences } from '../markdown/warn-about-code-blocks.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import { type GsdDocument, type GsdStep, readGsd } from './document.ts'

export type GsdPlan = GsdDocument & {
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

export function isSummary({ file }: SourceFile): boolean {
  return /(?:^|[-/\\])SUMMARY\.md$/i.test(file)
}

export function readGsdPlans(files: readonly SourceFile[], plan: MarkdownPlan): GsdPlan[] {
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
