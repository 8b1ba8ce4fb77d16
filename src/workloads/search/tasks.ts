// Tasks of a search: each eval is an epic. Its steps share a worktree and never land; its judge measures the result. A child
// begins with what the judge of its node has measured, so nothing unjudged is built upon.
import { posix } from 'node:path'
import type { AddedTasks } from '../../event.ts'
import type { Search, StepWork } from '../../search-definition.ts'
import type { Epic, Plan, Task, Work } from '../../task.ts'
import { judgeOf, proposerOf, RESULT, ROOT, stepOf } from './ids.ts'
import type { Eval, Node, Tree } from './tree.ts'

/** The plan a search begins with: its root is measured before anything is tried. */
export function firstPlan(search: Search, { name, root }: { name: string; root: string | null }): Plan {
  const judge = newTask(judgeOf(ROOT), 'The root, with no idea yet: measure', {
    kind: 'command',
    command: search.score.run,
  })
  const task: Task = { ...judge, ...environment(search), search: { role: 'judge', eval: ROOT, idea: '', parent: null } }
  return { name, objective: search.objective, base: root, search, epics: [], tasks: [task] }
}

/** `way`: the nodes from the root to the one that it is tried on. */
export function evalTasks(search: Search, { id, depth, idea, parent: node }: Eval, way: readonly Node[]): AddedTasks {
  const title = [...ideasOf(way), idea.path]
    .slice(-TITLE_IDEAS)
    .map((path) => posix.basename(path))
    .join(' → ')
  const parent = judgeOf(way.at(-1)?.eval ?? ROOT)
  const of = { epic: id, group: node, priority: 2 * depth, ...environment(search) }
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

/** Brings the best node onto the branch of the run. `way`: the nodes from the root to it. */
export function resultTask({ objective }: Search, way: readonly Node[]): AddedTasks {
  const { id, eval: evaluation } = way.at(-1) as Node
  const from = judgeOf(evaluation)
  const title = `${objective}: ${ideasOf(way).join(', then ')}`.slice(0, TITLE_CHARS)
  const task = newTask(RESULT, title, { kind: 'command', command: 'true' })
  const search = { role: 'result', node: id } as const
  return { epics: [], tasks: [{ ...task, needs: [from], from, land: true, search }] }
}

/** The first one first. */
function ideasOf(way: readonly Node[]): string[] {
  return way.flatMap(({ idea }) => idea ?? [])
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

/**
 * Text for the proposer of a node's ideas: the way to it, earlier ideas and what they came to. Made when the node's depth is closed,
 * so it does not depend on what runs at the same time.
 */
export function soFar(tree: Tree, node: Node): string {
  const { search, depths } = tree
  const { rankedBy, goal } = search.score
  const lines = [
    `# The search so far`,
    '',
    `Objective: ${search.objective}`,
    `Score: \`${rankedBy}\`, ${goal === 'max' ? 'more' : 'less'} is better.`,
    '',
    `This worktree is node ${node.id}, with a score of ${node.score}. It came about like this:`,
    '',
    ...tree.wayTo(node.id).map(({ idea, score }) => `- ${idea ?? 'the root'}: ${score}`),
    '',
    'Tried so far:',
    '',
  ]
  const tried = depths.flatMap(({ evals, outcomes, standings }) =>
    evals.flatMap(({ id, idea, parent }) => {
      const outcome = outcomes.get(id)
      const standing = standings.get(id)
      if (!outcome || !standing) return []
      const came = outcome.state === 'scored' ? `${outcome.score}, ${standing.status}` : 'failed'
      return [`- ${idea.path} on ${parent}: ${came}`]
    }),
  )
  const shown = tried.slice(-MOST_TRIED)
  const count = search.propose?.count ?? 0
  return [
    ...lines,
    ...(shown.length > 0 ? shown : ['- nothing yet']),
    '',
    `Propose up to ${count} new ideas for this node. Write each into a file of its own in the folder $ESPALIER_IDEAS, named by what it`,
    'is about (`use-a-table.md`), in words that another agent can carry out. Change nothing else.',
  ].join('\n')
}

const MOST_TRIED = 200
