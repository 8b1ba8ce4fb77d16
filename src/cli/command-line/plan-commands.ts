// The commands about plans and prompts: none of them runs a plan.
import { type Command, Option } from 'commander'
import { LIMITS } from '../../config.ts'
import type { Calls } from './calls.ts'
import { dollars, duration, filled, wholeNumber, workers } from './flag-values.ts'
import { pageOption, withFormat, withRepository } from './flags.ts'

export function addPlanCommands(program: Command, { surroundings, finish }: Calls): void {
  const plan = program.command('plan').description('look at a plan without running it')
  withRepository(
    withPlanner(plan.command('new').description('let an agent make a plan of an objective').argument('<objective>')),
  )
    .option('-o, --output <file>', 'write it here; default: plan.yaml', filled('--output'))
    .option('--force', 'also over a file that is there')
    .addHelpText('after', HELP.new)
    .action(async (objective, flags) =>
      finish(await (await import('../commands/plan-new.ts')).planNew(objective, flags, surroundings)),
    )
  withRepository(withFormat(plan.command('check').description('find every problem of a plan').argument('[file...]')))
    .option('--json', 'print {ok, problems, format, …} as JSON')
    .addHelpText('after', HELP.check)
    .action(async (files, flags) =>
      finish(await (await import('../commands/plan-check.ts')).planCheck(files, flags, surroundings)),
    )
  const convert = plan.command('convert').description("print a plan in Espalier's own format").argument('[file...]')
  withRepository(withPlanner(withFormat(convert), ['json', 'format', 'part', 'batches']))
    .option('-o, --output <file>', 'write it to this file, which must not be there yet; - is stdout')
    .option('--json', 'as JSON instead of YAML')
    .addHelpText('after', HELP.convert)
    .action(async (files, flags) =>
      finish(await (await import('../commands/plan-convert.ts')).planConvert(files, flags, surroundings)),
    )
  withRepository(withFormat(plan.command('show').description('show the shape of a plan').argument('[file...]')))
    .option('-j, --max-concurrency <n>', 'for this many tasks at a time', wholeNumber(1, LIMITS.slots))
    .option('--json', 'print it as JSON')
    .addOption(new Option('--mermaid', 'print the graph as a Mermaid drawing').conflicts('json'))
    .addOption(pageOption('make a page with the graph').conflicts(['json', 'mermaid']))
    .addHelpText('after', HELP.show)
    .action(async (files, flags) =>
      finish(await (await import('../commands/plan-show.ts')).planShow(files, flags, surroundings)),
    )
  withRepository(
    withFormat(
      plan.command('simulate').description('how long and how much with 1, 2, 4 … workers').argument('[file...]'),
    ),
  )
    .option(
      '-j, --max-concurrency <list>',
      'numbers of workers such as 1,2,4,8; default: doubled while it pays',
      workers,
    )
    .option('--json', 'print it as JSON')
    .addOption(pageOption('make a page with a chart').conflicts('json'))
    .addHelpText('after', HELP.simulate)
    .action(async (files, flags) =>
      finish(await (await import('../commands/plan-simulate.ts')).planSimulate(files, flags, surroundings)),
    )

  withRepository(program.command('prompt').description('print what the agent of a task is told').argument('<task>'))
    .argument('[plan]', 'the file; default: espalier.yaml here, or at the top of the repository')
    .option('--run <run>', 'what its next attempt in this run would be told')
    .option('--attempt <n>', 'what this attempt was told; of the newest run without --run', wholeNumber(1))
    .addHelpText('after', HELP.prompt)
    .action(async (task, plan, flags) =>
      finish(await (await import('../commands/prompt.ts')).prompt(task, plan, flags, surroundings)),
    )
}

/** Who makes a plan. `conflicts`: flags that only mean something without an agent. */
function withPlanner(command: Command, conflicts: string[] = []): Command {
  const agent = new Option('--agent <name>', 'the agent that makes it, such as claude').argParser(filled('--agent'))
  const program = new Option('--command <command>', 'the program that makes it; implies --agent command')
  return command
    .addOption(agent.conflicts(conflicts))
    .addOption(program.argParser(filled('--command')).conflicts(conflicts))
    .option('--model <model>', "the model it uses; default: the agent's own choice", filled('--model'))
    .option('--timeout <time>', 'end it after this long (90s, 30m)', duration)
    .option('--budget-usd <n>', 'end it once it has cost so many US dollars', dollars)
}

const HELP = {
  new: `
An agent looks at your repository and cuts the objective into tasks, with needs, claims, estimates and commands that check
them. It works in a throw-away worktree of HEAD: your repository is not changed, no run appears in it, and nothing of the
plan is run. What \`espalier plan check\` would find goes back to the agent, up to three times. If the plan is not sound
then, it is kept as plan.rejected.yaml, and you are told what is wrong with it. Read the plan before you run it: it has
commands in it that an agent wrote. The program of --command has to write the plan to espalier-plan.yaml in its folder.
\`.espalier/prompts/plan.md\` says what the agent is told, workspace you want it different.

Exit status: 0 a sound plan was written, 1 none was, 2 wrong usage or the file is there already, 130 interrupted.

Examples:
  espalier plan new 'Customers can reset their password by mail' --agent claude
  espalier plan new "$(cat docs/search.md)" -o search.yaml --model opus --budget-usd 2`,

  check: `
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

  convert: `
Prints a plan of another format as Espalier's own, as YAML or with --json as JSON. It has what is still to be done, in the
same order and with the same prompts: running it is running the original. Nothing is written but --output: JSON where its
name ends in .json, YAML otherwise; its folder is made.

With --agent (or --command) the files may be in any words: the agent makes a plan of them, as with \`espalier plan new\`, and
writes it to plan.yaml or --output, which must not be there yet. Nothing of it is run. Read it before you do.

Exit status: 0, or 2 where the plan is not sound or has nothing left to do. With an agent as for \`plan new\`.

Examples:
  espalier plan convert implementation_plan.json -o espalier.yaml
  espalier plan convert .claude/epics/checkout --format ccpm
  espalier plan convert .beads/issues.jsonl --json | jq '.tasks[].id'
  espalier plan convert docs/roadmap.md --agent claude -o roadmap.yaml`,

  show: `
Shows the plan before it runs: its batches (by the longest chain of needs), its waves workspace claims keep tasks of a batch
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

  simulate: `
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
} as const
