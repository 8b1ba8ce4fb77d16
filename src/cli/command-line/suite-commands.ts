// The commands for suites: test plans over a pool of worktrees.
import { type Command, InvalidArgumentError } from 'commander'
import { LIMITS } from '../../config.ts'
import { actionOf, type Calls } from './calls.ts'
import { duration, endingIn, filled, slots, wholeNumber } from './flag-values.ts'
import { withRepository } from './flags.ts'

export function addSuiteCommands(program: Command, calls: Calls): void {
  const { inRepository, inWorkspace } = actionOf(calls)
  const suite = program.command('suite').description('run tests in parallel, each in a worktree of its own')

  withRepository(withWhat(suite.command('run').description('run a suite')))
    .option(
      '-j, --max-concurrency <n>',
      'how many entries run at the same time; auto: as many as the machine can take',
      slots,
    )
    .option('-q, --quiet', 'print only the summary at the end')
    .option('--json', 'print the report as one JSON object at the end')
    .option('--junit <file>', 'write the report as JUnit XML; - is stdout', endingIn('--junit', '.xml'))
    .option('--markdown <file>', 'write the report as Markdown', endingIn('--markdown', '.md'))
    .option('--html <file>', 'write the report as a page', endingIn('--html', '.html', '.htm'))
    .addHelpText('after', HELP.run)
    .action(inWorkspace(async () => (await import('../suite/run.ts')).suiteRun))

  withRepository(withWhat(suite.command('check').description('check a suite, and say what would run')))
    .option('--json', 'print one JSON object')
    .action(inWorkspace(async () => (await import('../suite/run.ts')).suiteCheck))

  withRepository(suite.command('status').description('show a run of a suite: entries and workers').argument('[run]'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.status)
    .action(inWorkspace(async () => (await import('../suite/status.ts')).suiteStatus))

  withRepository(suite.command('history').description('show how an entry fared over time').argument('[entry]'))
    .option('-n, --limit <n>', 'how many results, the newest', wholeNumber(1, 1_000), 20)
    .option('--json', 'print one JSON object')
    .action(inWorkspace(async () => (await import('../suite/history.ts')).suiteHistory))

  withRepository(suite.command('init').description('write a suite for this project').argument('[file]'))
    .option('--json', 'print one JSON object')
    .action(inRepository(async () => (await import('../suite/init.ts')).suiteInit))

  withRepository(
    program.command('open').description('check out the work of a task and print its path').argument('<task>'),
  )
    .option('--run <run>', 'the run; default: the newest')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.open)
    .action(inWorkspace(async () => (await import('../suite/open.ts')).open))
}

function withWhat(command: Command): Command {
  return command
    .argument('[file...]', 'a suite file, or plan files and patterns of them; default: suite.yaml')
    .option('--entry <id...>', 'only these entries')
    .option('--base <rev>', 'test this commit instead of HEAD')
    .option('--dirty', 'test your checkout as it is, uncommitted changes and new files included')
    .option('--compare <rev>', 'test this commit too, and show what differs')
    .option('--shards <n>', 'into how many parts test files are split: a number, or auto', shards)
    .option(
      '--repeat <n>',
      'run every entry N times, without retries, to find flaky ones',
      wholeNumber(1, LIMITS.suiteRepeats),
    )
    .option('--workers-only', 'execute nothing on this machine: workers do')
    .option('--until-fail', 'repeat every entry until one fails')
    .option('--retries <n>', 'how often a failed entry is tried again', wholeNumber(0, LIMITS.retries))
    .option('--timeout <time>', 'end an entry after this time (90s, 30m, 2h)', duration)
    .option('--agent <name>', 'the agent that works on plans', filled('--agent'))
    .option('--model <name>', 'the model that agent is to use', filled('--model'))
    .option('--command <command>', 'use this program as the agent: it gets every prompt', filled('--command'))
}

function shards(text: string): 'auto' | number {
  if (text === 'auto') return text
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= LIMITS.shards) return number
  throw new InvalidArgumentError(`It must be auto, or a whole number from 1 to ${LIMITS.shards}.`)
}

const HELP = {
  run: `
Every entry runs in a worktree of its own; nothing lands, and your checkout stays as it is. A failed entry is tried
again in a fresh worktree: passed then, it is flaky. Ctrl-C interrupts; \`espalier resume\` continues, and what has
finished is not run again.

Exit status: 0 passed, 1 failed, 2 wrong usage, 130 interrupted.

Examples:
  espalier suite run                                 the suite in suite.yaml
  espalier suite run 'docs/plans/*.md' -j 3          plans as entries, three at a time
  espalier suite run --dirty --junit report.xml      your uncommitted changes
  espalier suite run --compare main                  what this branch breaks, fixes and slows down
  espalier suite run --repeat 20 --entry e2e         how flaky it is`,

  status: `
Without RUN: the newest suite. --json has progress, workers (free, busy or error, with the current entry) and entries.`,

  open: `
Of an entry of a suite that failed: its worktree as it was, where it was kept. Otherwise a worktree of your repository
at the work of its last attempt. \`espalier clean\` removes both with the run.

Example:
  cd "$(espalier open e2e)"`,
} as const
