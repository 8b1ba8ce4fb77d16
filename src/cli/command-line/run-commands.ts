// The commands that start a run, show how it stands and end it.
import { type Command, Option } from 'commander'
import { ON_BUDGET } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import type { Calls } from './calls.ts'
import { dollars, duration, filled, wholeNumber } from './flag-values.ts'
import { withFormat, withRepository } from './flags.ts'
import { EXIT_STATUSES, TASK_STATUSES_HELP } from './statuses.ts'

export function addRunCommands(program: Command, { surroundings, finish }: Calls): void {
  const runCommand = withRunFlags(program.command('run').description('run a plan'))
    .argument('[plan...]', 'its file, files or folder; default: espalier.yaml here, or at the top of the repository')
    .option('--base <rev>', 'start from this commit instead of the base of the plan or HEAD')
    .addOption(
      new Option('--schedule <kind>', 'eager: as soon as possible; waves: batch by batch').choices(['eager', 'waves']),
    )
    .option('--dry-run', 'print what would run, and write nothing')
  withRepository(withFormat(runCommand))
    .addHelpText('after', HELP.run)
    .action(async (plan, flags) => finish(await (await import('../commands/run.ts')).run(plan, flags, surroundings)))

  const resume = program.command('resume').description('go on with a run').argument('[run]')
  withRepository(withFormat(withRunFlags(resume)))
    .option('--replan [file]', 'take over what has changed in the plan and has not begun yet')
    .addHelpText('after', HELP.resume)
    .action(async (run, flags) =>
      finish(await (await import('../commands/resume.ts')).resume(run, flags, surroundings)),
    )

  const retry = program.command('retry').description('try again what did not succeed').argument('[task...]')
  withRepository(withFormat(withRunFlags(retry)))
    .option('--run <run>', 'the run; default: the newest')
    .option('--replan [file]', 'take over what has changed in the plan and is not done')
    .addHelpText('after', HELP.retry)
    .action(async (tasks, flags) =>
      finish(await (await import('../commands/retry.ts')).retry(tasks, flags, surroundings)),
    )

  withRepository(program.command('status').description('show how a run stands').argument('[run]'))
    .option('-a, --all', 'list all runs, newest first')
    .option('-w, --watch', 'show it again whenever something changed, until the run ends')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.status)
    .action(async (run, flags) =>
      finish(await (await import('../commands/status.ts')).status(run, flags, surroundings)),
    )

  withRepository(program.command('cancel').description('cancel a run or one task of it').argument('[task]'))
    .option('--run <run>', 'the run; default: the newest')
    .addHelpText('after', HELP.cancel)
    .action(async (task, flags) =>
      finish(await (await import('../commands/cancel.ts')).cancel(task, flags, surroundings)),
    )
}

function withRunFlags(command: Command): Command {
  return command
    .option('-j, --max-concurrency <n>', 'how many tasks run at the same time', wholeNumber(1, LIMITS.slots))
    .option('--max-per-epic <n>', 'hold tasks of an epic back while another has one ready', wholeNumber(1))
    .option('--agent <name>', 'the agent of every task that has a prompt, such as claude', filled('--agent'))
    .option(
      '--command <command>',
      'the program the `command` agent runs; implies --agent command. It sees only a part of your environment',
      filled('--command'),
    )
    .option('--strict', 'the first failure stops the run')
    .option(
      '--retries <n>',
      'how often a failed task is tried again, unless it says so itself',
      wholeNumber(0, LIMITS.retries),
    )
    .option(
      '--timeout <time>',
      'end an attempt after this long (90s, 30m, 2h), unless its task says so itself',
      duration,
    )
    .option('--budget-usd <n>', 'start nothing more once the run has cost so many US dollars; none: no limit', dollars)
    .addOption(
      new Option('--on-budget <what>', 'what becomes of tasks that run then: finish or stop').choices([...ON_BUDGET]),
    )
    .option('--no-write-back', 'do not write the status of tasks into a plan file of another format')
    .option('--json', 'print one JSON event per line')
}

