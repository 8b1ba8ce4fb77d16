// The commands for what a run has done: its conflicts, logs, sessions and reports, and its result.
import { type Command, Option } from 'commander'
import type { Calls } from './calls.ts'
import { endingIn, wholeNumber } from './flag-values.ts'
import { pageOption, withRepository } from './flags.ts'

export function addResultCommands(program: Command, { surroundings, finish }: Calls): void {
  withRepository(program.command('resolve').description('resolve a conflict that waits for you').argument('[task]'))
    .option('--done', 'check what is in the worktree and hand it back')
    .option('--abort', 'give it up: the task fails, its work is kept')
    .option('--worktree <dir>', 'make the worktree here; default: in the state folder')
    .option('--run <run>', 'the run; default: the newest in which something waits')
    .addHelpText('after', HELP.resolve)
    .action(async (task, flags) =>
      finish(await (await import('../commands/resolve.ts')).resolve(task, flags, surroundings)),
    )

  withRepository(program.command('logs').description('print what the agent of a task printed').argument('<task>'))
    .option('-f, --follow', 'go on as it prints more')
    .option('--transcript', 'made readable: what it said, a line for each tool it used, the cost')
    .option('--attempt <n>', 'which attempt; default: the last', wholeNumber(1))
    .option('--run <run>', 'the run; default: the newest')
    .addHelpText('after', HELP.logs)
    .action(async (task, flags) => finish(await (await import('../commands/logs.ts')).logs(task, flags, surroundings)))

  withRepository(program.command('sessions').description('list the sessions of agents, with tokens and cost'))
    .option('--run <run>', 'the run; default: the newest')
    .option('--task <task>', 'of this task only')
    .option('--notes', 'a note for each instead: what was done, how it was checked, what the agent noticed')
    .option('--json', 'print a list as JSON')
    .addHelpText('after', HELP.sessions)
    .action(async (flags) => finish(await (await import('../commands/sessions.ts')).sessions(flags, surroundings)))

  withRepository(
    program.command('trace').description('show where a task or commit comes from').argument('<task-or-commit>'),
  )
    .option('--run <run>', 'the run the task is of; default: the newest')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.trace)
    .action(async (of, flags) => finish(await (await import('../commands/trace.ts')).trace(of, flags, surroundings)))

  withRepository(program.command('report').description('write a report of a run').argument('[run]'))
    .addOption(new Option('--format <format>', 'md, json or html').choices(['md', 'json', 'html']).default('md'))
    .addOption(pageOption('as a page').conflicts(['markdown', 'json', 'format']))
    .addOption(
      new Option('--markdown [file]', 'as Markdown, on stdout without FILE')
        .argParser(endingIn('--markdown', '.md', '.markdown'))
        .conflicts(['json', 'format']),
    )
    .addOption(new Option('--json', 'as JSON').conflicts('format'))
    .option('-o, --output <file>', 'write it here; - is stdout')
    .addHelpText('after', HELP.report)
    .action(async (run, flags) =>
      finish(await (await import('../commands/report.ts')).report(run, flags, surroundings)),
    )

  withRepository(program.command('land').description('bring the result of a run onto your branch').argument('[run]'))
    .option('--into <branch>', 'the branch; default: the one that is checked out')
    .option('--push <remote>', 'push the branch there afterwards; never with force')
    .option('--pr', "push the run's branch instead, and open a pull request with the GitHub CLI")
    .addHelpText('after', HELP.land)
    .action(async (run, flags) => finish(await (await import('../commands/land.ts')).land(run, flags, surroundings)))

  withRepository(program.command('clean').description('remove what finished runs left behind'))
    .addOption(new Option('--run <run>', 'this run, however new it is').conflicts('all'))
    .option('--all', 'every run that is over, however new it is')
    .option('--worktrees', 'also the pool of worktrees')
    .option('--force', 'also work that no branch or ref of your repository holds any more')
    .option('--dry-run', 'only say what would be removed')
    .addHelpText('after', HELP.clean)
    .action(async (flags) => finish(await (await import('../commands/clean.ts')).clean(flags, surroundings)))
}

