// `implementation_plan.json`. A phase becomes an epic; one that is not parallel-safe is a chain of its subtasks.
import { LIMITS } from '../../../config.ts'
import { slug } from '../../../text/slug.ts'
import { isMapping } from '../../document/schema-check.ts'
import { type AcceptedChecks, checkOf, commandsIn } from '../checks/commands-in.ts'
import type { StatusFacts } from '../format.ts'
import { readMarkdown } from '../markdown/lines.ts'
import { contextPart, prose } from '../prompt-from-fields.ts'
import { plainStatus } from '../status/status-words.ts'
import { jsonFormat, timeOf } from './format-from-table.ts'
import type { Group, JsonNode, Nodes } from './format-table.ts'
import { type Item, isNothing, type JsonReader, WAIT_FIELDS } from './reader.ts'
import type { Fields } from './set-fields.ts'
import { StatusField } from './status-field.ts'

export const implementationPlan = jsonFormat({
  name: 'implementation-plan',
  title: 'implementation_plan.json',
  sign: '`phases` with `subtasks`',
  words: { task: 'subtask', epic: 'phase' },
  recognises: ({ phases, workflow_type }) =>
    Array.isArray(phases) &&
    (workflow_type !== undefined || phases.some((one) => isMapping(one) && ('subtasks' in one || 'chunks' in one))),
  resembles: (root) => 'phases' in root,
  nothing: 'an implementation plan has `phases`, each with a list of `subtasks`',
  head: (reader, root) => {
    const feature = reader.prose(root, 'feature', 'title')
    const objective = [feature, reader.prose(root, 'description')].filter(Boolean).join(': ')
    const parallelism = reader.inner(reader.inner(root, 'summary'), 'parallelism')
    const workers = reader.wholeNumber(parallelism, 'recommended_workers', { min: 1, max: LIMITS.slots })
    const path = [...parallelism.path, 'recommended_workers']
    if (workers !== undefined) reader.assume(path, `at most ${workers} run at the same time, as recommended`)
    return { name: feature === '' ? undefined : slug(feature), objective, maxConcurrency: workers }
  },
  groups: {
    list: 'phases',
    what: 'phase',
    title: 'name',
    lists: ['subtasks', 'chunks'],
    number: 'phase',
    isChain: (reader, phase) => !reader.truth(phase, 'parallel_safe'),
  },
  tasks: {
    list: 'subtasks',
    what: 'subtask',
    title: ['title'],
    words: ['description'],
    sections: [
      ['Files to modify', 'files_to_modify'],
      ['Files to create', 'files_to_create'],
      ['Follow the patterns of', 'patterns_from'],
      ['Expected output', 'expected_output'],
      ['Notes', 'notes'],
    ],
    write: ['files_to_modify', 'files_to_create'],
    read: ['patterns_from'],
    meaning: ['verification', 'service', 'all_services'],
    kept: ['actual_output', 'started_at', 'completed_at', 'session_id', 'critique_result'],
    waits: { own: [] },
    lost: 'ignored',
    about,
    more: (reader, { item }, accepted) => {
      const { verify, notRun, words } = verificationOf(item.value.verification, accepted)
      for (const one of notRun) reader.checkNotRun([...item.path, 'verification'], one)
      const service = reader.truth(item, 'all_services') ? 'all' : reader.prose(item, 'service')
      const tags = service === '' || service === 'all' ? undefined : [service]
      return { fields: { verify, tags }, sections: [['Verification', words]], about: service && `Service: ${service}` }
    },
  },
  status: {
    field: new StatusField(['status'], {
      done: ['completed', 'complete', 'done'],
      open: ['pending', 'in_progress', 'blocked', 'failed'],
    }),
    words: { open: 'pending', begun: 'in_progress', done: 'completed', failed: 'failed', blocked: 'blocked' },
    more: fieldsBesideStatus,
  },
  remark,
})

function about(reader: JsonReader, whole: Group | JsonNode, root: Item): string[] {
  const of = (name: string, label: string): string => {
    const text = contextPart(reader.prose(root, ...name.split('|')))
    return text && `${label}${text}`
  }
  return [
    of('feature|title', 'Feature: '),
    `Phase: ${contextPart(reader.prose(whole.item, 'name') || whole.source)}`,
    reader.prose(whole.item, 'description'),
    of('spec_file', 'Its specification: '),
    of('workflow_rationale', 'Why it is done this way: '),
    of('final_acceptance', 'What must be true when all phases are done:\n'),
  ]
}

