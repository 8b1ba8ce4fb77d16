// The commands for plans and prompts: none of them runs a plan.
import { type Command, Option } from 'commander'
import { LIMITS } from '../../config.ts'
import { actionOf, type Calls } from './calls.ts'
import { dollars, duration, filled, wholeNumber, workers } from './flag-values.ts'
import { pageOption, withFormat, withRepository } from './flags.ts'
import { help } from './help.ts'

export function addPlanCommands(program: Command, calls: Calls): void {
  const { inRepository, inWorkspace } = actionOf(calls)
  const plan = program.command('plan').description('create, check, convert and show plans without running them')
  withRepository(
    withPlanner(plan.command('new').description('let an agent write a plan for an objective').argument('<objective>')),
  )
    .option('-o, --output <file>', 'write it here; default: plan.yaml', filled('--output'))
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object at the end')
    .addHelpText('after', HELP.new)
    .action(inWorkspace(async () => (await import('../commands/plan-new.ts')).planNew))
  withRepository(withFormat(plan.command('check').description('check a plan').argument('[file...]')))
    .option('--accept', 'write the commands that are not run as checks into `checks` of .espalier/config.yaml')
    .option('--json', 'print {ok, problems, format, …} as JSON')
    .addHelpText('after', HELP.check)
    .action(inRepository(async () => (await import('../commands/plan-check.ts')).planCheck))
  const convert = plan.command('convert').description("print a plan in Espalier's own format").argument('[file...]')
  withRepository(withPlanner(withFormat(convert), ['json', 'format', 'part']))
    .option('-o, --output <file>', 'write it to this file, which must not exist; - is stdout')
    .option('--json', 'as JSON instead of YAML')
    .addHelpText('after', HELP.convert)
    .action(inRepository(async () => (await import('../commands/plan-convert.ts')).planConvert))
  withRepository(
    withFormat(
      plan.command('show').description('show batches, waves, critical path and times of a plan').argument('[file...]'),
    ),
  )
    .option('-j, --max-concurrency <n>', 'for this many tasks at a time', wholeNumber(1, LIMITS.slots))
    .option('--json', 'print it as JSON')
    .addOption(new Option('--mermaid', 'print the graph as a Mermaid drawing').conflicts('json'))
    .addOption(pageOption('an HTML page with the graph').conflicts(['json', 'mermaid']))
    .addHelpText('after', HELP.show)
    .action(inRepository(async () => (await import('../commands/plan-show.ts')).planShow))
  withRepository(
    withFormat(
      plan
        .command('simulate')
        .description('simulate a plan with 1, 2, 4 … workers: time and cost')
        .argument('[file...]'),
    ),
  )
    .option(
      '-j, --max-concurrency <list>',
      'numbers of workers such as 1,2,4,8; default: doubled while that saves time',
      workers,
    )
    .option('--json', 'print it as JSON')
    .addOption(pageOption('as an HTML page').conflicts('json'))
    .addHelpText('after', HELP.simulate)
    .action(inRepository(async () => (await import('../commands/plan-simulate.ts')).planSimulate))

  withRepository(program.command('prompt').description('print the prompt of a task').argument('<task>'))
    .argument('[plan]', 'the file; default: espalier.yaml here, or at the top of the repository')
    .option('--run <run>', 'the prompt of its next attempt in this run')
    .option('--attempt <n>', 'the prompt of this attempt; default run: the newest', wholeNumber(1))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.prompt)
    .action(inWorkspace(async () => (await import('../commands/prompt.ts')).prompt))
}

/** Who makes a plan. `conflicts`: flags that only mean something without an agent. */
function withPlanner(command: Command, conflicts: string[] = []): Command {
  const agent = new Option('--agent <name>', 'the agent that writes it, such as claude').argParser(filled('--agent'))
  const program = new Option('--command <command>', 'the program that writes it; implies --agent command')
  return command
    .addOption(agent.conflicts(conflicts))
    .addOption(program.argParser(filled('--command')).conflicts(conflicts))
    .option('--model <model>', "the model it uses; default: the agent's own choice", filled('--model'))
    .option('--timeout <time>', 'stop it after this time (90s, 30m)', duration)
    .option('--budget-usd <n>', 'stop it once it has cost N US dollars', dollars)
}

