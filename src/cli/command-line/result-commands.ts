// The commands for the results of a run: conflicts, logs, sessions, reports, landing.
import { type Command, Option } from 'commander'
import { KNOWN_AGENTS } from '../../agents/list.ts'
import { actionOf, type Calls } from './calls.ts'
import { wholeNumber } from './flag-values.ts'
import { pageOption, WHICH_RUN, withRepository } from './flags.ts'
import { help } from './help.ts'

export function addResultCommands(program: Command, calls: Calls): void {
  const { call, inWorkspace } = actionOf(calls)
  withRepository(program.command('resolve').description('resolve a conflict that waits for you').argument('[task]'))
    .option('--done', 'check the worktree and land the result')
    .option('--abort', 'give up: the task fails, its work is kept')
    .option('--worktree <dir>', 'make the worktree here; default: in the state folder')
    .option('--run <run>', 'the run; default: the newest with a conflict')
    .option('--json', 'print one JSON object, and with --done the events of the run that continues')
    .addHelpText('after', HELP.resolve)
    .action(call(async () => (await import('../commands/resolve.ts')).resolve))

  withRepository(
    program
      .command('show')
      .description('show one task: status and why, what it waits for, attempts')
      .argument('<task>'),
  )
    .option('--run <run>', WHICH_RUN)
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.show)
    .action(inWorkspace(async () => (await import('../task/show.ts')).show))

  withRepository(program.command('diff').description('show what a task changed').argument('<task>'))
    .option('--attempt <n>', 'which attempt; default: the last that left work', wholeNumber(1))
    .option('--run <run>', WHICH_RUN)
    .option('--json', 'print one JSON object, with the patch as text')
    .addHelpText('after', HELP.diff)
    .action(inWorkspace(async () => (await import('../task/diff.ts')).diff))

  withRepository(program.command('logs').description('print the output of tasks').argument('[task...]'))
    .option('-f, --follow', 'follow the output')
    .option('--transcript', 'readable: messages, one line per tool call, the cost')
    .option('--raw', 'byte by byte as it was printed, for a file or a pipe')
    .option('--json', 'print one JSON object per line of output')
    .option('--attempt <n>', 'which attempt; default: the last', wholeNumber(1))
    .option('--run <run>', WHICH_RUN)
    .addHelpText('after', HELP.logs)
    .action(inWorkspace(async () => (await import('../task/logs.ts')).logs))

  withRepository(program.command('sessions').description('list the sessions of agents, with tokens and cost'))
    .option('--run <run>', WHICH_RUN)
    .option('--task <task>', 'only this task')
    .option('--notes', 'a note for each session: what was done, how it was checked, what the agent noticed')
    .option('--json', 'print a list as JSON')
    .addHelpText('after', HELP.sessions)
    .action(inWorkspace(async () => (await import('../commands/sessions.ts')).sessions))

  withRepository(
    program.command('trace').description('show where a task or commit comes from').argument('<task-or-commit>'),
  )
    .option('--run <run>', WHICH_RUN)
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.trace)
    .action(inWorkspace(async () => (await import('../commands/trace.ts')).trace))

  withRepository(program.command('report').description('write a report of a run').argument('[run]'))
    .addOption(pageOption('as an HTML page').conflicts(['json', 'output']))
    .addOption(new Option('--open', 'open the HTML page in your browser').conflicts(['json', 'output']))
    .option('--json', 'as JSON instead of Markdown')
    .option('-o, --output <file>', 'write the Markdown or JSON to this file')
    .addHelpText('after', HELP.report)
    .action(inWorkspace(async () => (await import('../commands/report.ts')).report))

  withRepository(program.command('land').description('bring the result of a run onto your branch').argument('[run]'))
    .option('--into <branch>', 'the branch; default: the current one')
    .option('--push <remote>', 'push the branch there afterwards, never with force')
    .option('--pr', "push the run's branch instead, and open a pull request with the GitHub CLI")
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.land)
    .action(inWorkspace(async () => (await import('../commands/land.ts')).land))

  withRepository(program.command('clean').description('remove what finished runs left behind'))
    .addOption(new Option('--run <run>', 'this run, regardless of age').conflicts('all'))
    .option('--all', 'every finished run, regardless of age')
    .option('--worktrees', 'also the pool of worktrees')
    .option('--force', 'also delete work that exists nowhere else')
    .option('--dry-run', 'only print what would be removed')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.clean)
    .action(inWorkspace(async () => (await import('../commands/clean.ts')).clean))
}

