// Names of the folders in which commands of an attempt leave their output: `setup-1`, `work`, `verify-1`; where the agent
// was asked to go on: `work-2`, `verify-2.1`. For a candidate that is judged: `gate-1`, `score-1`.
import { readdir } from 'node:fs/promises'

export type StepKind = 'setup' | 'verify'

export function stepName(kind: StepKind | 'gate' | 'score', number: number, iteration = 1): string {
  return iteration === 1 ? `${kind}-${number}` : `${kind}-${iteration}.${number}`
}

export function workName(iteration: number): string {
  return iteration === 1 ? 'work' : `work-${iteration}`
}

/** Sorted by the order in which they ran; other names are left out. */
function inOrder(names: readonly string[]): string[] {
  const steps = names.flatMap((name) => parse(name) ?? [])
  const rank = ({ kind }: Parsed) => KINDS.indexOf(kind)
  steps.sort((a, b) => a.iteration - b.iteration || rank(a) - rank(b) || a.number - b.number)
  return steps.map(({ name }) => name)
}

export function isWork(step: string): boolean {
  return /^work(-\d+)?$/.test(step)
}

export async function stepsIn(root: string): Promise<string[]> {
  const names = await readdir(root, { withFileTypes: true }).catch(() => [])
  return inOrder(names.filter((entry) => entry.isDirectory()).map((entry) => entry.name))
}

export function isCheckOf(name: string, kind: StepKind, iteration: number): boolean {
  const step = parse(name)
  return step?.kind === kind && step.iteration === iteration
}

const KINDS = ['setup', 'gate', 'score', 'work', 'verify']

type Parsed = { name: string; kind: string; iteration: number; number: number }

function parse(name: string): Parsed | null {
  const [, kind = '', first = '1', second] = /^(setup|gate|score|work|verify)(?:-(\d+)(?:\.(\d+))?)?$/.exec(name) ?? []
  if (kind === '') return null
  if (kind === 'work' || second !== undefined)
    return { name, kind, iteration: Number(first), number: Number(second ?? 1) }
  return { name, kind, iteration: 1, number: Number(first) }
}
