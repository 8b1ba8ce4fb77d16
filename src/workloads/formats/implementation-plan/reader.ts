// `implementation_plan.json`. A phase becomes an epic; one that is not parallel-safe is a chain of its subtasks.
import { LIMITS } from '../../../config.ts'
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { AcceptedChecks } from '../checks/commands-in.ts'
import type { Format, TranslateOptions, Translation } from '../format.ts'
import { fromJson, type JsonReader } from '../json/json-reader.ts'
import { type Item, isNothing } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import type { GroupNeed } from '../order/group-dependencies.ts'
import { contextOfEach, contextPart, type PromptSection, promptText } from '../task-prompt/compose-prompt.ts'
import { phaseNeeds, type SubtaskNeeds, subtaskNeeds } from './needs.ts'
import { isOpen, KNOWN, type Phase, readPhases } from './phases.ts'
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
  translate: fromJson(translate),
}

const NOTHING = 'there are no subtasks in it: an implementation plan has `phases`, each with a list of `subtasks`'

/** How a whole feature is tested in the end, by its own program. */
const UNVERIFIED = ['verification_strategy', 'qa_acceptance']
const VERIFY = 'what has to pass before work lands is said with `landing.verify` in .espalier/config.yaml'

function translate(reader: JsonReader, { checks }: TranslateOptions): Result<Translation> {
  const root = reader.root()
  readHead(reader, root)
  const phases = readPhases(reader, root)
  const needsOf = phaseNeeds(reader, phases)
  const needsInside = subtaskNeeds(reader, phases)
  const about = surroundings(reader, root, phases)
  // A phase of which all is done is complete, whatever it depends on itself.
  const open = phases.filter(isOpen)
  tellOfChains(reader, open)
  open.forEach((phase, i) => {
    addEpic(reader, phase, { open: needsOf(phase), isFirst: i === 0 })
    addTasks(reader, phase, { needs: needsInside(phase), about: about(phase), checks })
  })
  for (const { subtasks } of phases) for (const { item: _, ...entry } of subtasks) reader.entries.push(entry)
  return reader.finishJson(NOTHING)
}

function readHead(reader: JsonReader, root: Item): void {
  reader.noteUnknown(root, KNOWN.plan, 'plan')
  const feature = reader.prose(root, 'feature', 'title')
  const objective = [feature, reader.prose(root, 'description')].filter(Boolean).join(': ')
  const parallelism = reader.inner(reader.inner(root, 'summary'), 'parallelism')
  for (const name of UNVERIFIED)
    if (name in root.value) reader.ignore([...root.path, name], `\`${name}\` is not carried out: ${VERIFY}`)
  const workers = reader.wholeNumber(parallelism, 'recommended_workers', { min: 1, max: LIMITS.slots })
  reader.head({ name: feature === '' ? undefined : slug(feature), objective, maxConcurrency: workers })
  const path = [...parallelism.path, 'recommended_workers']
  if (workers !== undefined) reader.assume(path, `at most ${workers} run at the same time, as recommended`)
}

/** Whoever sees one subtask at work at a time would wonder why. */
function tellOfChains(reader: JsonReader, phases: readonly Phase[]): void {
  const isMany = ({ subtasks }: Phase): boolean => subtasks.filter(({ state }) => state === 'open').length > 1
  const first = phases.find((phase) => isNothing(phase.item.value.parallel_safe) && isMany(phase))
  if (first) reader.assume(first.item.path, 'the subtasks of a phase without `"parallel_safe": true` follow each other')
}

type Standing = { open: readonly GroupNeed<Phase>[]; isFirst: boolean }

function addEpic(reader: JsonReader, phase: Phase, { open, isFirst }: Standing): void {
  const { item, epic } = phase
  const needs = open.map(({ group, path }) => ({ id: group.epic, place: path }))
  if (!WAIT_FIELDS.some((name) => name in item.value) && !isFirst)
    reader.assume(item.path, `phase ${shown(phase.id)} has no \`depends_on\`: it waits for no other phase`)
  reader.epic({ id: epic, title: reader.prose(item, 'name'), needs }, item.path, phase.id)
}

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

type Inside = { needs: SubtaskNeeds; about: string; checks: AcceptedChecks }

function addTasks(reader: JsonReader, { epic }: Phase, { needs, about, checks }: Inside): void {
  for (const [{ item, task, source }, waits] of needs) {
    const [title, description] = [reader.prose(item, 'title'), reader.prose(item, 'description')]
    const words = [title === description ? '' : title, description].filter(Boolean).join('\n\n')
    if (words === '') reader.error(item.path, 'this subtask has no `description`: what is to be done?')
    const { verify, notRun, sections } = verificationOf(item, checks)
    for (const one of notRun) reader.checkNotRun([...item.path, 'verification'], one)
    const write = [...reader.texts(item, 'files_to_modify'), ...reader.texts(item, 'files_to_create')]
    const read = reader.texts(item, 'patterns_from')
    const service = reader.truth(item, 'all_services') ? 'all' : reader.prose(item, 'service')
    reader.task(
      {
        id: task,
        title,
        prompt: promptText(words, [...sectionsOf(reader, item, about, service), ...sections]),
        epic,
        needs: [...waits].map(([one, path]) => ({ id: one.task, place: path })),
        ...reader.claims(item, `subtask ${shown(source)}`, { write, read }),
        verify,
        tags: service === '' || service === 'all' ? undefined : [service],
      },
      item.path,
    )
  }
}

function sectionsOf(reader: JsonReader, item: Item, about: string, service: string): PromptSection[] {
  return [
    ['Files to modify', reader.prose(item, 'files_to_modify')],
    ['Files to create', reader.prose(item, 'files_to_create')],
    ['Follow the patterns of', reader.prose(item, 'patterns_from')],
    ['Expected output', reader.prose(item, 'expected_output')],
    ['Notes', reader.prose(item, 'notes')],
    ...reader.otherSections(item, KNOWN.subtask),
    ['What this is part of', [about, service && `Service: ${service}`].filter(Boolean).join('\n\n')],
  ]
}
