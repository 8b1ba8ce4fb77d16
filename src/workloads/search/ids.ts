// The names of nodes, evals and their tasks. A node is a tree of files, and is named by it: two evals that come to the same tree
// come to the same node. An eval is an idea tried on a node, and is named by both: `n3f9c0a1b2d4e-2` is the second idea on that
// node. So names are known before anything runs, and do not depend on what was finished first.

import type { Search } from '../../search-definition.ts'

export const ROOT = 'root'

export function nodeId(tree: string): string {
  return `n${tree.slice(0, 12)}`
}

/** `number`: of the idea among those of the node, from 1. */
export function evalId(node: string, number: number): string {
  return `${node}-${number}`
}

export function judgeOf(evaluation: string): string {
  return `${evaluation}-judge`
}

export function stepOf(evaluation: string, step: string): string {
  return `${evaluation}-${step}`
}

/** The tasks of an eval in their order; the root is only judged. */
export function tasksOf({ steps }: Pick<Search, 'steps'>, evaluation: string): string[] {
  const names = evaluation === ROOT ? [] : steps.map(({ name }) => name)
  return [...names.map((name) => stepOf(evaluation, name)), judgeOf(evaluation)]
}

export function proposerOf(node: string): string {
  return `${node}-propose`
}

/** The task that brings the best node onto the branch of the run. */
export const RESULT = 'result'
