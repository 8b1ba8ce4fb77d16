// A work queue, worked off in waves. A feature that can never be scheduled is named and left out.
import { LIMITS } from '../../../config.ts'
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import { stuckNodes } from '../../plan/find-cycles.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Entry, Format, Translation } from '../format.ts'
import { fromJson, type JsonReader } from '../json/json-reader.ts'
import { priorityOf } from '../json/priority.ts'
import type { Item, Named } from '../json/values.ts'
import { WAIT_FIELDS, waitsOf } from '../order/dependency-fields.ts'
import { FileStatus, STATES } from '../read-status/json-status-field.ts'
import { StateReader } from '../read-status/state-reader.ts'
import { promptText } from '../task-prompt/compose-prompt.ts'

export const workQueue: Format = {
  name: 'work-queue',
  title: 'work queue JSON',
  sign: 'a list of `features`',
  kind: 'json',
  words: { task: 'feature', epic: 'epic' },
  recognises: ({ json }) =>
    isMapping(json?.value) && Array.isArray(json.value.features) && json.value.features.some(isMapping),
  resembles: ({ json }) => isMapping(json?.value) && 'features' in json.value,
  translate: fromJson(translate),
}

const NOTHING =
  'there are no features in it: a work queue has a list of `features`, each with an `id` and a `description`'

export const STATUS = new FileStatus(['status', 'state', 'passes'])

export const KNOWN = {
  queue: new Set([
    'project',
    'name',
    'description',
    'features',
    'rules',
    'valid_status',
    'created_at',
    'updated_at',
    'version',
  ]),
  feature: new Set([
    ...['id', 'title', 'name', 'description', 'file', 'files', 'tests', 'type', 'priority'],
    ...STATUS.fields,
    ...['completion_promise', 'max_iterations', 'acceptance_criteria', 'notes', ...WAIT_FIELDS],
    ...['attempts', 'last_attempt', 'completed_at', 'error', 'verification_verdict', 'files_actually_changed'],
  ]),
}

const OWN_WAITS = ['dependencies', 'depends_on']

type Feature = { item: Item; task: string; source: string; state: Entry['state']; needs: Named[] }

function translate(reader: JsonReader): Result<Translation> {
  const root = reader.root()
  reader.noteUnknown(root, KNOWN.queue, 'queue')
  const project = reader.prose(root, 'project', 'name')
  const name = project === '' ? undefined : slug(project)
  reader.head({ name, objective: reader.prose(root, 'description'), schedule: 'waves' })
  reader.assume(
    [...root.path, 'features'],
    'in waves, as this format has it; `--schedule eager` starts each when it can',
  )
  const features = readFeatures(reader, root)
  leaveOut(reader, features)
  const { words } = STATUS.wordsOf(
    root.value,
    features.map(({ item }) => item.value),
  )
  if (words.done === null)
    reader.assume(
      [...root.path, 'features'],
      'no word of `valid_status` is known to mean done: what lands is not noted here',
    )
  const bySource = new Map(features.map((feature) => [feature.source, feature]))
  for (const feature of features) if (feature.state === 'open') addTask(reader, feature, bySource)
  for (const { task, source, state } of features) reader.entries.push({ task, source, state })
  return reader.finishJson(NOTHING)
}

function readFeatures(reader: JsonReader, root: Item): Feature[] {
  const ids = new OwnIds('feature')
  const states = new StateReader(reader, STATES, 'feature', STATUS)
  const first = new Map<string, Path>()
  const features = reader.items(root, 'features').flatMap((item): Feature[] => {
    reader.noteUntold(item, KNOWN.feature, 'feature')
    const source = reader.id(item, 'feature')
    if (source === null) return []
    reader.noteName(first, 'feature', source, [...item.path, 'id'])
    return [{ item, task: ids.of(source), source, state: states.of(item, source), needs: [] }]
  })
  states.tell()
  const isKnown = ({ text }: Named): boolean => first.has(text)
  for (const feature of features) feature.needs = waitsOf(reader, feature.item, { own: OWN_WAITS, isKnown })
  return features
}

/** What can never be scheduled becomes `skipped`, with a warning for each that says why. */
function leaveOut(reader: JsonReader, features: Feature[]): void {
  const open = features.filter(({ state }) => state === 'open')
  const index = new Map(open.map(({ source }, i) => [source, i]))
  const left = features.filter(({ state }) => state === 'skipped')
  const given = new Map(left.map(({ source, item: { value } }) => [source, shown(STATUS.usualWord(value))]))
  const known = new Set(features.filter(({ state }) => state !== 'skipped').map(({ source }) => source))
  const edges = open.map(({ needs }) => needs.flatMap(({ text }) => index.get(text) ?? []))
  const missing = open.map(({ needs }) => needs.find(({ text }) => !known.has(text)))
  const stuck = stuckNodes(
    edges,
    missing.map((need) => need !== undefined),
  )
  if (stuck.size === 0) return

  const why = (node: number): string => {
    const lost = missing[node]
    if (lost) return `it depends on ${shown(lost.text)}, which is ${given.get(lost.text) ?? 'not in the file'}`
    const need = edges[node]?.find((one) => stuck.has(one)) ?? node
    return `it depends on ${shown(open[need]?.source)}, which cannot be scheduled or waits for this one`
  }
  for (const node of stuck) {
    const feature = open[node] as Feature
    feature.state = 'skipped'
    const path = missing[node]?.path ?? feature.needs[0]?.path ?? feature.item.path
    reader.warn(path, `feature ${shown(feature.source)} cannot be scheduled and is left out: ${why(node)}`)
  }
}

function addTask(reader: JsonReader, feature: Feature, bySource: Map<string, Feature>): void {
  const { item, task, needs } = feature
  const title = reader.prose(item, 'title', 'name')
  const description = reader.prose(item, 'description')
  const lead = [title, description].filter(Boolean).join('\n\n')
  if (lead === '') reader.error(item.path, 'this feature has no `description`: what is to be done?')
  const open = needs.filter(({ text }) => bySource.get(text)?.state === 'open')
  const kind = reader.prose(item, 'type')
  const write = [...reader.texts(item, 'file'), ...reader.texts(item, 'files'), ...reader.texts(item, 'tests')]
  reader.task(
    {
      id: task,
      title,
      prompt: promptText(lead, [
        ['File', reader.prose(item, 'file')],
        ['Files', reader.prose(item, 'files')],
        ['Tests', reader.prose(item, 'tests')],
        ['Acceptance criteria', reader.prose(item, 'acceptance_criteria')],
        ['Notes', reader.prose(item, 'notes')],
        ...reader.otherSections(item, KNOWN.feature),
      ]),
      needs: open.map(({ text, path }) => ({ id: bySource.get(text)?.task ?? '', place: path })),
      ...reader.claims(item, `feature ${shown(feature.source)}`, { write, read: [] }),
      priority: priorityOf(reader, item),
      completion: reader.prose(item, 'completion_promise') || undefined,
      iterations: reader.wholeNumber(item, 'max_iterations', { min: 1, max: LIMITS.iterations }),
      tags: kind === '' ? undefined : [kind],
    },
    item.path,
  )
}
