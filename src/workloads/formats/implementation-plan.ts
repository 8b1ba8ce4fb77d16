// `implementation_plan.json`: phases that depend on phases, each with subtasks. A phase becomes an epic; one that is
// not parallel-safe is a chain of its subtasks.
import { LIMITS } from '../../config.ts'
import type { Result } from '../../problem.ts'
import { shown } from '../field.ts'
import type { Path } from '../place.ts'
import { isMapping } from '../schema-check.ts'
import { slug } from '../slug.ts'
import { StateReader } from './foreign-state.ts'
import type { Entry, Format, SourceFile, Translation } from './format.ts'
import { type Item, isNothing, JsonReader, jsonOf } from './json-reader.ts'
import { type GroupNeed, needsThrough } from './needs-through.ts'
import { OwnIds } from './own-ids.ts'
import { PlanBuilder } from './plan-builder.ts'
import { contextOfEach, contextPart } from './prompt-context.ts'
import { promptText, type Section } from './prompt-text.ts'
import { verificationOf } from './verification.ts'

export const implementationPlan: Format = {
  name: 'implementation-plan',
  title: 'implementation_plan.json',
  sign: '`phases` with `subtasks`',
  kind: 'json',
  words: { task: 'subtask', epic: 'phase' },
  recognises: ({ json }) => {
    if (!isMapping(json?.value) || !Array.isArray(json.value.phases)) return false
    const { phases, workflow_type } = json.value
    return workflow_type !== undefined || phases.some((one) => isMapping(one) && ('subtasks' in one || 'chunks' in one))
  },
  resembles: ({ json }) => isMapping(json?.value) && 'phases' in json.value,
  translate: ([file]) => {
    const json = jsonOf(file as SourceFile)
    return json.ok ? translate(new JsonReader(json.value, (file as SourceFile).file)) : json
  },
}

const NOTHING = 'there are no subtasks in it: an implementation plan has `phases`, each with a list of `subtasks`'

export const KNOWN = {
  plan: new Set([
    ...['feature', 'title', 'workflow_type', 'workflow_rationale', 'description', 'services_involved', 'phases'],
    ...['created_at', 'updated_at', 'spec_file', 'status', 'planStatus', 'qa_signoff', 'summary'],
    ...['verification_strategy', 'final_acceptance', 'qa_acceptance'],
  ]),
  phase: new Set(['phase', 'id', 'name', 'type', 'description', 'depends_on', 'parallel_safe', 'subtasks', 'chunks']),
  subtask: new Set([
    ...['id', 'title', 'description', 'status', 'service', 'all_services', 'files_to_modify', 'files_to_create'],
    ...['patterns_from', 'verification', 'expected_output', 'actual_output', 'started_at', 'completed_at'],
    ...['session_id', 'critique_result', 'notes'],
  ]),
}

/** How a whole feature is tested in the end, by its own program. */
const UNVERIFIED = ['verification_strategy', 'qa_acceptance']
const VERIFY = 'what has to pass before work lands is said with `landing.verify` in .espalier/config.yaml'

export const STATES = { done: ['completed', 'complete', 'done'], open: ['pending', 'in_progress', 'blocked', 'failed'] }

type Phase = {
  item: Item
  /** What others may call it: by its id, or by its number. */
  id: string
  number: string | null
  epic: string
  subtasks: Subtask[]
}
type Subtask = { item: Item; task: string; source: string; state: Entry['state'] }

function translate(reader: JsonReader): Result<Translation> {
  const root = reader.root()
  const plan = new PlanBuilder()
  readHead(reader, root, plan)
  const phases = readPhases(reader, root)
  const needsOf = phaseNeeds(reader, namesOf(phases))
  const about = surroundings(reader, root, phases)
  // A phase of which all is done is complete, whatever it depends on itself.
  const open = phases.filter(isOpen)
  open.forEach((phase, i) => {
    addEpic(reader, plan, phase, { open: needsOf(phase), isFirst: i === 0 })
    addTasks(reader, plan, phase, about(phase))
  })
  const entries = phases.flatMap(({ subtasks }) => subtasks.map(({ item: _, ...entry }): Entry => entry))
  return reader.finish(plan, entries, NOTHING)
}

