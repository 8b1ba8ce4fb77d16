// `espalier search run --dry-run`: what would be tried first, and how much at most. Nothing is written.

import { asWarning, inspectBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { checkSearch, searchPlan } from '../../engine/open/open-search.ts'
import { refuse } from '../../problem.ts'
import type { Search } from '../../search.ts'
import { count } from '../../text/count.ts'
import { safeLine } from '../../text/safe.ts'
import { hanging } from '../../text/width.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { LoadedSearch } from '../inputs/search-file.ts'
import { type Done, problemLines } from '../refusal.ts'
import { width } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'

export async function dryRun({ read, ideas, settings }: LoadedSearch, json: boolean, here: InWorkspace): Promise<Done> {
  const options = { read, ideas, settings, environment: here.env }
  const before = await inspectBeforeRun(here.workspace, { plan: searchPlan(options), settings }, { isDryRun: true })
  if (before.refusals.length > 0) return refuse(...before.refusals)
  // An agent can still be named by a flag, or installed.
  const lacking = checkSearch(options).map(asWarning)
  here.err.write(problemLines(lacking, here.err))
  const { search } = read
  const perNode = ideas.length + (search.propose?.count ?? 0)
  const most = perNode + perNode * search.beam * (search.depth - 1)
  const evals = ideas.map(({ path }, index) => {
    return { eval_id: `root-${index + 1}`, parent_node_id: 'root', idea_path: path, depth: 1 }
  })
  const steps = search.steps.map(({ name }) => name)
  if (json) {
    const limits = { beam_width: search.beam, max_depth: search.depth, max_parallel_evals: settings.maxConcurrency }
    return printJson({ name: read.name, ...limits, steps, most_evals: most, evals }, here)
  }
  const lines = [
    `${read.name}: ${search.objective}`,
    `First the repository as it is (the root) is measured: ${[...search.gates, search.score.run].map((one) => `\`${one}\``).join(', ')}`,
    `Then ${count(perNode, 'idea')}, ${settings.maxConcurrency} at a time: ${[...search.steps.map(stepText), 'then measured as the root was'].join(', ')}`,
    ...evals.map(({ eval_id, idea_path }) => `  ${eval_id}  ${idea_path}`),
    ...(search.propose ? [`  and up to ${search.propose.count} that an agent proposes`] : []),
    `${keptText(search)} At most ${most} evals (ideas tried) in all.`,
  ]
  return printLines(
    lines.flatMap((line) => hanging(line, width(here.out) - 1, 2)),
    here,
  )
}

function stepText({ work }: Search['steps'][number]): string {
  return work.kind === 'command' ? `\`${safeLine(work.command)}\`` : `agent ${work.agent}`
}

function keptText({ beam, depth }: Search): string {
  const best = beam === 1 ? 'The best one is promoted' : `The best ${beam} are promoted`
  if (depth === 1) return `${best}.`
  return `${best}: the ideas are tried again on top of ${beam === 1 ? 'it' : 'each'}, to depth ${depth}.`
}
