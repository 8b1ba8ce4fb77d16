// The texts below the options in every --help.

const EXIT_STATUSES = `
Exit status:
  0    everything landed or passed
  1    something failed, was blocked or was cancelled, or the machine did not let the run go on
  2    bad input: the plan, a setting, a flag or the repository; nothing was started
  3    everything else is done, and a conflict waits for you: \`espalier resolve TASK\`
  130  interrupted`

const TASK_STATUSES_HELP = `
Task statuses:
  · pending    waits for its needs, its wave or the time of its next try
  ○ ready      waits for a slot or for paths that another task has claimed
  ● running
  ↑ landing    its work is done and waits to land
  ! conflict   its work is done, does not merge with what has landed, and waits for you
  ✓ landed     its work is on the run's branch
  ✓ passed     it succeeded and there is nothing to land
  ✗ failed
  ■ blocked    something it needs did not succeed
  – cancelled`

const INTERRUPTION = `
Ctrl-C once: nothing new starts, running agents are asked to end, \`espalier resume\` goes on.
Ctrl-C twice: leaves at once; agents that have not ended by then go on alone, and \`espalier resume\` takes them over.`

const OUTPUT = `
In a terminal you see the run live, in a pipe one line per event. With --json every event is a line of JSON on stdout
and the last one is {"type":"run.finished",…} with the result; everything else goes to stderr.`

export const HELP = {
  program: `${EXIT_STATUSES}
${TASK_STATUSES_HELP}

Settings come from, each overruling the one before: built-in defaults, ~/.config/espalier/config.yaml,
.espalier/config.yaml in the repository, the plan, the environment (ESPALIER_MAX_CONCURRENCY and so on), flags.
\`espalier config\` shows what is in force.

Examples:
  espalier init                       write a commented plan to start from
  espalier run plan.yaml -j 4         four tasks at a time, each in a worktree of its own
  espalier status --watch             how it goes, from another terminal
  espalier land                       bring the result onto your branch`,

  run: `${INTERRUPTION}
${OUTPUT}
${EXIT_STATUSES}

Examples:
  espalier run                                      the plan in espalier.yaml
  espalier run plan.yaml --dry-run                  what would run, in which order; writes nothing
  espalier run plan.yaml -j 8 --strict              eight at a time; the first failure stops the run
  espalier run plan.yaml --agent claude             Claude Code gets every prompt; or codex, opencode, gemini
  espalier run plan.yaml --command 'my-agent -q'    this program gets every prompt
  espalier run plan.yaml --json | jq -c .type`,

  resume: `
Without RUN: the newest that has something left to do.
Agents that went on meanwhile are taken over, what they finished is not done again.
The settings are those the run began with, except for the flags given here.
If the plan has changed since, the difference is shown; --replan takes it over: new and changed tasks that have not
begun are as they are written now, those that are gone are not done. What is under way or over stays as it is.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier resume
  espalier resume checkout-7 -j 2
  espalier resume --replan`,

  status: `
Without RUN: the newest.
--json is one object: run, status (running, completed, failed, cancelled, waiting), branch, head, base, counts and tasks, each with
id, status, outcome, attempts, startedAt, finishedAt, durationMs, landedCommit and failure {reason, message};
where something was spent also spending, by run, task, epic, agent and model, with what did not land apart.
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

Exit status: 0, or 2 where there is no such run or task.

Examples:
  espalier sessions
  espalier sessions --run checkout-7 --task schema
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
  espalier report checkout-7 --format html -o report.html`,

  land: `
Without RUN: the newest; without --into: the branch that is checked out. Fast-forward where possible, else a merge.
Nothing is changed where the merge has conflicts or your checkout has changes in the way.

--push REMOTE pushes the branch that was landed on. --pr lands nothing here: it pushes the run's branch and opens a
pull request into your branch with the GitHub CLI (gh), the report as its text; --push names the remote then. Nothing is
ever pushed with force.

Exit status: 0 landed, pushed, proposed; 1 it could not land, be pushed or be proposed; 2 no such run.

Examples:
  espalier land
  espalier land checkout-7 --into main
  espalier land --push origin
  espalier land --pr`,

  clean: `
Removes runs that are over and past the setting \`history\` (by default all but the newest 20, and those older than
30 days), and worktrees not used for that long. The end of every run does the same by itself. Runs that can be resumed
are kept, and so is work that is nowhere else; the answer says why. Branches espalier/* stay.

Exit status: 0, or 2 where there is no such run.

Examples:
  espalier clean --dry-run        what would go, and how large it is
  espalier clean --all            every run that is over
  espalier clean --worktrees      also the pool of worktrees, which the next run then makes anew`,

  planCheck: `
Every problem is reported at once, as FILE:LINE:COLUMN: MESSAGE. Nothing is written. A plan that lacks only an agent for its
prompts is sound, with a warning: \`run\` needs one.

Exit status: 0 the plan is sound, 2 it is not.

Examples:
  espalier plan check
  espalier plan check plan.yaml --json`,

  planShow: `
Shows the levels of the graph, the critical path, tasks whose claims exclude each other, and the shortest time
the plan can take with N tasks at a time. For tasks that changed more than they claim the last time, it offers
claims that would have fitted.

Exit status: 0, or 2 where the plan is not sound.

Examples:
  espalier plan show plan.yaml -j 8
  espalier plan show plan.yaml --json`,

  doctor: `
Checks Node, git, the repository and the state folder, and says what to do about what is wrong. Shows which agents are
installed and whether they are logged in, what the state folder takes on disk, and which runs \`history\` keeps.

Exit status: 0 ready to run, 1 something has to be put right first.`,

  init: `
Writes a commented plan, by default espalier.yaml. Never overwrites a file.

Exit status: 0 written, 2 not written.`,

  config: `
Prints every setting in force and where it comes from, those of the plan included.

Exit status: 0, or 2 where a file or variable is not valid.

Examples:
  espalier config
  espalier config plan.yaml --json`,

  demo: `
Makes a throw-away repository, runs a small plan on it with scripted agents (no model, no cost), and shows the result.

Exit status: 0 it worked, 1 it did not.`,
} as const
