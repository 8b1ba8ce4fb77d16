// A search once its file has been read: plain data with every default filled in, kept with the plan of its run. Ideas are in
// it with their texts, so that a run that is resumed needs none of the files it was read from.

export type Search = {
  objective: string
  /** Tried on every node, in the order of their paths. */
  ideas: Idea[]
  /** Proposer of so many further ideas for each node; null: none. */
  propose: { count: number; work: StepWork } | null
  /** Steps that turn an idea into a candidate, in this order, in one worktree. Names become part of the ids of tasks. */
  steps: { name: string; work: StepWork }[]
  /** Commands that must pass in a worktree of the candidate before it is scored. */
  gates: string[]
  score: Score
  /** Runs of the score command; the median counts. */
  repeats: number
  /** Nodes kept of each depth. */
  beam: number
  depth: number
  /** Against the parent. */
  minImprovement: { amount: number; unit: 'absolute' | 'percent' }
  /** Globs of the evaluator's paths: in a worktree that is judged they are those of the root. */
  protected: string[]
  /** Treatment of a candidate that changed a protected path: flagged and judged without the change, or failed. */
  onProtected: 'flag' | 'refuse'
  /** Total time for the steps of an eval. */
  timeoutMs?: number | undefined
  /** Environment variables of everything that is run for it. */
  env?: Record<string, string> | undefined
  /** Children of a node that is certain to be promoted start before the others of its depth are done. */
  eager: boolean
}

/** `path`: as it was found, or what its proposer called it. */
export type Idea = { path: string; text: string }

/** Agent null: the one that the settings name. */
export type StepWork =
  | { kind: 'prompt'; prompt: string; agent: string | null; model: string | null }
  | { kind: 'command'; command: string }

export type Score = {
  run: string
  goal: 'max' | 'min'
  /** Source of the numbers: a file that the command writes, else its output. */
  file: string | null
  /** Each named group is a score; without names: the first group, or the whole match. */
  pattern: string | null
  /** Dotted paths into JSON. Empty: the last number there is. */
  keys: string[]
  /** The number that ranks; the others are recorded. */
  rankedBy: string
}

/** Name of the score where the command gives only one. */
export const SCORE = 'score'

/** Role of a task in its search. */
export type SearchRole =
  /** `idea`: the path of the one it tries. */
  | { role: 'step'; eval: string; idea: string }
  /** `parent`: the judge of the node that the candidate comes from; null: it judges the root. */
  | { role: 'judge'; eval: string; idea: string; parent: string | null }
  | { role: 'propose'; node: string }
  | { role: 'result'; node: string }
