// The plans of a folder of GSD: what each is called, what it waits for, whether it is done.
import { basename } from 'node:path'
import { kindOf, shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { SourceFile } from '../format.ts'
import { tellOfFences } from '../markdown/fence-remarks.ts'
import { type FrontLists, type FrontName, frontNames } from '../markdown/front-matter.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { OwnIds } from '../own-ids.ts'
import { prose } from '../prompt/text.ts'
import { stateOf } from '../state/status-words.ts'
import { type GsdDocument, readGsd } from './document.ts'

export type GsdPlan = GsdDocument & {
  epic: string
  /** `01-02`: number of the phase and of the plan. */
  label: string
  /** The number of the phase; one without a number comes last. */
  phaseOrder: number
  /** Null: it says nothing, and waits only for what it names. */
  wave: number | null
  wavePlace: Place
  dependsOn: FrontName[]
  /** `files_modified` */
  files: string[]
  isDone: boolean
  /** By `status` at its top. */
  isLeftOut: boolean
  top: Place
  at(line: number, column: number): Place
  /** The plan that one of its `depends_on` means. */
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
      tellOfFences({ ...read.value.markdown, quotedTasks: [] }, plan, file)
      plans.push(toPlan(read.value, { plan, epics, byName, done }))
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

type Surroundings = { plan: MarkdownPlan; epics: OwnIds; byName: Map<string, GsdPlan>; done: Set<string> }

function toPlan(document: GsdDocument, { plan, epics, byName, done }: Surroundings): GsdPlan {
  const { file, front } = document
  const { fields, locate } = front
  const at = (line: number, column: number): Place => plan.place(file, line, column)
  const placeOf = (place: Place): Place => at(place.line, place.column)
  for (const name of ['phase', 'plan'])
    if (prose(fields[name]) === '')
      plan.error(
        at(1, 1),
        `\`${name}\` is missing in the fields at its top: \`phase: 01-name\` and \`plan: 01\` say which plan it is`,
      )
  const label = labelOf(fields)
  const phase = phaseNumber(fields)
  const [wavePlace = { line: 1, column: 1 }] = locate([{ path: ['wave'], at: 'value' }])
  const wave = waveOf(fields.wave)
  if (wave === undefined) plan.error(placeOf(wavePlace), `\`wave\` must be a whole number, not ${kindOf(fields.wave)}`)
  noteUnknown(document, plan, placeOf)
  const isDone = done.has(stemOf(file.file))
  if (!isDone) tellOfStatus(document, label, { plan, placeOf })
  if (document.hasPatterns)
    plan.assume(at(1, 1), 'a backslash in quotes at its top is read as it stands, although YAML knows no such escape')
  return {
    ...document,
    steps: stepsOf(document),
    epic: epics.of(label),
    label,
    phaseOrder: phase === '' ? Number.MAX_SAFE_INTEGER : Number(phase),
    wave: wave ?? null,
    wavePlace: placeOf(wavePlace),
    dependsOn: frontNames(front, 'depends_on', { plan, placeOf }),
    files: frontNames(front, 'files_modified', { plan, placeOf }).map(({ text }) => text),
    isDone,
    isLeftOut: !isDone && stateOf(prose(fields.status), { done: [] }) === 'skipped',
    top: at(1, 1),
    at,
    find: (name) => byName.get(keyOf(name)) ?? byName.get(keyOf(`${label.slice(0, label.lastIndexOf('-'))}-${name}`)),
    isOfThisPhase: (name) => {
      const key = keyOf(name)
      return /^\d+$/.test(key) || (phase !== '' && key.startsWith(`${keyOf(phase)}-`))
    },
  }
}

/** A plan is done when its summary is there; only what is not to be done is left out by its status. */
function tellOfStatus({ front }: GsdDocument, label: string, { plan, placeOf }: FrontLists): void {
  const status = prose(front.fields.status)
  const state = stateOf(status, { done: [] })
  const [place = { line: 1, column: 1 }] = front.locate([{ path: ['status'], at: 'value' }])
  const is = `plan ${shown(label)} is ${shown(status)}`
  if (state === 'skipped') plan.assume(placeOf(place), `${is}: left out, and nothing waits for it`)
  if (state === 'done') plan.warn(placeOf(place), `${is}, but has no \`*-SUMMARY.md\` beside it: it is run`)
}

/** One without `<task>` is one task as a whole. */
function stepsOf({ steps, body, front }: GsdDocument): GsdDocument['steps'] {
  if (steps.length > 0) return steps
  return [
    {
      name: '',
      isCheckpoint: false,
      state: 'open',
      status: '',
      type: '',
      fields: new Map(),
      text: body,
      line: front.lines + 1,
      column: 1,
    },
  ]
}

const KNOWN = new Set(['phase', 'plan', 'type', 'wave', 'depends_on', 'files_modified', 'autonomous', 'must_haves'])

function noteUnknown({ front, sections }: GsdDocument, plan: MarkdownPlan, placeOf: (place: Place) => Place): void {
  const isKnown = stateOf(prose(front.fields.status), { done: [] }) !== 'open'
  const names = Object.keys(front.fields).filter((name) => !KNOWN.has(name) && !(name === 'status' && isKnown))
  const places = front.locate(names.map((name) => ({ path: [name], at: 'name' as const })))
  for (const [i, name] of names.entries())
    plan.ignore(placeOf(places[i] ?? { line: 1, column: 1 }), `${shown(name)} at the top of a plan`)
  if (sections.has('execution_context'))
    plan.ignore(placeOf({ line: 1, column: 1 }), '`<execution_context>`, which is for the commands of GSD')
}

/** undefined where it is something else. */
function waveOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined
}

/** `03.1-urgent` is phase 3.1. */
function phaseNumber(fields: Record<string, unknown>): string {
  return /^\d{1,9}(?:\.\d{1,9})?/.exec(prose(fields.phase))?.[0] ?? ''
}

function labelOf(fields: Record<string, unknown>): string {
  const padded = (text: string): string => (/^\d(?!\d)/.test(text) ? `0${text}` : text)
  const phase = phaseNumber(fields) || prose(fields.phase)
  return `${padded(phase)}-${padded(prose(fields.plan))}`
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