/** Explains in remarks why subtasks run one at a time, or why phases run all at once. */
function remark(reader: JsonReader, { groups }: Nodes, root: Item): void {
  const how = 'what has to pass before work lands is said with `landing.verify` in .espalier/config.yaml'
  for (const name of ['verification_strategy', 'qa_acceptance'])
    if (name in root.value) reader.ignore([...root.path, name], `\`${name}\` is not carried out: ${how}`)
  const openIn = ({ tasks }: Group): number => tasks.filter(({ state }) => state === 'open').length
  const open = groups.filter((phase) => openIn(phase) > 0)
  const chain = open.find((phase) => isNothing(phase.item.value.parallel_safe) && openIn(phase) > 1)
  if (chain) reader.assume(chain.item.path, 'the subtasks of a phase without `"parallel_safe": true` follow each other')
  for (const { item, source } of open.slice(1))
    if (!WAIT_FIELDS.some((name) => name in item.value))
      reader.assume(item.path, 'phases without `depends_on` wait for no other phase', source)
}

/** Fields to write beside the status. A restarted subtask loses its end and output; one that a person marked done keeps them. */
function fieldsBesideStatus(item: Item, status: string, facts: StatusFacts): Fields {
  const { phase, startedAt, finishedAt, session, output } = facts
  const isDone = phase === 'done'
  if (phase === 'open' || phase === 'blocked') return {}
  if (isDone && plainStatus(prose(item.value.status)) === plainStatus(status)) return {}
  const failed = phase === 'failed' ? `FAILED: ${output ?? 'see the report'}` : null
  return {
    started_at: timeOf(startedAt),
    completed_at: isDone ? timeOf(finishedAt) : null,
    session_id: session ?? undefined,
    actual_output: isDone ? (output ?? undefined) : failed,
  }
}

// The verification of a subtask: shell commands are run as checks, all other text goes into the prompt.

function verificationOf(value: unknown, accepted: AcceptedChecks) {
  if (isMapping(value)) return inFields(value, accepted)
  const text = prose(value)
  const { verify, notRun, words } = commandsIn(readMarkdown(text).lines, accepted)
  return { verify, notRun, words: verify.length > 0 && notRun.length + words.length === 0 ? '' : text }
}

function inFields(value: Record<string, unknown>, accepted: AcceptedChecks) {
  const { type: written, run, command, cmd, commands, ...rest } = value
  const type = prose(written).toLowerCase()
  const all = [...[run, command, cmd].flatMap(commandsOf), ...[commands].flat().map(prose)]
  const found = [...new Set(all)].filter(isSomething)
  // Manual verification is for a person, so a command in it is not run.
  const isRun = type !== 'manual' && type !== 'none'
  const checks = isRun ? found.map((one) => checkOf(one, accepted, expectedIn(rest))) : []
  const verify = checks.flatMap((check) => ('run' in check ? [check.run] : []))
  const notRun = checks.flatMap((check) => ('run' in check ? [] : [check.notRun]))
  if (type === 'none') return { verify, notRun, words: '' }
  const untried = isRun ? notRun.map((one) => one.command) : found
  const lines = [untried.length === 1 ? (untried[0] ?? '') : prose(untried), prose(asWritten(rest))].filter(Boolean)
  const kind = type === 'command' ? '' : type
  // A command that is run as a check is not repeated in the prompt.
  if (lines.length === 0) return { verify, notRun, words: verify.length > 0 ? '' : kind }
  return { verify, notRun, words: [kind && `By ${kind}:`, ...lines].filter(Boolean).join('\n') }
}

/** Commands in a field. A list may be one command in its words: `["npm", "test"]`, but not `["npm test", "npm run lint"]`. */
function commandsOf(value: unknown): string[] {
  const [first = '', ...more] = [value].flat().map(prose)
  const quoted = more.map((word) => (/^[\w@%+=:,./&|;-]+$/.test(word) ? word : JSON.stringify(word)))
  return /\s/.test(first) ? [first, ...more] : [[first, ...quoted].join(' ')]
}

function isSomething(text: string): boolean {
  return !/^(?:|-|n\/?a|none|null|not applicable)\.?$/i.test(text)
}

/** The expected result: `expected: no matches`, `exit code: 1`. Quoted text is blanked: the command only searches for it. */
function expectedIn(fields: Record<string, unknown>): string {
  const expected = Object.entries(fields).filter(([name]) => /^(?:expect|exit)/i.test(name))
  const lines = expected.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${prose(value)}`)
  return lines.join('; ').replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '""')
}

/** Mappings as JSON: data to send or expect, such as the body of a request, has to reach the agent unchanged. */
function asWritten(fields: Record<string, unknown>): Record<string, unknown> {
  const text = (value: unknown) => (isMapping(value) ? JSON.stringify(value) : value)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]))
}
