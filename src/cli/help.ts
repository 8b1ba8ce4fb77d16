// The texts below the options in every --help.

const EXIT_STATUSES = `
Exit status:
  0    everything landed or passed
  1    something failed, was blocked or was cancelled, or the machine did not let the run go on
  2    bad input: the plan, a setting, a flag or the repository; nothing was started
  3    everything else is done, and the rest waits for you: a conflict (\`espalier resolve TASK\`), or more money
       (\`espalier resume --budget-usd N\`)
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
With --replan they are tried as the plan is written now.
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

  claimsList: `
Lists the claims of the tasks at work and of those whose work waits to land, and what people hold: who, the pattern,
whether to write or only to read, since when, and whether it came to it while it worked. Then what waits for them.

Exit status: 0, or 2 where there is no repository.

Examples:
  espalier claims
  espalier claims --json | jq '.held[] | select(.holder.kind == "person")'`,

  claimsCheck: `
Answers as if a task that writes these paths were to start now. Without a run at work only what people hold counts.
--json is one object: has_conflicts, conflicts (path, holder {kind, name}, glob, mode, since, until), warnings, can_proceed.
Warnings are of tasks at work that have claimed nothing, and of tasks that will want a path later.

Exit status: 0 they are free, 1 somebody holds some of it, 2 wrong usage.

Examples:
  espalier claims check src/auth/login.ts && $EDITOR src/auth/login.ts
  espalier claims check src/auth src/db/schema.sql --json`,

  claimsHold: `
While you hold a pattern, no task starts that claims some of it, in this run and in those after it. A run at work takes
it in within a second. Tasks that work there already go on and land: you are told which. It ends by itself. Holding the
same again moves its end. A run in which only such tasks are left waits for the end.

Exit status: 0, or 2 where it is no pattern of paths or for too long.

Examples:
  espalier claims hold 'src/auth/**' --for 2h
  espalier claims hold package.json 'db/migrations/**' --name 'ana, release'`,

  claimsRelease: `
Names the patterns as they were held. What waited for them starts.

Exit status: 0, or 2 where nobody holds it.

