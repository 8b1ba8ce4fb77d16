// Reasons why tasks wait: for the summary of a run, for `status` and for reports.
import type { ClaimWait } from '../held-claims.ts'
import { agentsOf, type Plan } from '../task.ts'
import { formatDuration } from '../text/duration.ts'
import { nameList } from '../text/name-list.ts'
import { money } from '../text/usage-text.ts'
import type { Budget, Hold, PauseView, RunView, TaskView } from '../view.ts'

export type Wait =
  | { kind: 'task'; tasks: string[] }
  | { kind: 'claim'; glob: string; holder: string }
  /** A person holds it. */
  | { kind: 'hold'; name: string; glob: string; until: number }
  | { kind: 'budget'; budget: Budget }
  | { kind: 'pause'; agent: string; until: number; why: PauseView['why'] }
  | { kind: 'retry'; until: number }
  /** A conflict is theirs to resolve. */
  | { kind: 'person' }
  | { kind: 'landing'; verifying: boolean }
  | { kind: 'wave' }
  /** `labels`: of the machine it has to be on. */
  | { kind: 'slot'; labels?: string[] }
  /** No engine works on the run. */
  | { kind: 'resume' }

type View = Pick<RunView, 'engine' | 'status' | 'schedule' | 'budgets' | 'paused' | 'queue'>

type Known = {
  now: number
  /** Names the agents of a task, and the tasks it comes after. */
  plan?: Pick<Plan, 'tasks'> | null | undefined
  /** By task, like `holds`. */
  claims?: ReadonlyMap<string, ClaimWait> | undefined
  holds?: ReadonlyMap<string, Hold> | undefined
}

/** In the order of the plan. Running tasks wait for nothing. */
export function waitsOf(view: View & Pick<RunView, 'tasks'>, known: Known): Map<string, Wait> {
  const open = new Set(view.tasks.filter(({ status }) => OPEN.has(status)).map(({ id }) => id))
  const isOpen = (id: string) => open.has(id)
  const planned = new Map(known.plan?.tasks.map((task) => [task.id, task]))
  const waits = new Map<string, Wait>()
  for (const task of view.tasks) {
    const wait = waitOf(task, { view, isOpen, known, planned: planned.get(task.id) })
    if (wait) waits.set(task.id, wait)
  }
  return waits
}

/** Statuses of tasks that are not over. */
export const OPEN: ReadonlySet<TaskView['status']> = new Set(['pending', 'ready', 'running', 'landing', 'conflict'])

type TaskContext = {
  view: View
  /** Whether a task is not over. */
  isOpen: (task: string) => boolean
  known: Known
  planned: Plan['tasks'][number] | undefined
}

export function waitOf(task: TaskView, { view, isOpen, known, planned }: TaskContext): Wait | null {
  if (task.status === 'conflict') return { kind: 'person' }
  if (task.status !== 'pending' && task.status !== 'ready' && task.status !== 'landing') return null
  const budget = budgetOf(task, view)
  if (task.status !== 'landing' && budget) return { kind: 'budget', budget }
  const needs = [...task.needs, ...(planned?.after ?? [])].filter(isOpen)
  if (task.status === 'pending' && needs.length > 0) return { kind: 'task', tasks: needs }
  if (!view.engine) return { kind: 'resume' }
  if (task.status === 'landing') return { kind: 'landing', verifying: view.queue?.batch.includes(task.id) ?? false }
  if (task.retryAt !== null && task.retryAt > known.now) return { kind: 'retry', until: task.retryAt }
  const pause = pauseOf(planned, view, known.now)
  if (pause) return { kind: 'pause', ...pause }
  const hold = known.holds?.get(task.id)
  if (hold) return { kind: 'hold', name: hold.name, glob: hold.glob, until: hold.until }
  const claim = known.claims?.get(task.id)
  if (claim) return { kind: 'claim', glob: claim.glob, holder: claim.holder.name }
  if (task.status === 'pending' && view.schedule === 'waves') return { kind: 'wave' }
  return { kind: 'slot', ...(planned?.labels?.length ? { labels: planned.labels } : {}) }
}

function budgetOf({ id, epic }: TaskView, { budgets }: View): Budget | undefined {
  const names = { run: 'run', epic, task: id }
  return budgets?.holding.find(({ scope, name }) => names[scope] === name)
}

/** The pause that ends first, if all agents of the task are paused. */
function pauseOf(planned: TaskContext['planned'], { paused = [] }: View, now: number): PauseView | null {
  const agents = planned ? agentsOf(planned.work) : []
  const still = paused.filter(({ until }) => until > now)
  const mine = agents.map((agent) => still.find((pause) => pause.agent === agent))
  if (mine.length === 0 || mine.some((pause) => pause === undefined)) return null
  return mine.reduce((first, pause) => (pause && first && pause.until < first.until ? pause : first)) ?? null
}

/** `waits for users, schema`; without the task itself. */
export function waitText(wait: Wait, now: number): string {
  const left = (until: number) => formatDuration(Math.max(0, until - now))
  switch (wait.kind) {
    case 'task':
      return `waits for ${nameList(wait.tasks, NAMES_WIDTH)}`
    case 'claim':
      return `waits for ${wait.holder}: ${wait.glob}`
    case 'hold':
      return `waits for ${wait.name}'s hold on ${wait.glob}, ${left(wait.until)} left`
    case 'budget':
      return `waits for a larger budget${budgetText(wait.budget)}`
    case 'pause':
      return `waits for ${wait.agent}, paused for ${left(wait.until)} (${PAUSED[wait.why]})`
    case 'retry':
      return `retry in ${left(wait.until)}`
    case 'person':
      return 'waits for you to resolve the conflict'
    case 'landing':
      return wait.verifying ? 'is being verified before it lands' : 'waits to land'
    case 'wave':
      return 'waits for the next wave'
    case 'slot':
      return `waits for a free slot${wait.labels ? ` on a machine with ${wait.labels.join(', ')}` : ''}`
    case 'resume':
      return 'waits for `espalier resume`'
    default:
      return wait satisfies never
  }
}

/** ` of epic api (spent $2.00 of $2.00)`; that of the run needs no name. */
function budgetText({ scope, name, spentUsd, budgetUsd }: Budget): string {
  const whose = scope === 'run' ? '' : ` of ${scope} ${name}`
  return `${whose} (spent ${money(spentUsd)} of ${money(budgetUsd)})`
}

const NAMES_WIDTH = 40

export const PAUSED: Record<PauseView['why'], string> = {
  limited: 'rate limit',
  unreachable: 'its provider cannot be reached',
  login: 'its login is not accepted; see `espalier doctor`',
  broken: 'it crashed again and again',
}
