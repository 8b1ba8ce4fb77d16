// The tree of a search, grown depth by depth from what its evals came to. The engine grows a run by it, and the manifest, the
// simulation and the reports are made of it: there is no second place that knows how a search goes on.
//
// Properties
// - Whatever order the outcomes come in, and however often it is asked in between, the tree that is complete is the same.
// - A node is only added when it is certain (promote.ts), and never goes away again. Several evals with the same tree of
//   files are one node; reports name it after one of these evals, which is settled when its depth is closed.
// - A depth is decided only when the one before it is closed.
// - A call costs as much as the outcomes that came in since the last call: a depth is ranked only while fewer evals are open
//   than the beam has places.

import type { AttemptResult } from '../../event.ts'
import type { Idea, Search } from '../../search-definition.ts'
import { isOver, type TaskStatus } from '../../status.ts'
import { evalId, judgeOf, nodeId, proposerOf, ROOT } from './ids.ts'
import { improvement, type Measured, type Outcome, promote, type Standing, spreadOf } from './promote.ts'

export type Node = Measured & {
  id: string
  depth: number
  /** The eval it came from, with the node and the idea of that; the root's own. */
  eval: string
  parent: string | null
  idea: string | null
}

/** `number`: of the idea among those of its node. */
export type Eval = { id: string; depth: number; parent: string; number: number; idea: Idea }

/** Results of the run so far. */
type Known = {
  /** Outcome by id of the eval, the root's included. */
  outcome: (evaluation: string) => Outcome
  /** Ideas proposed for a node; null: not yet. Asked only if the search has a proposer. */
  proposed: (node: string) => Idea[] | null
}

type Told = { status: TaskStatus; history: readonly { result?: AttemptResult | undefined }[] }

/** `find`: a task of the run by its name. */
export function knownBy({ score }: Pick<Search, 'score'>, find: (task: string) => Told | null | undefined): Known {
  const ended = (task: string) => {
    const found = find(task)
    return found && isOver(found.status) ? { status: found.status, result: found.history.at(-1)?.result } : null
  }
  return {
    outcome: (evaluation) => {
      const judge = ended(judgeOf(evaluation))
      if (!judge) return OPEN
      const value = judge.status === 'passed' ? judge.result?.scores?.[score.rankedBy] : undefined
      if (value === undefined || judge.result?.tree === undefined) return { state: 'failed' }
      const { samples, tree } = judge.result
      return { state: 'scored', score: value, spread: spreadOf(samples?.[score.rankedBy]), tree }
    },
    proposed: (node) => {
      const proposer = ended(proposerOf(node))
      return proposer && (proposer.result?.ideas ?? [])
    },
  }
}

const OPEN: Outcome = { state: 'open' }

type Depth = {
  evals: Eval[]
  open: Map<string, Eval>
  outcomes: Map<string, Outcome>
  standings: Map<string, Standing>
  /** Nodes whose ideas are not known yet: their evals belong here. */
  awaited: Node[]
  isClosed: boolean
}

export class Tree {
  readonly search: Search
  /** Nodes by id, in the order of promotion. */
  readonly nodes = new Map<string, Node>()
  readonly depths: Depth[] = []
  root = OPEN
  /** The best that was measured so far, of those that are better than what they were tried on. It may not be promoted yet. */
  leading: { score: number; idea: string } | null = null

  constructor(search: Search) {
    this.search = search
  }

