// A plan on its way: tasks with their defaults filled in, but needs still as they were written.
import { LIMITS } from '../../config.ts'
import { type Epic, ID_PATTERN, type Task } from '../../task.ts'
import { suggestion } from '../../text/nearest.ts'
import { ID_RULE, shown } from '../document/field.ts'
import { addError, type Findings } from '../document/findings.ts'
import type { Path } from '../document/place.ts'
import type { Written } from './plan-fields.ts'
import { decisionsOf, toTask } from './to-task.ts'

/** Words for the parts of a plan in messages: those of its file. */
type Wording = {
  task: string
  epic: string
  taskName(id: string): string
  epicName(id: string): string
}

export type Draft = WaitingOf<Task>

/** Things that wait for each other: the tasks of a plan, or the entries of a suite, which has no epics. */
export type Waiting = WaitingOf<Pick<Task, 'id' | 'needs' | 'after' | 'epic' | 'isolation'>>

type WaitingOf<T> = {
  /** Field of the file that lists the tasks. */
  list: 'tasks' | 'entries'
  tasks: T[]
  /** Position of each task in the file's list; entries without a usable id are missing. */
  taskAt: number[]
  epics: Epic[]
  epicAt: number[]
  /** Index by id; of two with the same id the first. */
  taskIndex: Map<string, number>
  epicIndex: Map<string, number>
  badIds: Set<string>
  wording: Wording
}

export function toDraft(
  written: Written,
  filling: Parameters<typeof toTask>[2],
  wording: Wording,
  findings: Findings,
): Draft {
  const nothing = { tasks: [], taskAt: [], epics: [], epicAt: [], taskIndex: new Map(), epicIndex: new Map() }
  const draft: Draft = { list: 'tasks', ...nothing, badIds: written.badIds, wording }
  written.epics.forEach((input, i) => {
    if (input?.id === undefined) return
    const title = input.title?.trim() || input.id
    const budget = input.budgetUsd === undefined ? {} : { budgetUsd: input.budgetUsd }
    addEpic(draft, { id: input.id, title, needs: input.needs ?? [], ...budget, ...decisionsOf(input.decision) }, i)
  })
  written.tasks.forEach((input, i) => {
    if (input?.id === undefined) return
    const task = toTask(input.id, input, filling)
    if (task.epic !== null && !draft.epicIndex.has(task.epic)) {
      const path = input.epic === undefined ? ['defaults', 'epic'] : ['tasks', i, 'epic']
      useEpic(draft, task.epic, written.epicsListed, path, findings)
    }
    if (input.isolation === 'epic' && task.epic === null)
      addError(findings, ['tasks', i, 'isolation'], `task \`${task.id}\` has \`isolation: epic\` but no \`epic\``)
    checkMoney(task, i, findings)
    addTask(draft, task, i)
  })
  return draft
}

export function addTask<T extends { id: string }>(draft: WaitingOf<T>, task: T, index: number): void {
  if (!draft.taskIndex.has(task.id)) draft.taskIndex.set(task.id, draft.tasks.length)
  draft.tasks.push(task)
  draft.taskAt.push(index)
}

/** Refuses an estimate above the task's own budget: the task would never start. */
function checkMoney({ id, budgetUsd, estimateUsd }: Task, index: number, findings: Findings): void {
  if (budgetUsd === undefined || estimateUsd === undefined || estimateUsd <= budgetUsd) return
  const message = `task \`${id}\` probably costs ${estimateUsd} dollars (\`estimateUsd\`) and may cost ${budgetUsd} (\`budgetUsd\`): it would never start`
  addError(findings, ['tasks', index], message)
}

/** Epics need no list where there is nothing else to say about them; where there is one, it is complete. */
function useEpic(draft: Draft, name: string, listed: boolean, path: Path, findings: Findings): void {
  if (draft.badIds.has(name)) return
  if (listed) {
    const near = () => suggestion(name, draft.epicIndex.keys())
    addError(findings, path, () => `there is no epic ${shown(name)} in \`epics\`${near()}`)
  } else if (ID_PATTERN.test(name)) addEpic(draft, { id: name, title: name, needs: [] }, -1)
  else addError(findings, path, `${shown(`epic: ${name}`)} is not a valid name: ${ID_RULE}`)
}

function addEpic(draft: Draft, epic: Epic, index: number): void {
  if (!draft.epicIndex.has(epic.id)) draft.epicIndex.set(epic.id, draft.epics.length)
  draft.epics.push(epic)
  draft.epicAt.push(index)
}

export function taskPath(draft: Waiting, task: number, ...rest: Path): Path {
  return [draft.list, draft.taskAt[task] ?? 0, ...rest]
}

export function epicPath(draft: Waiting, epic: number, ...rest: Path): Path {
  return ['epics', draft.epicAt[epic] ?? 0, ...rest]
}

export function membersOf(draft: Waiting): number[][] {
  const members: number[][] = draft.epics.map(() => [])
  draft.tasks.forEach((task, index) => {
    const epic = task.epic === null ? undefined : draft.epicIndex.get(task.epic)
    if (epic !== undefined) members[epic]?.push(index)
  })
  return members
}

/**
 * Needs of an epic become needs of its first tasks on the last tasks of the other: the rest follows from their own needs. Only
 * `needs` count, because `after` does not stop anything when the other task fails. The draft must be free of cycles.
 */
export function expandEpicNeeds(draft: Draft, findings: Findings): void {
  if (draft.epics.every(({ needs }) => needs.length === 0)) return
  const members = membersOf(draft).map((tasks) => tasks.map((task) => draft.tasks[task] as Task))
  // Found before any need is added: an added need must not count as their own.
  const first = members.map((tasks) => firstOf(tasks))
  const last = members.map((tasks) => lastOf(tasks))
  let edges = 0
  draft.epics.forEach(({ id, needs }, epic) => {
    const names = [...new Set(needs.flatMap((name) => last[draft.epicIndex.get(name) ?? -1] ?? []))]
    const heads = first[epic] ?? []
    if (names.length === 0) return
    edges += names.length * heads.length
    if (edges > LIMITS.epicEdges) {
      const { epic: word, epicName } = draft.wording
      const message =
        `the needs of ${word} ${shown(epicName(id))} come to ${heads.length} × ${names.length} needs between tasks, too many in all: ` +
        `give the ${word} before it a last task that needs its others`
      addError(findings, epicPath(draft, epic, 'needs'), message)
      return
    }
    // Tasks without needs share one list: a plan is never changed once it is read.
    for (const task of heads) task.needs = task.needs.length === 0 ? names : [...new Set([...task.needs, ...names])]
  })
}

function firstOf(tasks: readonly Task[]): Task[] {
  const own = new Set(tasks.map(({ id }) => id))
  return tasks.filter(({ needs }) => !needs.some((name) => own.has(name)))
}

function lastOf(tasks: readonly Task[]): string[] {
  const needed = new Set(tasks.flatMap(({ needs }) => needs))
  return tasks.map(({ id }) => id).filter((id) => !needed.has(id))
}
