// Context for the proposer of a node's ideas: the path to it, earlier ideas and their results. Made when the node's depth is
// closed, so it does not depend on what runs at the same time.
import type { Node, Tree } from './tree.ts'

export function soFar(tree: Tree, node: Node): string {
  const { search, nodes, depths } = tree
  const { rankedBy, goal } = search.score
  const lines = [
    `# The search so far`,
    '',
    `Objective: ${search.objective}`,
    `Score: \`${rankedBy}\`, ${goal === 'max' ? 'more' : 'less'} is better.`,
    '',
    `This worktree is node ${node.id}, with a score of ${node.measured.score}. It came about like this:`,
    '',
    ...wayTo(nodes, node).map(({ idea, measured }) => `- ${idea ?? 'the root'}: ${measured.score}`),
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

function wayTo(nodes: ReadonlyMap<string, Node>, node: Node): Node[] {
  const way: Node[] = []
  for (
    let current: Node | undefined = node;
    current;
    current = current.parent === null ? undefined : nodes.get(current.parent)
  )
    way.unshift(current)
  return way
}