const HELP = {
  resolve: `
For tasks in conflict, where the plan says \`landing.conflict: manual\`. Makes a worktree of your repository in which the
merge of the task's work with what has landed has stopped at the conflict, as \`git merge\` does. Resolve it there, with or
without a commit; --done then checks that no markers are left and that only files differ which the task had changed,
hands the result back and removes the worktree. It lands as any other work. If no engine works on the run, the run goes
on here. Typed in that worktree, TASK need not be named.

Exit status: 0 made or handed back, 1 it is not resolved or does not wait any more, 2 wrong usage; where the run goes on
here, that of the run.

Examples:
  espalier resolve schema
  espalier resolve schema --done
  espalier resolve schema --abort`,

  logs: `
Without --attempt: the last one. With --follow the output is shown as it comes, until the attempt ends.
If the landing queue sent its work back, the output of that verification follows.
--transcript is for agents that print a protocol (claude, codex, opencode, gemini): what the agent said, a line for each
tool it used (✓ worked, ✗ failed, … no result) with the beginning of the result, and tokens and cost at the end.

Exit status: 0, or 2 where there is no such run, task or attempt.

Examples:
  espalier logs schema
  espalier logs schema -f
  espalier logs schema --transcript
  espalier logs schema --attempt 1 | less -R`,

  sessions: `
Without --run: of the newest run. A row per session: task and attempt, agent, model, time, outcome, turns, tool calls,
tokens, cost. --json has also: session (the agent's own name for it), messages, usage with every kind of token, and
transcript, the files with all that the agent printed.

--notes prints a note for each session, as Markdown: what the agent did and changed, the checks, what it cost, what it
noticed, where its transcript is. With --json a list of them.

Exit status: 0, or 2 where there is no such run or task.

Examples:
  espalier sessions
  espalier sessions --run checkout-7 --task schema
  espalier sessions --notes --task schema
  espalier sessions --json | jq '.[] | [.task, .agent, .usage.costUsd]'`,

  trace: `
Of a task: what it is for, its epic, the decisions behind it, its attempts with their sessions and commits, its landing.
Of a commit: the same for the task it belongs to. It may be a landing, a commit that an agent made, or one of those
made of it by squash or rebase. A commit that was picked or rebased since is known by its trailers.

Exit status: 0, or 2 where there is no such task or commit, or it comes from no run.

Examples:
  espalier trace schema
  espalier trace HEAD~3
  espalier trace 1f3c9ab --json`,

  report: `
Without RUN: the newest. md and json go to stdout. html too where that is a pipe or a file; in a terminal it is written
to the state folder and its path is printed.

Exit status: 0, or 2 where there is no such run or the file cannot be written.

Examples:
  espalier report > REPORT.md
  espalier report checkout-7 --html
  espalier report checkout-7 --html report.html    the same as --format html -o report.html`,

  land: `
Without RUN: the newest; without --into: the branch that is checked out. Fast-forward workspace possible, else a merge.
Nothing is changed where the merge has conflicts or your checkout has changes in the way.

--push REMOTE pushes the branch that was landed on. --pr lands nothing here: it pushes the run's branch and opens a
pull request into your branch with the GitHub CLI (gh), the report as its text; --push names the remote then. Nothing is
ever pushed with force.

Exit status: 0 landed, pushed, proposed; 1 it could not land, be pushed or be proposed; 2 no such run or remote.

Examples:
  espalier land
  espalier land checkout-7 --into main
  espalier land --push origin
  espalier land --pr`,

  clean: `
Removes runs that are over and past the setting \`history\` (by default all but the newest 20, and those older than
30 days), and worktrees not used for that long. The end of every run does the same by itself. Runs that can be resumed
are kept, and so is work that is nowhere else; the answer says why. Branches espalier/* stay, and \`git merge\` lands
those of removed runs: the answer names the ones that are not in HEAD.

Exit status: 0, or 2 where there is no such run.

Examples:
  espalier clean --dry-run        what would go, and how large it is
  espalier clean --all            every run that is over
  espalier clean --worktrees      also the pool of worktrees, which the next run then makes anew`,
} as const
