// Help texts of the commands that run a plan, and their shared parts.
import { KNOWN_AGENTS } from '../../agents/list.ts'

/** Shared by all commands that run something. */
export const EXIT_STATUSES = `
Exit status:
  0    every task landed, or passed if it has nothing to land
  1    something failed, was blocked or was cancelled, or the machine stopped the run (full disk, missing rights)
  2    bad input: the plan, a setting, a flag or the repository; nothing was started
  3    something waits for you, even if other tasks failed: resolve a conflict (\`espalier resolve TASK\`),
       or raise the budget (\`espalier resume --budget-usd N\`)
  130  interrupted`

const INTERRUPTION = `
Ctrl-C once: no new task starts, running agents are asked to stop; \`espalier resume\` continues the run.
Ctrl-C twice: leaves at once; agents that still run keep running, and \`espalier resume\` adopts them.`

export const RUN_HELP = `
If the last run of the plan was interrupted, you are asked whether to resume it; without a terminal, \`run\` refuses to
start.
${INTERRUPTION}

In a terminal you see the run live, in a pipe one line per event. With --json every event is a line of JSON on stdout
and the last one is {"type":"run.finished",…} with the result; everything else goes to stderr.
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
  espalier run plan.yaml --json | jq -c .type`

/** Examples with flags that only `--help --all` explains. */
export const RARE_EXAMPLES_OF_RUN = `
  espalier run plan.yaml --strict                   the first failure stops the run
  espalier run plan.md --part 1-3                   a plan of another format; \`plan check\` shows how it is read
  espalier run tasks.md --no-write-back             without writing task statuses into that file
  espalier run plan.yaml --store postgres://db/team --standby
                                                    the same on two machines: one leads, the other takes over`

export const RESUME_HELP = `
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
  espalier resume --replan`

export const RETRY_HELP = `
For a finished run. Without TASK: everything that failed, was blocked or cancelled. With TASK: these, and what they block.
The run continues on its branch: what landed stays, and each retried task has all its tries again, from what has landed.
What was spent so far counts. Settings are those the run began with, except for the flags given here.
With --replan tasks are retried as the plan is written now, and can be named as they are there.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier retry
  espalier retry api docs --run checkout-7
  espalier retry --replan    after you fixed the prompt of what failed`