const HELP = {
  new: help(
    `An agent reads your repository and splits the objective into tasks, with needs, claims, estimates and checks. It works in a
throw-away worktree of HEAD: your repository is not changed, no run appears in it, and nothing of the plan is run. Problems
that \`espalier plan check\` finds go back to the agent, up to three times. A plan that still has problems is kept as
plan.rejected.yaml, and they are printed. Read the plan before you run it: an agent wrote the commands in it. The program
of --command has to write the plan to espalier-plan.yaml in its folder. \`.espalier/prompts/plan.md\` replaces the prompt.`,
    '0 a valid plan was written, 1 none was, 2 wrong usage or the file exists, 130 interrupted.',
    "espalier plan new 'Customers can reset their password by mail' --agent claude",
    'espalier plan new "$(cat docs/search.md)" -o search.yaml --model opus --budget-usd 2',
  ),
  check: help(
    `All problems are reported at once, as FILE:LINE:COLUMN: MESSAGE. A missing agent is only a warning,
although \`run\` needs one. A model that its agent does not have is an error, as in \`run\`.

Plans of other formats (implementation_plan.json, batch plans in Markdown, work queues, epics and tasks, Task Master,
spec-kit, beads, GSD, ccpm) are auto-detected. The output says which format it is, how much is done already, what was
assumed and what was ignored. In a folder the plan is found where its tool puts it (.taskmaster, specs, .beads, …).

Of these, only commands known to test, lint or build are run as checks. The others are listed; --accept writes all of them
into the settings of the repository, and they are run from then on. Read them first.`,
    '0 the plan is OK, 2 it is not.',
    'espalier plan check',
    'espalier plan check plan.yaml --json',
    'espalier plan check .',
    'espalier plan check .taskmaster/tasks/tasks.json --part billing',
    'espalier plan check implementation_plan.json --accept',
  ),
  convert: help(
    `Prints a plan of another format in Espalier's own, as YAML or with --json as JSON. It has the open tasks, in the same
order and with the same prompts: running it is running the original. --output writes a file: JSON if its name ends in
.json, else YAML; its folder is created.

With --agent (or --command) the files may be prose: the agent makes a plan of them, as with \`espalier plan new\`, and writes
it to plan.yaml or --output, which must not exist. Nothing of it is run. Read it before you run it.`,
    '0, or 2 if the plan has problems or nothing left to do. With an agent as for `plan new`.',
    'espalier plan convert implementation_plan.json -o espalier.yaml',
    'espalier plan convert .claude/epics/checkout --format ccpm',
    "espalier plan convert .beads/issues.jsonl --json | jq '.tasks[].id'",
    'espalier plan convert docs/roadmap.md --agent claude -o roadmap.yaml',
  ),
  show: help(
    `Shows the plan before it runs: batches (by the longest chain of needs), waves (batches split by claims), epics and tasks,
the critical path, pairs of tasks whose claims overlap, tasks that will never run, and the shortest possible time with N
tasks at a time. Times are those of the plan, else of earlier runs. For tasks that changed more than they claimed in an
earlier run, it suggests claims.

--json has everything; --mermaid prints the graph as a Mermaid drawing; --html writes one page that loads nothing: to FILE,
or to the state folder, and prints its path; in a pipe without FILE the page itself.`,
    '0, or 2 if the plan has problems or the page cannot be written.',
    'espalier plan show plan.yaml -j 8',
    'espalier plan show plan.yaml --html plan.html',
    "espalier plan show plan.yaml --json | jq '.criticalPath.tasks'",
  ),
  simulate: help(
    `Runs the plan on a virtual clock, with the real scheduler and no agent: the time with 1, 2, 4, 8 … workers, the shortest
possible time, idle time of workers, cost, and the same in waves. It says how many workers are enough: twice as many
save less than 10%.

Times and costs are those of the plan (\`estimate\`, \`estimateUsd\`), else of earlier runs; an unknown time is the
median of the others. Every task succeeds at its first try and lands at once. Budgets count.`,
    '0, or 2 if the plan has problems or the page cannot be written.',
    'espalier plan simulate',
    'espalier plan simulate plan.yaml -j 3,6,12',
    'espalier plan simulate plan.yaml --html simulation.html',
  ),
  prompt: help(
    `With a plan: the prompt of the first attempt. What earlier tasks will change is not known yet, so they are only named. With
--run: the prompt of its next attempt. With --attempt: what was sent, word for word, including later prompts that asked the
agent to continue. Without a plan and an espalier.yaml: the newest run, if it has the task.

The prompt is made from templates. Those in .espalier/prompts/ of the repository replace the built-in ones: task.md,
need.md, guidelines.md, conflict.md, earlier.md, follow-up.md.`,
    '0, or 2 if there is no such task, run or attempt, or a template is not valid.',
    'espalier prompt users plan.yaml',
    'espalier prompt users --run checkout-7',
    'espalier prompt users --attempt 1',
  ),
} as const
