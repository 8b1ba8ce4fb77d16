import { LIMITS } from '../../config.ts'
import { asWarning, inspectBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { checkSearch, openSearch, searchPlan, unprotectedPaths } from '../../engine/open/open-search.ts'
import { fleetRunnerFor } from '../../fleet/load-fleet.ts'
import { refuse } from '../../problem.ts'
import type { Search } from '../../search-definition.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { hanging } from '../../text/width.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { Flag, flag, inRepository, inWorkspace, RUN_FLAGS } from '../command-line/command.ts'
import { filled, wholeNumber } from '../command-line/flag-values.ts'
import { EXIT_STATUSES } from '../command-line/run-and-resume-help.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type LoadedSearch, loadSearch, type SearchFlags } from '../inputs/search-file.ts'
import { runToRest } from '../live/follow-run.ts'
import { type Done, problemLines } from '../refusal.ts'
import { width } from '../surroundings.ts'
import { printJson } from '../terminal/print.ts'

export const commands = {
  run: inWorkspace(
    {
      maxParallelEvals: flag(
        '--max-parallel-evals <n>',
        'how many evals run at once; default: 1',
        atMost(LIMITS.slots),
      ),
      workersOnly: RUN_FLAGS.workersOnly,
      maxParallelPerNode: flag('--max-parallel-per-node <n>', 'soft cap on evals of one node', atMost(LIMITS.slots)),
      parallelBackend: new Flag<string>('--parallel-backend <name>', 'where evals run')
        .choices(['local'])
        .default('local'),
      evalRetries: flag(
        '--eval-retries <n>',
        'how often a failed step or measurement is retried',
        upTo(LIMITS.retries),
      ),
      evalTimeoutSeconds: flag('--eval-timeout-seconds <n>', 'end an eval after N seconds', seconds),
      strictFail: flag('--strict-fail', 'an eval that fails stops the search'),
      beamWidth: flag('--beam-width <n>', 'how many nodes of a depth are kept', atMost(LIMITS.beam)),
      maxDepth: flag('--max-depth <n>', 'how many ideas are tried on top of each other', atMost(LIMITS.searchDepth)),
      eagerDepth: flag('--eager-depth', 'start on nodes that are certain before their depth is done'),
      noEagerDepth: flag('--no-eager-depth', 'wait for all evals of a depth; default with one eval at a time'),
      root: flag('--root <rev>', 'start from this commit instead of the root of the file or HEAD', filled('--root')),
      agent: RUN_FLAGS.agent,
      command: RUN_FLAGS.command,
      budgetUsd: RUN_FLAGS.budgetUsd,
      onBudget: RUN_FLAGS.onBudget,
      dryRun: flag('--dry-run', 'print what would be tried, without running it'),
      json: flag('--json', 'print one JSON event per line'),
    },
    `
Tries each idea on every node of a tree: steps (agents or commands) make a candidate of it, gates and a score command judge it
in a fresh worktree with the evaluator's own files. The best of each depth become the nodes of the next. What is chosen does not
depend on how many evals run at a time. The best of all is the branch of the run; \`espalier land\` brings it onto yours.
\`espalier resume\` continues a search that was interrupted or killed.
${EXIT_STATUSES}

Examples:
  espalier search run search.yaml --dry-run
  espalier search run search.yaml --max-parallel-evals 4
  espalier search run search.yaml --beam-width 3 --max-depth 2 --eval-retries 1 --eval-timeout-seconds 600`,
    runSearch,
  ),
  check: inRepository(
    { json: flag('--json', 'print {ok, problems, …} as JSON') },
    `
Exit status: 0 it can be run, 2 it cannot.`,
    async (here, flags, named: string) => {
      const loaded = await loadSearch(named, {}, here)
      if (!loaded.ok) {
        if (!flags.json) return loaded
        printJson({ ok: false, problems: loaded.problems }, here)
        return EXIT.badInput
      }
      const { read, ideas, settings } = loaded.value
      const lacking = checkSearch({ read, ideas, settings, environment: here.env })
      const problems = [...loaded.value.warnings, ...lacking.map(asWarning)]
      const workspace = await openWorkspace(here)
      if (workspace.ok) {
        here.resources.use(workspace.value)
        problems.push(...(await unprotectedPaths(workspace.value, read)))
      }
      const { search } = read
      const said = { ideas: ideas.map(({ path }) => path), beam_width: search.beam, max_depth: search.depth }
      const proposed = search.propose ? ` and up to ${search.propose.count} proposed ones` : ''
      if (!flags.json) here.err.write(problemLines(problems, here.err))
      return {
        json: { ok: true, problems, ...said },
        lines: [`Search OK: ${count(ideas.length, 'idea')}${proposed}, beam ${search.beam}, depth ${search.depth}`],
      }
    },
  ),
}

function atMost(most: number): (text: string) => number {
  return wholeNumber(1, most)
}

function upTo(most: number): (text: string) => number {
  return wholeNumber(0, most)
}

function seconds(text: string): number {
  return wholeNumber(1, Math.floor(LIMITS.durationMs / 1000))(text) * 1000
}

export async function runSearch(
  here: InWorkspace,
  flags: SearchFlags & { dryRun?: boolean; json?: boolean },
  named: string,
): Promise<Done> {
  const since = Date.now()
  const { workspace } = here
  const loaded = await loadSearch(named, flags, here)
  if (!loaded.ok) return loaded
  const { read, ideas, file, settings, warnings } = loaded.value
  here.err.write(problemLines(warnings, here.err))
  if (flags.dryRun) return dryRun(loaded.value, here)
  const runner = await fleetRunnerFor(workspace.folder.database)
  const opened = await openSearch(workspace, { read, ideas, file, settings, environment: here.env, runner })
  if (!opened.ok) return opened
  await using run = opened.value
  return await runToRest(run, { json: flags.json, since }, here)
}

async function dryRun({ read, ideas, settings }: LoadedSearch, here: InWorkspace): Promise<Done> {
  const options = { read, ideas, settings, environment: here.env }
  const before = await inspectBeforeRun(here.workspace, { plan: searchPlan(options), settings }, { isDryRun: true })
  if (before.refusals.length > 0) return refuse(...before.refusals)
  // Only warnings: an agent can still be named by a flag, or installed.
  const lacking = checkSearch(options).map(asWarning)
  here.err.write(problemLines(lacking, here.err))
  const { search } = read
  const perNode = ideas.length + (search.propose?.count ?? 0)
  const most = perNode + perNode * search.beam * (search.depth - 1)
  const evals = ideas.map(({ path }, index) => {
    return { eval_id: `root-${index + 1}`, parent_node_id: 'root', idea_path: path, depth: 1 }
  })
  const steps = search.steps.map(({ name }) => name)
  const limits = { beam_width: search.beam, max_depth: search.depth, max_parallel_evals: settings.maxConcurrency }
  const lines = [
    `${read.name}: ${search.objective}`,
    `First the repository as it is (the root) is measured: ${[...search.gates, search.score.run].map((one) => `\`${one}\``).join(', ')}`,
    `Then ${count(perNode, 'idea')}, ${settings.maxConcurrency} at a time: ${[...search.steps.map(stepText), 'then measured as the root was'].join(', ')}`,
    ...evals.map(({ eval_id, idea_path }) => `  ${eval_id}  ${idea_path}`),
    ...(search.propose ? [`  and up to ${search.propose.count} that an agent proposes`] : []),
    `${keptText(search)} At most ${most} evals (ideas tried) in all.`,
  ]
  return {
    json: { name: read.name, ...limits, steps, most_evals: most, evals },
    lines: lines.flatMap((line) => hanging(line, width(here.out) - 1, 2)),
  }
}

function stepText({ work }: Search['steps'][number]): string {
  return work.kind === 'command' ? `\`${safeLine(work.command)}\`` : `agent ${work.agent}`
}

function keptText({ beam, depth }: Search): string {
  const best = beam === 1 ? 'The best one is promoted' : `The best ${beam} are promoted`
  if (depth === 1) return `${best}.`
  return `${best}: the ideas are tried again on top of ${beam === 1 ? 'it' : 'each'}, to depth ${depth}.`
}
