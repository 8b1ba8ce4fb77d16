// The commands for searches.
import { type Command, Option } from 'commander'
import { ON_BUDGET } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import { actionOf, type Calls } from './calls.ts'
import { dollars, filled, wholeNumber } from './flag-values.ts'
import { pageOption, withRepository } from './flags.ts'
import { EXIT_STATUSES } from './statuses.ts'

export function addSearchCommands(program: Command, calls: Calls): void {
  const { inRepository, inWorkspace } = actionOf(calls)
  const search = program.command('search').description('try ideas in parallel, score them and keep the best')
  withRepository(withSearchFlags(search.command('run').description('run a search').argument('<file>')))
    .addHelpText('after', HELP.run)
    .action(inWorkspace(async () => (await import('../search/run.ts')).run))
  withRepository(search.command('check').description('check a search').argument('<file>'))
    .option('--json', 'print {ok, problems, …} as JSON')
    .addHelpText('after', HELP.check)
    .action(inRepository(async () => (await import('../search/check.ts')).check))
  withRepository(search.command('show').description('show a search: every eval, and why it was promoted or not'))
    .argument('[run]')
    .option('--json', 'print the manifest')
    .option('--markdown [file]', 'TREE_SUMMARY.md (default)')
    .addOption(new Option('--mermaid', 'print the tree as a Mermaid drawing').conflicts(['json']))
    .addOption(pageOption('an HTML page').conflicts(['json', 'mermaid']))
    .addHelpText('after', HELP.show)
    .action(inWorkspace(async () => (await import('../search/show.ts')).show))
  withRepository(search.command('status').description('show how far a search is').argument('[run]'))
    .option('--events', 'list what happened to each eval: queued, started, completed, failed, requeued')
    .option('--json', 'print one JSON object; with --events one per line')
    .addHelpText('after', HELP.status)
    .action(inWorkspace(async () => (await import('../search/show.ts')).status))
  withRepository(search.command('best').description('show the best node of a search').argument('[run]'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.best)
    .action(inWorkspace(async () => (await import('../search/best.ts')).best))
  withRepository(
    search.command('compare').description('compare two nodes, evals or searches').argument('<a>').argument('<b>'),
  )
    .option('--run <run>', 'the search they are of; default: the newest')
    .option('--patch', 'their difference in full')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.compare)
    .action(inWorkspace(async () => (await import('../search/best.ts')).compare))
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

const HELP = {
  run: `
Tries each idea on every node of a tree: steps (agents or commands) make a candidate of it, gates and a score command judge it
in a fresh worktree with the evaluator's own files. The best of each depth become the nodes of the next. What is chosen does not
depend on how many evals run at a time. The best of all is the branch of the run; \`espalier land\` brings it onto yours.
\`espalier resume\` continues a search that was interrupted or killed.
${EXIT_STATUSES}

Examples:
  espalier search run search.yaml --dry-run
  espalier search run search.yaml --max-parallel-evals 4
  espalier search run search.yaml --beam-width 3 --max-depth 2 --eval-retries 1 --eval-timeout-seconds 600`,

  check: `
Exit status: 0 it can be run, 2 it cannot.`,

  show: `
Without RUN: the newest search. The manifest (--json) has a JSON Schema: schema/search-manifest.schema.json.

Exit status: 0, or 2 if there is no such search.

Examples:
  espalier search show
  espalier search show --json | jq '.evals[] | select(.promotion.status == "promoted")'
  espalier search show --html tree.html`,

  status: `
Without RUN: the newest search.

Exit status: 0, or 2 if there is no such search.`,

  best: `
Without RUN: the newest search.

Exit status: 0, 1 if there is no score yet, 2 if there is no such search.`,

  compare: `
A and B are nodes (n3f9c0a1b2d4e, root), evals (root-2) or searches, of which the best is compared.

Exit status: 0, or 2 if there is no such node, eval or search.`,
} as const