Examples:
  espalier claims release 'src/auth/**'
  espalier claims release --all`,

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
Without RUN: the newest; without --into: the branch that is checked out. Fast-forward where possible, else a merge.
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
are kept, and so is work that is nowhere else; the answer says why. Branches espalier/* stay.

Exit status: 0, or 2 where there is no such run.

Examples:
  espalier clean --dry-run        what would go, and how large it is
  espalier clean --all            every run that is over
  espalier clean --worktrees      also the pool of worktrees, which the next run then makes anew`,

  planNew: `
An agent looks at your repository and cuts the objective into tasks, with needs, claims, estimates and commands that check
them. It works in a throw-away worktree of HEAD: your repository is not changed, no run appears in it, and nothing of the
plan is run. What \`espalier plan check\` would find goes back to the agent, up to three times. If the plan is not sound
then, it is kept as plan.rejected.yaml, and you are told what is wrong with it. Read the plan before you run it: it has
commands in it that an agent wrote. The program of --command has to write the plan to espalier-plan.yaml in its folder.
\`.espalier/prompts/plan.md\` says what the agent is told, where you want it different.

Exit status: 0 a sound plan was written, 1 none was, 2 wrong usage or the file is there already, 130 interrupted.

Examples:
  espalier plan new 'Customers can reset their password by mail' --agent claude
  espalier plan new "$(cat docs/search.md)" -o search.yaml --model opus --budget-usd 2`,

  planCheck: `
Every problem is reported at once, as FILE:LINE:COLUMN: MESSAGE. Nothing is written. A plan that lacks only an agent for its
prompts is sound, with a warning: \`run\` needs one. A model that its agent does not have is an error, as in \`run\`.

A plan of another format (implementation_plan.json, a batch plan in Markdown, a work queue, epics and tasks, Task Master,
spec-kit, beads, GSD, ccpm) is recognised by what is in it. It says which it is, how much is done already, what was
assumed and what was ignored. In a folder the plan is found, also where its tool puts it (.taskmaster, specs, .beads, …).

Exit status: 0 the plan is sound, 2 it is not.

Examples:
  espalier plan check
  espalier plan check plan.yaml --json
  espalier plan check .
  espalier plan check .taskmaster/tasks/tasks.json --part billing`,

  planConvert: `
Prints a plan of another format as Espalier's own, as YAML or with --json as JSON. It has what is still to be done, in the
same order and with the same prompts: running it is running the original. Nothing is written but --output.

Exit status: 0, or 2 where the plan is not sound or has nothing left to do.

Examples:
  espalier plan convert implementation_plan.json -o espalier.yaml
  espalier plan convert .claude/epics/checkout --format ccpm
  espalier plan convert .beads/issues.jsonl --json | jq '.tasks[].id'`,

  planShow: `
Shows the plan before it runs: its batches (by the longest chain of needs), its waves where claims keep tasks of a batch
apart, its epics and tasks, the critical path, who may not run beside whom because of their claims, what will never be
done, and the shortest time it can take with N tasks at a time. Times are those of the plan, else of earlier runs. For tasks
that changed more than they claim the last time, it offers claims that would have fitted.

--json has all of it; --mermaid prints the graph for places that draw it; --html writes one page that loads
nothing: to FILE, or else to the state folder, and prints its path; in a pipe without FILE the page itself.

Exit status: 0, or 2 where the plan is not sound or the page cannot be written.

Examples:
  espalier plan show plan.yaml -j 8
  espalier plan show plan.yaml --html plan.html
  espalier plan show plan.yaml --json | jq '.criticalPath.tasks'`,

  planSimulate: `
Runs the plan on a virtual clock, with the real scheduler and no agent: how long it takes with 1, 2, 4, 8 … workers, the
shortest possible time, how long workers are idle, what it costs, and the same in waves. It says how many workers are
enough: twice as many save less than 10 %.

Times and costs are those of the plan (\`estimate\`, \`estimateUsd\`), else of earlier runs; a time that nobody knows is the
median of the others. Every task succeeds at its first try and lands at once. Budgets count.

Exit status: 0, or 2 where the plan is not sound or the page cannot be written.

Examples:
  espalier plan simulate
  espalier plan simulate plan.yaml -j 3,6,12
  espalier plan simulate plan.yaml --html simulation.html`,

  prompt: `
With a plan: what the first attempt of the task would be told. What the tasks before it will have changed is not known
yet, so they are only named. With --run: what its next attempt would be told now. With --attempt: what was really sent,
word for word, also what its agent was told later when it was asked to go on. Where no plan is named and there is no
espalier.yaml, the newest run is meant, if it has the task.

The text is made from templates. Those in .espalier/prompts/ of the repository replace the ones that come with Espalier:
task.md, need.md, guidelines.md, conflict.md, earlier.md, follow-up.md.

Exit status: 0, or 2 where there is no such task, run or attempt, or a template is not valid.

Examples:
  espalier prompt users plan.yaml
  espalier prompt users --run checkout-7
  espalier prompt users --attempt 1`,

  expertiseList: `
What earlier tasks have taught, by domain: how sure it is, its id, what kind it is, and the words that agents are told.
Without DOMAIN: all of them. Each domain keeps as many lines as \`learning.linesPerDomain\` allows.

Exit status: 0, or 2 where nothing is known of that domain.

Examples:
  espalier expertise
  espalier expertise list database
  espalier expertise list --json | jq '.[].lessons[].text'`,

  expertiseShow: `
ID may be the beginning of one. Shows where the lesson was seen (run, task, session, commit), how tasks that were told
of it fared, and everything that was done to it: learned, seen again, validated, doubted, edited, imported, pruned.

Exit status: 0, or 2 where there is no such lesson.

Examples:
  espalier expertise show 3f2a91c0de`,

  expertiseEdit: `
Without a flag the words are opened in $VISUAL or $EDITOR. They become one line without secrets. To be rid of a lesson,
give it a confidence of 0 and prune. Also while a run goes on: the next prompt has the new words.

Exit status: 0, or 2 where there is no such lesson or nothing to change it to.

Examples:
  espalier expertise edit 3f2a
  espalier expertise edit 3f2a --text 'Run npm run codegen after a change of schema.graphql.'
  espalier expertise edit 3f2a --confidence 0.95`,

  expertiseAdd: `
The lesson is told to tasks of its domain; those of the domain general are told to all. It hangs on the files of the
repository that it names: when they are gone, so is the lesson.

Exit status: 0, or 2 where there is no such domain or it is known already.

Examples:
  espalier expertise add 'Never edit db/generated.sql: it is made by npm run schema.' --domain database`,

  expertisePrune: `
Drops lessons about files that are neither in HEAD nor in a run that is not landed yet, those whose confidence has become
too low, and the least trusted of a domain that has more lines than \`learning.linesPerDomain\`. The end of a run does
nearly the same by itself: it keeps a lesson about files it has never seen for a while.

Exit status: 0.

Examples:
  espalier expertise prune --dry-run`,

  expertiseExport: `
One lesson a line, always in the same order, so that a change of one is a change of one line. Secrets are taken out once
more. Commit the file, and the others of your team take it in with \`espalier expertise import\`. It is never read by itself.
A file with lessons that were never known here is not written over: import it first.

Exit status: 0, or 2 where the file cannot be written, or is not to be.

Examples:
  espalier expertise export
  espalier expertise export -o - | jq -r .text`,

  expertiseImport: `
Lessons that are new are added, with a confidence of 0.6 at most; of those known here the later version counts, with the
confidence of both. The same file again changes nothing. Read what you import, agents will be told of it: --dry-run prints
every lesson that would be taken, and takes none.

Exit status: 0, or 2 where the file is not valid: then nothing of it is taken.

Examples:
  espalier expertise import .espalier/expertise.jsonl --dry-run
  espalier expertise import .espalier/expertise.jsonl`,

  models: `
For each agent: the models that \`model: auto\` chooses from, with their prices, and how they have done so far by kind of
task (its domain, and how hard it looked). Then what was chosen in the newest run, why, and what that saved against the
dearest model for every task that was done: an estimate, in which the dearest needs as many tokens and no second try.

Exit status: 0.

Examples:
  espalier models
  espalier models --json | jq .saved`,

  doctor: `
Checks Node, git, the repository and the state folder, and says what to do about what is wrong. Shows which agents are
installed and whether they are logged in, what the state folder takes on disk, and which runs \`history\` keeps.

Exit status: 0 ready to run, 1 something has to be put right first.`,

  mcp: `
Agents that a run starts are told of this by themselves, and start it by themselves: there is nothing to set up, and
nothing to do with it by hand. \`mcp: false\` in the settings turns it off. Which attempt it speaks for it knows from the
variables that its agent was started with.

Tools: get_task, list_running, update_task, log_issue, note_follow_up, add_lesson, request_claim.

Exit status: 0.`,

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