function readHead(reader: JsonReader, root: Item, plan: PlanBuilder): void {
  reader.noteUnknown(root, KNOWN.plan, 'plan')
  const feature = reader.prose(root, 'feature', 'title')
  const from = [...root.path, 'feature' in root.value ? 'feature' : 'title']
  plan.head('name', feature === '' ? undefined : slug(feature), from)
  const objective = [feature, reader.prose(root, 'description')].filter(Boolean).join(': ')
  plan.head('objective', objective, from)
  const parallelism = reader.inner(reader.inner(root, 'summary'), 'parallelism')
  for (const name of UNVERIFIED)
    if (name in root.value) reader.ignore([...root.path, name], `\`${name}\` is not carried out: ${VERIFY}`)
  const workers = reader.wholeNumber(parallelism, 'recommended_workers', { min: 1, max: LIMITS.slots })
  plan.head('maxConcurrency', workers, [...parallelism.path, 'recommended_workers'])
  if (workers !== undefined)
    reader.assume(
      [...parallelism.path, 'recommended_workers'],
      `at most ${workers} run at the same time, as recommended`,
    )
}

function readPhases(reader: JsonReader, root: Item): Phase[] {
  const epics = new OwnIds('phase')
  const tasks = new OwnIds('subtask')
  const states = new StateReader(reader, STATES, 'subtask')
  const firstPhase = new Map<string, Path>()
  const firstTask = new Map<string, Path>()
  const phases = reader.items(root, 'phases').map((item, i): Phase => {
    reader.noteUnknown(item, KNOWN.phase, 'phase')
    const number = reader.prose(item, 'phase') || null
    const id = reader.prose(item, 'id') || number || String(i + 1)
    const same = firstPhase.get(id)
    if (same) reader.twice('phase', id, item.path, same)
    else firstPhase.set(id, item.path)
    if (!('id' in item.value) && number === null)
      reader.assume(item.path, `this phase has neither \`id\` nor \`phase\`: it is phase ${i + 1}`)
    const list = 'subtasks' in item.value ? 'subtasks' : 'chunks'
    const subtasks = reader.items(item, list).flatMap((subtask): Subtask[] => {
      reader.noteUntold(subtask, KNOWN.subtask, 'subtask')
      const source = reader.id(subtask, 'subtask')
      if (source === null) return []
      const first = firstTask.get(source)
      if (first) reader.twice('subtask', source, [...subtask.path, 'id'], first)
      else firstTask.set(source, [...subtask.path, 'id'])
      return [{ item: subtask, task: tasks.of(source), source, state: states.of(subtask) }]
    })
    return { item, id, number, epic: epics.of(id), subtasks }
  })
  states.tell()
  return phases
}

function isOpen({ subtasks }: Phase): boolean {
  return subtasks.some(({ state }) => state === 'open')
}

function phaseNeeds(reader: JsonReader, names: Names): (phase: Phase) => GroupNeed<Phase>[] {
  return needsThrough({
    named: ({ item }) =>
      reader.names(item, 'depends_on').flatMap(({ text, path }): GroupNeed<Phase>[] => {
        const other = phaseNamed(text, names)
        if (!other) reader.error(path, `there is no phase ${shown(text)} to depend on`)
        return other ? [{ group: other, path }] : []
      }),
    isOpen,
    isEmpty: ({ subtasks }) => subtasks.length === 0,
    mayGoOn: (path) => reader.takeEdges(1, path),
  })
}

type Standing = { open: readonly GroupNeed<Phase>[]; isFirst: boolean }

function addEpic(reader: JsonReader, plan: PlanBuilder, phase: Phase, { open, isFirst }: Standing): void {
  const { item, epic } = phase
  const needs = open.map(({ group }) => group.epic)
  const from = open.map(({ path }) => path)
  if (!('depends_on' in item.value) && !isFirst)
    reader.assume(item.path, `phase ${shown(phase.id)} has no \`depends_on\`: it waits for no other phase`)
  const title = reader.prose(item, 'name')
  plan.epic({ id: epic, title: title || undefined, needs }, { path: item.path, lists: { needs: from } }, phase.id)
}

