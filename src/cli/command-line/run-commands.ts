// The commands that start, continue, show and cancel a run.
import { type Command, Option } from 'commander'
import { KNOWN_AGENTS } from '../../agents/list.ts'
import { actionOf, type Calls } from './calls.ts'
import { WHICH_RUN, withFormat, withRepository, withSettingFlags } from './flags.ts'
import { help } from './help.ts'
import { EXIT_STATUSES, TASK_STATUSES_HELP } from './statuses.ts'

export function addRunCommands(program: Command, calls: Calls): void {
  const { inWorkspace } = actionOf(calls)
  const runCommand = withSettingFlags(withRunFlags(program.command('run').description('run a plan')), 'start')
    .argument('[plan...]', 'its file, files or folder; default: espalier.yaml here, or at the top of the repository')
    .option('--base <rev>', 'start from this commit instead of the base of the plan or HEAD')
    .addOption(
      new Option('--dirty', 'start from your checkout as it is, uncommitted changes and new files included').conflicts([
        'base',
      ]),
    )
    .option('--new', 'start a new run even if the last one of this plan was interrupted')
    .option('--dry-run', 'print what would run, without running it')
    .option('--standby', 'if another espalier already works here: wait, and continue its run if it dies')
  withRepository(withFormat(runCommand))
    .addHelpText('after', ({ command }) => (command.options.some(({ hidden }) => hidden) ? HELP.run : HELP.run + RARE))
    .action(inWorkspace(async () => (await import('../commands/run.ts')).run))

  const resume = program.command('resume').description('continue a run').argument('[run]')
  withRepository(withFormat(withRunFlags(resume)))
    .option('--replan [file]', 'apply plan changes to tasks that have not started')
    .option('--standby', 'if another espalier already works here: wait, and continue its run if it dies')
    .addHelpText('after', HELP.resume)
    .action(inWorkspace(async () => (await import('../commands/resume.ts')).resume))

  const retry = program.command('retry').description('retry what did not succeed').argument('[task...]')
  withRepository(withFormat(withRunFlags(retry)))
    .option('--run <run>', 'the run; default: the newest')
    .option('--replan [file]', 'apply plan changes to tasks that are not done')
    .addHelpText('after', HELP.retry)
    .action(inWorkspace(async () => (await import('../commands/retry.ts')).retry))

  withRepository(program.command('status').description('show run status').argument('[run]'))
    .option('-a, --all', 'list all runs, newest first')
    .option('-w, --watch', 'update it until the run ends')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.status)
    .action(inWorkspace(async () => (await import('../commands/status.ts')).status))

  withRepository(program.command('cancel').description('cancel a run or one task of it').argument('[task]'))
    .option('--run <run>', WHICH_RUN)
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.cancel)
    .action(inWorkspace(async () => (await import('../commands/cancel.ts')).cancel))
}

function withRunFlags(command: Command): Command {
  return withSettingFlags(command, 'run')
    .option('-q, --quiet', 'print only the summary at the end')
    .option('--json', 'print one JSON event per line')
}

const INTERRUPTION = `
Ctrl-C once: no new task starts, running agents are asked to stop; \`espalier resume\` continues the run.
Ctrl-C twice: leaves at once; agents that still run keep running, and \`espalier resume\` adopts them.`

const OUTPUT = `
In a terminal you see the run live, in a pipe one line per event. With --json every event is a line of JSON on stdout
and the last one is {"type":"run.finished",…} with the result; everything else goes to stderr.`

/** Examples with flags that only `--help --all` explains. */
const RARE = `
  espalier run plan.yaml --strict                   the first failure stops the run
  espalier run plan.md --part 1-3                   a plan of another format; \`plan check\` shows how it is read
  espalier run tasks.md --no-write-back             without writing task statuses into that file
  espalier run plan.yaml --store postgres://db/team --standby
                                                    the same on two machines: one leads, the other takes over`

const HELP = {
  run: `
If the last run of the plan was interrupted, you are asked whether to resume it; without a terminal, \`run\` refuses to
start.
${INTERRUPTION}
${OUTPUT}
${EXIT_STATUSES}

Examples:
  espalier run                                      the plan in espalier.yaml
  espalier run plan.yaml --dry-run                  what would run, in which order; needs no agent
  espalier run plan.yaml -j 8                       eight tasks at a time
  espalier run plan.yaml --agent claude             Claude Code gets every prompt (or ${KNOWN_AGENTS.slice(1).join(', ')}),
                                                    whatever \`agent\` and \`agents\` of the plan say
  espalier run plan.yaml --command 'my-agent -q'    this program gets every prompt, with a part of your environment
                                                    (PATH, HOME …): \`envAllow\` in the settings adds more
  espalier run tasks.md --base espalier/shop-1      starts from the branch of an earlier run
  espalier run plan.yaml --budget-usd 20            no more tasks start once 20 dollars are spent; a warning at 16
  espalier run plan.yaml --json | jq -c .type`,

  resume: `
Without RUN: the newest that has something left to do.
Agents that kept running are adopted; what they finished is not done again.
Settings are those the run began with, except for the flags given here.
If the plan has changed since, the difference is shown. --replan applies it: tasks that have not started become as they
are written now, removed ones are dropped; running and finished tasks stay as they are. A new \`budgetUsd\` or
\`maxConcurrency\` of the plan counts from now on. Refused if a task needs another
one that the file calls done and that is not on the branch of the run.
For a finished run: writes the task statuses into the plan file, if that could not be done when it ended.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier resume
  espalier resume checkout-7 -j 2
  espalier resume --budget-usd 40    40 dollars in total, after 20 were used up
  espalier resume --replan`,

  retry: `
For a finished run. Without TASK: everything that failed, was blocked or cancelled. With TASK: these, and what they block.
The run continues on its branch: what landed stays, and each retried task has all its tries again, from what has landed.
What was spent so far counts. Settings are those the run began with, except for the flags given here.
With --replan tasks are retried as the plan is written now, and can be named as they are there.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier retry
  espalier retry api docs --run checkout-7
  espalier retry --replan    after you fixed the prompt of what failed`,

  status: `
Without RUN: the one at work, else the newest.
--json is one object: run, status (running, completed, failed, cancelled, waiting), branch, head, base, counts and tasks, each with
id, status, outcome, attempts, startedAt, finishedAt, durationMs, landedCommit and failure {reason, message};
and spending, by run, task, epic, agent and model, if any; what did not land is listed separately.
${TASK_STATUSES_HELP}

Exit status: 0, or 2 where there is no such run; with --watch that of the run:
0 everything landed or passed, 1 something failed, 3 a conflict waits for you, 130 interrupted.

Examples:
  espalier status
  espalier status --watch
  espalier status --all
  espalier status --json | jq '.tasks[] | select(.status == "failed")'`,

  cancel: help(
    'Without TASK: the whole run. A running agent is stopped with all its child processes; its work so far is kept as a ref.',
    '0 requested, 2 no such run or task.',
    'espalier cancel schema',
    'espalier cancel --run checkout-7',
  ),
} as const
