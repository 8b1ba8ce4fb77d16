import { type Command, Option } from 'commander'
import { ON_BUDGET } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import { openSearch } from '../../engine/open/open-search.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import type { Commands } from '../command-line/calls.ts'
import { dollars, filled, wholeNumber } from '../command-line/flag-values.ts'
import { EXIT_STATUSES, withRepository } from '../command-line/flags.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { loadSearch, type SearchFlags } from '../inputs/search-file.ts'
import { runToRest } from '../live/follow-run.ts'
import { type Done, problemLines } from '../refusal.ts'
import { dryRun } from './dry-run.ts'

export const commands: Commands = {
  run: (command, { inWorkspace }) =>
    withRepository(withSearchFlags(command)).addHelpText('after', HELP).action(inWorkspace(run)),
}

function withSearchFlags(command: Command): Command {
  return command
    .option('--max-parallel-evals <n>', 'how many evals run at the same time; default: 1', wholeNumber(1, LIMITS.slots))
    .option('--workers-only', 'execute nothing on this machine: workers do')
    .option('--max-parallel-per-node <n>', 'soft cap on evals of one node', wholeNumber(1, LIMITS.slots))
    .addOption(new Option('--parallel-backend <name>', 'where evals run').choices(['local']).default('local'))
    .option(
      '--eval-retries <n>',
      'how often a step or a measurement that failed is retried',
      wholeNumber(0, LIMITS.retries),
    )
    .option('--eval-timeout-seconds <n>', 'end an eval after N seconds', seconds)
    .option('--strict-fail', 'an eval that fails stops the search')
    .option('--beam-width <n>', 'how many nodes of a depth are kept', wholeNumber(1, LIMITS.beam))
    .option('--max-depth <n>', 'how many ideas are tried on top of each other', wholeNumber(1, LIMITS.searchDepth))
    .option(
      '--eager-depth',
      'start on nodes that are certain before their depth is done; default with more than one eval at a time',
    )
    .option('--no-eager-depth', 'wait until all evals of a depth are done')
    .option('--root <rev>', 'start from this commit instead of the root of the file or HEAD', filled('--root'))
    .option('--agent <name>', 'the agent for every prompt, such as claude', filled('--agent'))
    .option('--command <command>', 'use this program as the agent: it gets every prompt', filled('--command'))
    .option(
      '--budget-usd <n>',
      'end the search with the best so far once it has cost N US dollars; `none` for no limit',
      dollars,
    )
    .addOption(new Option('--on-budget <what>', 'running evals when the budget is used up').choices([...ON_BUDGET]))
    .option('--dry-run', 'print what would be tried, without running it')
    .option('--json', 'print one JSON event per line')
}

/** In ms. */
function seconds(text: string): number {
  return wholeNumber(1, Math.floor(LIMITS.durationMs / 1000))(text) * 1000
}

type Flags = SearchFlags & { dryRun?: boolean; json?: boolean }

export async function run(named: string, flags: Flags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const { workspace, repeat } = here
  const loaded = await loadSearch(named, flags, here)
  if (!loaded.ok) return loaded
  const { read, ideas, file, settings, warnings } = loaded.value
  here.err.write(problemLines(warnings, here.err))
  if (flags.dryRun) return dryRun(loaded.value, flags.json ?? false, here)
  const runner = await fleetRunnerFor(workspace.folder.database)
  const opened = await openSearch(workspace, { read, ideas, file, settings, environment: here.env, runner })
  if (!opened.ok) return opened
  await using run = opened.value
  return await runToRest(run, { json: flags.json ?? false, since, repeat }, here)
}

const HELP = `
Tries each idea on every node of a tree: steps (agents or commands) make a candidate of it, gates and a score command judge it
in a fresh worktree with the evaluator's own files. The best of each depth become the nodes of the next. What is chosen does not
depend on how many evals run at a time. The best of all is the branch of the run; \`espalier land\` brings it onto yours.
\`espalier resume\` continues a search that was interrupted or killed.
${EXIT_STATUSES}

Examples:
  espalier search run search.yaml --dry-run
  espalier search run search.yaml --max-parallel-evals 4
  espalier search run search.yaml --beam-width 3 --max-depth 2 --eval-retries 1 --eval-timeout-seconds 600`