const INTERRUPTION = `
Ctrl-C once: nothing new starts, running agents are asked to end, \`espalier resume\` goes on.
Ctrl-C twice: leaves at once; agents that have not ended by then go on alone, and \`espalier resume\` takes them over.`

const OUTPUT = `
In a terminal you see the run live, in a pipe one line per event. With --json every event is a line of JSON on stdout
and the last one is {"type":"run.finished",…} with the result; everything else goes to stderr.`

const HELP = {
  run: `${INTERRUPTION}
${OUTPUT}
${EXIT_STATUSES}

Examples:
  espalier run                                      the plan in espalier.yaml
  espalier run plan.yaml --dry-run                  what would run, in which order; writes nothing, and
                                                    needs no agent
  espalier run plan.yaml -j 8 --strict              eight at a time; the first failure stops the run
  espalier run plan.yaml --agent claude             Claude Code gets every prompt; or codex, opencode, gemini. It is the
                                                    only one then, whatever the plan says of \`agent\` and \`agents\`
  espalier run plan.yaml --command 'my-agent -q'    this program gets every prompt, and of your environment only PATH,
                                                    HOME and the like: \`envAllow\` in the settings names more
  espalier run plan.md --batches 1-3                a plan of another format; \`plan check\` says how it is understood
  espalier run tasks.md --no-write-back             and its file stays as it is: by default the status of its tasks is
                                                    written into it, if it has a place for one
  espalier run tasks.md --base espalier/shop-1      goes on from the branch of an earlier run that was not landed
  espalier run plan.yaml --budget-usd 20            nothing more starts once 20 dollars are spent; a warning at 16
  espalier run plan.yaml --json | jq -c .type`,

  resume: `
Without RUN: the newest that has something left to do.
Agents that went on meanwhile are taken over, what they finished is not done again.
The settings are those the run began with, except for the flags given here.
If the plan has changed since, the difference is shown; --replan takes it over: new and changed tasks that have not
begun are as they are written now, those that are gone are not done. What is under way or over stays as it is.
Refused workspace a task needs another that the file calls done and that is not on the branch of the run.
Of a run that is over, the status of its tasks is written into the plan file, where that could not be done when it ended.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier resume
  espalier resume checkout-7 -j 2
  espalier resume --budget-usd 40    40 dollars in all, after 20 were used up
  espalier resume --replan`,

  retry: `
For a run that is over. Without TASK: all that failed, was blocked or cancelled. With TASK: these, and what they block.
The run goes on, on its branch: what has landed stays, each of the others has all its tries again, and starts from what has
landed. What they have cost so far counts. The settings are those the run began with, except for the flags given here.
With --replan they are tried as the plan is written now, and can be named so.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier retry
  espalier retry api docs --run checkout-7
  espalier retry --replan    after the prompt of what failed was put right`,

  status: `
Without RUN: the newest.
--json is one object: run, status (running, completed, failed, cancelled, waiting), branch, head, base, counts and tasks, each with
id, status, outcome, attempts, startedAt, finishedAt, durationMs, landedCommit and failure {reason, message};
workspace something was spent also spending, by run, task, epic, agent and model, with what did not land apart.
${TASK_STATUSES_HELP}

Exit status: 0, or 2 where there is no such run; with --watch that of the run:
0 everything landed or passed, 1 something failed, 3 a conflict waits for you, 130 interrupted.

Examples:
  espalier status
  espalier status --watch
  espalier status --all
  espalier status --json | jq '.tasks[] | select(.status == "failed")'`,

  cancel: `
Without TASK: the whole run. A running agent is ended with all its child processes; its work so far is kept as a ref.

Exit status: 0 asked for, 2 no such run or task.

Examples:
  espalier cancel schema
  espalier cancel --run checkout-7`,
} as const
