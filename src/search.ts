// A search once its file has been read: plain data with every default filled in, kept with the plan of its run. Ideas are in
// it with their texts, so that a run that is resumed needs none of the files it was read from.

export type Search = {
  objective: string
  /** Tried on every node, in the order of their paths. */
  ideas: Idea[]
  /** Who proposes more of them for each node; null: nobody. */
  propose: Propose | null
  /** What makes a candidate of an idea, in this order, in one worktree. */
  steps: SearchStep[]
  /** Commands that must pass in a worktree of the candidate before it is scored. */
  gates: string[]
  score: Score
  /** How often the score command is run; the median counts. */
  repeats: number
  /** How many nodes of a depth are kept. */
  beam: number
  depth: number
  minImprovement: MinImprovement
  /** Globs of the evaluator's paths: in a worktree that is judged they are those of the root. */
  protected: string[]
  /** What becomes of a candidate that changed one: it is flagged and judged without that, or its step fails. */
  onProtected: 'flag' | 'refuse'
  /** What the steps of an eval may take together. */
  timeoutMs?: number | undefined
  /** Environment variables of everything that is run for it. */
  env?: Record<string, string> | undefined
  /** Children of a node that is certain to be promoted start before the others of its depth are done. */
  eager: boolean
}

/** `path`: as it was found, or what its proposer called it. */
export type Idea = { path: string; text: string }

/** `count`: how many ideas for each node. */
type Propose = { count: number; work: StepWork }

/** `name` becomes part of the ids of tasks. */
type SearchStep = { name: string; work: StepWork }

/** Agent null: the one that the settings name. */
export type StepWork =
  | { kind: 'prompt'; prompt: string; agent: string | null; model: string | null }
  | { kind: 'command'; command: string }

export type Score = {
  run: string
  goal: 'max' | 'min'
  /** Where the numbers are: in a file that the command writes, else in what it prints. */
  file: string | null
  /** With groups that have names, each is a number of its own; without: its first group, or all of it. */
  pattern: string | null
  /** Dotted paths into JSON. Empty: the last number there is. */
  keys: string[]
  /** The number that ranks; the others are recorded. */
  rankedBy: string
}

/** Against the parent. */
export type MinImprovement = { amount: number; unit: 'absolute' | 'percent' }

/** What the number is called where the command gives only one. */
export const SCORE = 'score'

/** What a task is to a search. */
export type SearchRole =
  /** `idea`: the path of the one it tries. */
  | { role: 'step'; eval: string; idea: string }
  /** `parent`: the judge of the node that the candidate comes from; null: it judges the root. */
  | { role: 'judge'; eval: string; idea: string; parent: string | null }
  | { role: 'propose'; node: string }
  | { role: 'result'; node: string }
