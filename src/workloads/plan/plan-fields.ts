// Content of a plan file, field by field: well formed or reported.

import { ACP_PREFIX } from '../../agents/list.ts'
import { suggestion } from '../../text/nearest.ts'
import { kindOf, shown } from '../document/field.ts'
import { addError, addWarning, type Findings, isFull } from '../document/findings.ts'
import type { Path } from '../document/place.ts'
import { checked, isMapping } from '../document/schema-check.ts'
import {
  type DefaultsInput,
  defaultsSchema,
  type EpicInput,
  epicSchema,
  type HeadInput,
  headSchema,
  type TaskInput,
  taskSchema,
} from './schema.ts'

/** Valid fields only; null stands for an entry that is no mapping. */
export type Written = {
  head: Partial<HeadInput>
  defaults: Partial<DefaultsInput>
  epics: (Partial<EpicInput> | null)[]
  epicsListed: boolean
  tasks: (Partial<TaskInput> | null)[]
  /** Ids that cannot be used: reported once, not again by everything that refers to them. */
  badIds: Set<string>
}

export const SMALLEST_PLAN = 'a plan has at least a list of `tasks`, each with an `id` and a `prompt` or `run`'

/** `mayBeEmpty`: a list without tasks is fine, because all of them are done. */
export function readWritten(value: Record<string, unknown>, findings: Findings, { mayBeEmpty = false } = {}): Written {
  const head = checked(headSchema, value, () => [], findings) ?? {}
  const hasDefaults = value.defaults !== undefined
  const defaults = hasDefaults ? checked(defaultsSchema, value.defaults, () => ['defaults'], findings) : null
  const badIds = new Set<string>()
  const noteId = (item: unknown, id: string | undefined): void => {
    if (id === undefined && isMapping(item) && typeof item.id === 'string') badIds.add(item.id)
  }
  const unread = (): null => {
    findings.cutShort = true
    return null
  }
  const epics = listAt(value, 'epics', findings).map((item, i) => {
    if (isFull(findings)) return unread()
    const epic = checked(epicSchema, item, () => ['epics', i], findings)
    noteId(item, epic?.id)
    return epic
  })
  const tasks = listAt(value, 'tasks', findings).map((item, i) => {
    if (isFull(findings)) return unread()
    const task = checked(taskSchema, item, () => ['tasks', i], findings)
    noteId(item, task?.id)
    if (isMapping(item)) checkWork(item, i, findings)
    if (task?.run !== undefined) warnOfAgentFields(task, i, findings)
    return task
  })
  // Checked, but not acted upon yet.
  if (head.landing?.branch !== undefined)
    addWarning(findings, ['landing', 'branch'], '`landing.branch` is not used by this version', { at: 'name' })
  if (value.tasks === undefined) addError(findings, [], `there are no \`tasks\`: ${SMALLEST_PLAN}`)
  else if (Array.isArray(value.tasks) && tasks.length === 0 && !mayBeEmpty)
    addError(findings, ['tasks'], `\`tasks\` is an empty list: ${SMALLEST_PLAN}`)
  return { head, defaults: defaults ?? {}, epics, epicsListed: value.epics !== undefined, tasks, badIds }
}

function listAt(value: Record<string, unknown>, name: string, findings: Findings): unknown[] {
  const items = value[name]
  if (Array.isArray(items)) return items
  if (items !== undefined) addError(findings, [name], `\`${name}\` must be a list, not ${kindOf(items)}`)
  return []
}

function checkWork(task: Record<string, unknown>, index: number, findings: Findings): void {
  if ('prompt' in task !== 'run' in task) return
  const who = typeof task.id === 'string' ? `task ${shown(task.id)}` : 'this task'
  if ('run' in task) {
    const message = `${who} has both \`prompt\` and \`run\`: it is either for an agent or a shell command`
    addError(findings, ['tasks', index, 'run'], message, { at: 'name' })
  } else {
    const message = `${who} has nothing to do: give it a \`prompt\` (for an agent) or \`run\` (a shell command)`
    addError(findings, ['tasks', index], message)
  }
}

function warnOfAgentFields(task: Partial<TaskInput>, index: number, findings: Findings): void {
  const name = AGENT_FIELDS.find((field) => task[field] !== undefined)
  if (name === undefined) return
  const message = `\`${name}\` changes nothing here: it is for tasks with a \`prompt\``
  addWarning(findings, ['tasks', index, name], message, { at: 'name' })
}

const AGENT_FIELDS = ['iterations', 'completion', 'maxTurns', 'maxToolCalls', 'maxRepeats'] as const

/** Names of agents, where they are: in `defaults` and in each task. */
function* agentsWritten({ defaults, tasks }: Written): Generator<{ input: Partial<DefaultsInput>; path: Path }> {
  yield { input: defaults, path: ['defaults'] }
  for (let i = 0; i < tasks.length; i++) {
    const input = tasks[i]
    if (input?.agent !== undefined || input?.agents) yield { input, path: ['tasks', i] }
  }
}

export function checkAgents(written: Written, known: readonly string[], findings: Findings): void {
  const check = (name: string | undefined, path: Path): void => {
    if (name === undefined || known.includes(name)) return
    const isAcp = name === 'acp' || name.startsWith(ACP_PREFIX)
    const acp = isAcp ? ' (an ACP agent is named under `agents.acp` in .espalier/config.yaml)' : ''
    const others = () => suggestion(name, known) || `; known: ${known.join(', ')}${acp}`
    addError(findings, path, () => `there is no agent ${shown(name)}${others()}`)
  }
  check(written.head.agent, ['agent'])
  for (const { input, path } of agentsWritten(written)) {
    check(input.agent, [...path, 'agent'])
    input.agents?.forEach((name, n) => {
      check(name, [...path, 'agents', n])
    })
  }
}

/** `agents` names all of them: the preferred agent and those that come after it, each once. */
export function checkAgentLists(written: Written, findings: Findings): void {
  for (const { input, path } of agentsWritten(written)) {
    const { agent, agents = [] } = input
    if (agent !== undefined && input.agents) {
      const message = '`agent` and `agents` cannot stand together: name the preferred agent first in `agents`'
      addError(findings, [...path, 'agents'], message, { at: 'name' })
    }
    agents.forEach((name, n) => {
      if (agents.indexOf(name) < n) addError(findings, [...path, 'agents', n], `\`agents\` names ${shown(name)} twice`)
    })
  }
}