type Names = { ids: Map<string, Phase>; numbers: Map<string, Phase> }

function namesOf(phases: Phase[]): Names {
  const ids = new Map(phases.map((phase) => [phase.id, phase]))
  return { ids, numbers: new Map(phases.map((phase) => [phase.number ?? phase.id, phase])) }
}

/** By id first, then by number; `phase-1` is a way to write the number, too. */
function phaseNamed(name: string, { ids, numbers }: Names): Phase | undefined {
  return ids.get(name) ?? numbers.get(/^phase[-_ ]?(\d+)$/i.exec(name)?.[1] ?? name)
}

/** What the subtasks of a phase are part of. */
function surroundings(reader: JsonReader, root: Item, phases: readonly Phase[]): (phase: Phase) => string {
  const feature = contextPart(reader.prose(root, 'feature', 'title'))
  const specification = contextPart(reader.prose(root, 'spec_file'))
  const rationale = contextPart(reader.prose(root, 'workflow_rationale'))
  const accepted = contextPart(reader.prose(root, 'final_acceptance'))
  const tasks = phases.reduce((sum, { subtasks }) => sum + subtasks.length, 0)
  return contextOfEach(tasks, ({ item, id }) => [
    feature && `Feature: ${feature}`,
    `Phase: ${contextPart(reader.prose(item, 'name') || id)}`,
    reader.prose(item, 'description'),
    specification && `Its specification: ${specification}`,
    rationale && `Why it is done this way: ${rationale}`,
    accepted && `What must be true when all phases are done:\n${accepted}`,
  ])
}

function addTasks(reader: JsonReader, plan: PlanBuilder, phase: Phase, about: string): void {
  const chained = !reader.truth(phase.item, 'parallel_safe')
  const { epic } = phase
  let before: string | null = null
  for (const { item, task, source, state } of phase.subtasks) {
    if (state !== 'open') continue
    const [title, description] = [reader.prose(item, 'title'), reader.prose(item, 'description')]
    const words = [title === description ? '' : title, description].filter(Boolean).join('\n\n')
    if (words === '') reader.error(item.path, 'this subtask has no `description`: what is to be done?')
    tellOfEarlier(reader, item)
    const { verify, sections } = verificationOf(item)
    const write = [...reader.texts(item, 'files_to_modify'), ...reader.texts(item, 'files_to_create')]
    const read = reader.texts(item, 'patterns_from')
    const service = reader.truth(item, 'all_services') ? 'all' : reader.prose(item, 'service')
    plan.task(
      {
        id: task,
        title: title || undefined,
        prompt: promptText(words, [...sectionsOf(reader, item, { about, service }), ...sections]),
        epic,
        needs: chained && before !== null ? [before] : undefined,
        ...reader.claims(item, `subtask ${shown(source)}`, { write, read }),
        verify,
        tags: service === '' || service === 'all' ? undefined : [service],
      },
      { path: item.path, fields: { id: [...item.path, 'id'] } },
    )
    before = task
  }
}

/** Left by who tried it before: it is run from the start, as if nobody had. */
const EARLIER = ['actual_output', 'critique_result']

function tellOfEarlier(reader: JsonReader, item: Item): void {
  const known = new Set(
    Object.keys(item.value).filter((name) => !EARLIER.includes(name) || isNothing(item.value[name])),
  )
  reader.noteUnknown(item, known, 'subtask')
}

type Around = { about: string; service: string }

function sectionsOf(reader: JsonReader, item: Item, { about, service }: Around): Section[] {
  return [
    ['Files to modify', reader.prose(item, 'files_to_modify')],
    ['Files to create', reader.prose(item, 'files_to_create')],
    ['Follow the patterns of', reader.prose(item, 'patterns_from')],
    ['Expected output', reader.prose(item, 'expected_output')],
    ['Notes', reader.prose(item, 'notes')],
    ...reader.told(item, KNOWN.subtask),
    ['What this is part of', [about, service && `Service: ${service}`].filter(Boolean).join('\n\n')],
  ]
}