const HELP = {
  resolve: help(
    `For tasks in conflict, with \`landing.conflict: manual\`. Creates a worktree in which the merge of the task's work with
what has landed stopped at the conflict, as \`git merge\` does. Resolve it there, with or without a commit; --done checks
that no conflict markers are left and that only files of the task differ, hands the result back and removes the worktree.
The result lands like any other work. If no engine works on the run, the run continues here. TASK can be omitted in that
worktree, and where only one task is in conflict.`,
    `0 created, resolved or given up, 1 not resolved or no longer waiting, 2 wrong usage; if the run continues here, that
of the run.`,
    'espalier resolve schema',
    'espalier resolve schema --done',
    'espalier resolve schema --abort',
  ),
  show: help(
    `Its status and why, what it waits for, its prompt or command, every attempt with time and cost, and what to type next.`,
    '0, or 2 if there is no such run or task.',
    'espalier show schema',
    'espalier show schema --json | jq .waitsFor',
  ),
  diff: help(
    `The work of its last attempt that left some, landed or not, against the commit it started from.`,
    '0, or 2 if there is no such run or task, or it has changed nothing.',
    'espalier diff schema',
    'espalier diff schema | git apply',
  ),
  logs: help(
    `Several tasks, or none for all of them: their lines come with the name of the task in front. With --follow also those of
tasks that start later, until the run ends.
Without --attempt: the last one. --follow shows the output as it comes, until the attempt ends.
If the landing queue sent its work back, the output of that verification follows.
--transcript is for agents that print a protocol (${KNOWN_AGENTS.join(', ')}): messages, a line for each tool call
(✓ worked, ✗ failed, … no result) with the beginning of the result, and tokens and cost at the end.
What agents print for a terminal (titles, the clipboard, cursor movements) is taken out; colours stay on a terminal that
shows them. --raw leaves everything as it is.`,
    '0, or 2 if there is no such run, task or attempt.',
    'espalier logs schema',
    'espalier logs schema -f',
    'espalier logs -f                   all tasks, as they print',
    'espalier logs schema --transcript',
    'espalier logs schema --raw > schema.log',
  ),
  sessions: help(
    `Without --run: the run at work, else the newest. A row per session: task and attempt, agent, model, time, outcome, turns, tool calls,
tokens, cost. --json adds: session (the agent's own id), messages, usage with every kind of token, and transcript (the
files with the agent's output).

--notes prints a note for each session, as Markdown: what the agent did and changed, the checks, its cost, what it
noticed, where its transcript is. With --json a list of them.`,
    '0, or 2 if there is no such run or task.',
    'espalier sessions',
    'espalier sessions --run checkout-7 --task schema',
    'espalier sessions --notes --task schema',
    "espalier sessions --json | jq '.[] | [.task, .agent, .usage.costUsd]'",
  ),
  trace: help(
    `For a task: its objective, epic and decisions, its attempts with their sessions and commits, its landing.
For a commit: the same for its task. It may be a landing, a commit of an agent, or one made of it by squash or rebase;
cherry-picked and rebased commits are recognised by their trailers.`,
    '0, or 2 if there is no such task or commit, or it comes from no run.',
    'espalier trace schema',
    'espalier trace HEAD~3',
    'espalier trace 1f3c9ab --json',
  ),
  report: help(
    `Without RUN: the one at work, else the newest. Markdown and JSON go to stdout. --html writes a file and prints its path:
without FILE it is in the state folder. --html - prints the page itself. --open also opens it in your browser ($BROWSER).`,
    '0, or 2 if there is no such run or the file cannot be written.',
    'espalier report > REPORT.md',
    'espalier report --open',
    'espalier report checkout-7 --html',
    'espalier report checkout-7 --html report.html',
  ),
  land: help(
    `Without RUN: the newest that no engine works on; without --into: the current branch. Fast-forward if possible, else a merge. Nothing is changed if
the merge has conflicts or your checkout has changes in the way.

--push REMOTE pushes the branch that was landed on. --pr lands nothing here: it pushes the run's branch and opens a
pull request into your branch with the GitHub CLI (gh), with the report as its text; --push names the remote. Nothing is
ever pushed with force.`,
    '0 landed, pushed, proposed; 1 it could not land, be pushed or be proposed; 2 no such run or remote.',
    'espalier land',
    'espalier land checkout-7 --into main',
    'espalier land --push origin',
    'espalier land --pr',
  ),
  clean: help(
    `Removes finished runs beyond the setting \`history\` (default: all but the newest 20, and those older than 30 days), and
worktrees not used for that long. The end of every run does the same. Runs that can be resumed are kept, and so is work
that exists nowhere else; the output says why. Branches espalier/* stay, and \`git merge\` lands those of removed runs:
the output names those that are not in HEAD.`,
    '0, or 2 if there is no such run.',
    'espalier clean --dry-run        what would be removed, with sizes',
    'espalier clean --all            every finished run',
    'espalier clean --worktrees      also the pool of worktrees; the next run creates it again',
  ),
} as const