  /** Takes in what is known by now. `changed`: the evals that may have changed since; without: all. The evals that are new. */
  advance(known: Known, changed?: Iterable<string>): Eval[] {
    if (this.root.state === 'open') this.#plant(known.outcome(ROOT))
    const looked = changed && [...changed]
    const added: Eval[] = []
    for (let index = 0; index < this.depths.length; index++) {
      const depth = this.depths[index] as Depth
      if (depth.isClosed) continue
      added.push(...this.#expand(depth, known))
      for (const id of looked ?? depth.open.keys()) {
        const one = depth.open.get(id)
        const now = one ? known.outcome(id) : OPEN
        if (!one || now.state === 'open') continue
        depth.open.delete(id)
        depth.outcomes.set(id, now)
        if (now.state === 'scored') this.#compare(one, now)
      }
      this.#decide(index)
    }
    return added
  }

  /** Nothing will be added any more. */
  get isOver(): boolean {
    return this.root.state !== 'open' && this.depths.every((depth) => depth.isClosed)
  }

  /** The best of all; the root where nothing is better. Null: the root has no score. */
  get best(): Node | null {
    const [first = null, ...others] = this.inOrder
    return first && others.reduce((best, node) => (this.#isBetter(node, best) ? node : best), first)
  }

  get inOrder(): Node[] {
    const rank = ({ depth, eval: evaluation }: Node) => {
      const standing = this.depths[depth - 1]?.standings.get(evaluation)
      return standing?.status === 'promoted' ? standing.rank : 0
    }
    return [...this.nodes.values()].sort((a, b) => a.depth - b.depth || rank(a) - rank(b))
  }

  /** The nodes from the root to this one. */
  wayTo(id: string | null): Node[] {
    const node = id === null ? undefined : this.nodes.get(id)
    return node ? [...this.wayTo(node.parent), node] : []
  }

  #isBetter(one: { score: number }, other: { score: number }): boolean {
    return this.search.score.goal === 'max' ? one.score > other.score : one.score < other.score
  }

  #compare({ parent, idea }: Eval, measured: Measured): void {
    const { minImprovement, score } = this.search
    const from = this.nodes.get(parent) as Node
    const { gain, noise } = improvement({ goal: score.goal, minImprovement }, measured, from)
    const isBest = this.leading === null || this.#isBetter(measured, this.leading)
    if (gain > noise && isBest) this.leading = { score: measured.score, idea: idea.path }
  }

  #plant(outcome: Outcome): void {
    this.root = outcome
    if (outcome.state !== 'scored') return
    const { state, ...measured } = outcome
    this.#add({ id: ROOT, depth: 0, eval: ROOT, parent: null, idea: null, ...measured })
  }

  #add(node: Node): void {
    this.nodes.set(node.id, node)
    if (node.depth >= this.search.depth) return
    this.depths[node.depth] ??= {
      ...{ evals: [], open: new Map(), outcomes: new Map(), standings: new Map(), awaited: [], isClosed: false },
    }
    this.depths[node.depth]?.awaited.push(node)
  }

  #expand(depth: Depth, { proposed }: Known): Eval[] {
    const { ideas, propose } = this.search
    const added: Eval[] = []
    for (const node of depth.awaited.splice(0)) {
      const more = propose ? proposed(node.id) : []
      if (more === null) depth.awaited.push(node)
      else
        [...ideas, ...more].forEach((idea, index) => {
          const number = index + 1
          added.push({ id: evalId(node.id, number), depth: node.depth + 1, parent: node.id, number, idea })
        })
    }
    for (const one of added) {
      depth.evals.push(one)
      depth.open.set(one.id, one)
    }
    return added
  }

  #decide(index: number): void {
    const depth = this.depths[index] as Depth
    if (index > 0 && !this.depths[index - 1]?.isClosed) return
    const { eager, beam } = this.search
    const open = depth.open.size + depth.awaited.length
    if (open > 0 && (!eager || depth.awaited.length > 0 || open >= beam)) return
    depth.standings = promote(
      this.#rules(index),
      depth.evals.map(({ id, parent, number }) => {
        return { id, parent, number, from: this.nodes.get(parent) as Node, outcome: depth.outcomes.get(id) ?? OPEN }
      }),
    )
    depth.isClosed = open === 0
    for (const one of depth.evals) {
      const outcome = depth.outcomes.get(one.id)
      if (depth.standings.get(one.id)?.status !== 'promoted' || outcome?.state !== 'scored') continue
      const { state, ...measured } = outcome
      const id = nodeId(measured.tree)
      const found = { eval: one.id, parent: one.parent, idea: one.idea.path, ...measured }
      const node = this.nodes.get(id)
      if (node) Object.assign(node, found)
      else this.#add({ id, depth: one.depth, ...found })
    }
  }

  #rules(index: number): Parameters<typeof promote>[0] {
    const { score, beam, minImprovement } = this.search
    const nodeOf = (tree: string) => {
      const root = this.nodes.get(ROOT)
      const node = root?.tree === tree ? root : this.nodes.get(nodeId(tree))
      return node && node.depth <= index ? node.id : undefined
    }
    return { goal: score.goal, beam, minImprovement, nodeOf }
  }
}
