// Tasks of a search: each eval is an epic. Its steps share a worktree and never land; its judge measures the result. A child
// begins with what the judge of its node has measured, so nothing unjudged is built upon.
import type { AddedTasks } from '../../event.ts'
import type { Idea, Search, StepWork } from '../../search.ts'
import type { Epic, Plan, Task, Work } from '../../task.ts'
import { judgeOf, proposerOf, RESULT, ROOT, stepOf } from './ids.ts'
import type { Eval, Node } from './tree.ts'

/** The plan a search begins with: its root is measured before anything is tried. */
export function firstPlan(search: Search, { name, root }: { name: string; root: string | null }): Plan {
  const judge = newTask(judgeOf(ROOT), 'The root, with no idea yet: measure', {
    kind: 'command',
    command: search.score.run,
  })
  const task: Task = { ...judge, ...environment(search), search: { role: 'judge', eval: ROOT, idea: '', parent: null } }
  return { name, objective: search.objective, base: root, search, epics: [], tasks: [task] }
}

/** `node`: what it is tried on; `lineage`: the ideas that led there, the first one first. */
export function evalTasks(
  search: Search,
  { id, depth, idea }: Eval,
  node: Node,
  lineage: readonly string[],
): AddedTasks {
  const title = [...lineage.map((path) => ideaName({ path })), ideaName(idea)].slice(-TITLE_IDEAS).join(' → ')
  const parent = judgeOf(node.eval)
  const of = { epic: id, group: node.id, priority: 2 * depth, ...environment(search) }
  const guard = search.onProtected === 'refuse' && search.protected.length > 0 ? { protected: search.protected } : {}
  let from = parent
  const steps = search.steps.map(({ name, work }): Task => {
    const task = newTask(stepOf(id, name), `${title}: ${name}`, toWork(work))
    const begins = { needs: [from], from }
    from = task.id
    return {
      ...task,
      ...of,
      ...begins,
      ...guard,
      isolation: 'epic',
      search: { role: 'step', eval: id, idea: idea.path },
    }
  })
  const measure = newTask(judgeOf(id), `${title}: measure`, { kind: 'command', command: search.score.run })
  const judge: Task = {
    ...measure,
    ...of,
    // Paid work is measured before more is begun.
    priority: of.priority + 1,
    needs: [from],
    from,
    search: { role: 'judge', eval: id, idea: idea.path, parent },
  }
  const { timeoutMs } = search
  const epic: Epic = { id, title, needs: [], ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  return { epics: [epic], tasks: [...steps, judge] }
}

/** Ideas for a node. `prompt`: what its proposer is told of the search so far. */
export function proposeTask(of: Search, node: Node, told: string): AddedTasks {
  const { propose } = of
  if (!propose) return { epics: [], tasks: [] }
  const from = judgeOf(node.eval)
  const work = toWork(propose.work)
  const task = newTask(proposerOf(node.id), `Propose ideas for ${node.id}`, addTo(work, told))
  const search = { role: 'propose', node: node.id } as const
  const begins = { needs: [from], from, priority: 2 * node.depth + 2 }
  return { epics: [], tasks: [{ ...task, ...environment(of), ...begins, search }] }
}

/** Brings the best node onto the branch of the run. */
export function resultTask({ objective }: Search, node: Node, lineage: readonly string[]): AddedTasks {
  const from = judgeOf(node.eval)
  const title = `${objective}: ${lineage.join(', then ')}`.slice(0, TITLE_CHARS)
  const task = newTask(RESULT, title, { kind: 'command', command: 'true' })
  const search = { role: 'result', node: node.id } as const
  return { epics: [], tasks: [{ ...task, needs: [from], from, land: true, search }] }
}

/** `speed-up.md` of `ideas/speed-up.md`. */
function ideaName({ path }: Pick<Idea, 'path'>): string {
  return path.split('/').at(-1) ?? path
}

const TITLE_CHARS = 160
const TITLE_IDEAS = 4

function environment({ env }: Search): Pick<Task, 'env'> | object {
  return env ? { env } : {}
}

function toWork(work: StepWork): Work {
  if (work.kind === 'command') return work
  return { kind: 'prompt', prompt: work.prompt, agent: work.agent ?? '', model: work.model }
}

function addTo(work: Work, told: string): Work {
  return work.kind === 'prompt' ? { ...work, prompt: `${work.prompt.trimEnd()}\n\n${told}` } : work
}

function newTask(id: string, title: string, work: Work): Task {
  const nothing = { epic: null, needs: [], after: [], claims: { write: [], read: [] }, verify: [], tags: [], env: {} }
  return { id, title, ...nothing, work, priority: 0, estimateMs: null, land: false, isolation: 'task' }
}
