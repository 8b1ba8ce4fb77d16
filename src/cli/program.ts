// The command line: names, flags, help. What a command does is in commands/, loaded only when it is called.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ON_BUDGET } from '../budget.ts'
import { LIMITS } from '../config.ts'
import { parseDuration } from '../duration.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { HELP } from './help.ts'
import { helpWidth, type Surroundings } from './surroundings.ts'

/** Carries out a command line. Wrong usage has been explained on stderr when this resolves. */
export async function runProgram(argv: string[], version: string, around: Surroundings): Promise<ExitStatus> {
  let status: ExitStatus = EXIT.done
  const program = commandLine(version, around, (result) => {
    status = result
  })
  try {
    await program.parseAsync(argv)
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.done : EXIT.badInput
  }
}

function commandLine(version: string, around: Surroundings, finish: (status: ExitStatus) => void): Command {
  const program = new Command('espalier')
    .description('Runs many coding agents in parallel on one git repository and lands their work on one branch.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain this command')
    .helpCommand('help [command]', 'explain a command')
    .exitOverride()
    .showHelpAfterError('(--help explains it)')
    .configureOutput({
      writeOut: (text) => void around.out.write(text),
      writeErr: (text) => void around.err.write(text),
      getOutHelpWidth: () => helpWidth(around.out),
      getErrHelpWidth: () => helpWidth(around.err),
    })
    .addHelpText('after', HELP.program)

  const runCommand = withRunFlags(program.command('run').description('run a plan'))
    .argument('[plan...]', 'its file, files or folder; default: espalier.yaml here, or at the top of the repository')
    .option('--base <rev>', 'start from this commit instead of the base of the plan or HEAD')
    .addOption(
      new Option('--schedule <kind>', 'eager: as soon as possible; waves: batch by batch').choices(['eager', 'waves']),
    )
    .option('--dry-run', 'print what would run, and write nothing')
  withRepository(withFormat(runCommand))
    .addHelpText('after', HELP.run)
    .action(async (plan, flags) => finish(await (await import('./commands/run.ts')).run(plan, flags, around)))

  const resume = program.command('resume').description('go on with a run').argument('[run]')
  withRepository(withFormat(withRunFlags(resume)))
    .option('--replan [file]', 'take over what has changed in the plan and has not begun yet')
    .addHelpText('after', HELP.resume)
    .action(async (run, flags) => finish(await (await import('./commands/resume.ts')).resume(run, flags, around)))

  const retry = program.command('retry').description('try again what did not succeed').argument('[task...]')
  withRepository(withFormat(withRunFlags(retry)))
    .option('--run <run>', 'the run; default: the newest')
    .option('--replan [file]', 'take over what has changed in the plan and is not done')
    .addHelpText('after', HELP.retry)
    .action(async (tasks, flags) => finish(await (await import('./commands/retry.ts')).retry(tasks, flags, around)))

  withRepository(program.command('status').description('show how a run stands').argument('[run]'))
    .option('-a, --all', 'list all runs, newest first')
    .option('-w, --watch', 'show it again whenever something changed, until the run ends')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.status)
    .action(async (run, flags) => finish(await (await import('./commands/status.ts')).status(run, flags, around)))

  withRepository(program.command('cancel').description('cancel a run or one task of it').argument('[task]'))
    .option('--run <run>', 'the run; default: the newest')
    .addHelpText('after', HELP.cancel)
    .action(async (task, flags) => finish(await (await import('./commands/cancel.ts')).cancel(task, flags, around)))

  const claims = program.command('claims').description('show who holds which paths, or hold some yourself')
  withRepository(claims.command('list', { isDefault: true }).description('list who holds what, and who waits for it'))
    .option('--json', 'print {run, held, waiting, waitingCount, undeclared} as JSON')
    .addHelpText('after', HELP.claimsList)
    .action(async (flags) => finish(await (await import('./commands/claims.ts')).list(flags, around)))
  withRepository(claims.command('check').description('ask whether paths are free to be changed').argument('<path...>'))
    .option('--as <who>', 'the task or person that asks: what they hold themselves does not count', filled('--as'))
    .option('--json', 'print {has_conflicts, conflicts, warnings, can_proceed} as JSON')
    .addHelpText('after', HELP.claimsCheck)
    .action(async (paths, flags) => finish(await (await import('./commands/claims.ts')).check(paths, flags, around)))
  withRepository(claims.command('hold').description('keep agents out of what you edit').argument('<glob...>'))
    .option('--for <time>', 'for how long (30m, 2h), 24h at most; default: 1h', duration)
    .option('--name <name>', 'whose it is, for others to read; default: your user name', filled('--name'))
    .addHelpText('after', HELP.claimsHold)
    .action(async (globs, flags) => finish(await (await import('./commands/claims.ts')).hold(globs, flags, around)))
  withRepository(claims.command('release').description('let go of what you hold').argument('[glob...]'))
    .option('--all', 'of everything that people hold')
    .option('--name <name>', 'only what is held under this name', filled('--name'))
    .addHelpText('after', HELP.claimsRelease)
    .action(async (globs, flags) => finish(await (await import('./commands/claims.ts')).release(globs, flags, around)))

  withRepository(program.command('resolve').description('resolve a conflict that waits for you').argument('[task]'))
    .option('--done', 'check what is in the worktree and hand it back')
    .option('--abort', 'give it up: the task fails, its work is kept')
    .option('--worktree <dir>', 'make the worktree here; default: in the state folder')
    .option('--run <run>', 'the run; default: the newest in which something waits')
    .addHelpText('after', HELP.resolve)
    .action(async (task, flags) => finish(await (await import('./commands/resolve.ts')).resolve(task, flags, around)))

  withRepository(program.command('logs').description('print what the agent of a task printed').argument('<task>'))
    .option('-f, --follow', 'go on as it prints more')
    .option('--transcript', 'made readable: what it said, a line for each tool it used, the cost')
    .option('--attempt <n>', 'which attempt; default: the last', wholeNumber(1))
    .option('--run <run>', 'the run; default: the newest')
    .addHelpText('after', HELP.logs)
    .action(async (task, flags) => finish(await (await import('./commands/logs.ts')).logs(task, flags, around)))

  withRepository(program.command('sessions').description('list the sessions of agents, with tokens and cost'))
    .option('--run <run>', 'the run; default: the newest')
    .option('--task <task>', 'of this task only')
    .option('--notes', 'a note for each instead: what was done, how it was checked, what the agent noticed')
    .option('--json', 'print a list as JSON')
    .addHelpText('after', HELP.sessions)
    .action(async (flags) => finish(await (await import('./commands/sessions.ts')).sessions(flags, around)))

  withRepository(
    program.command('trace').description('show where a task or commit comes from').argument('<task-or-commit>'),
  )
    .option('--run <run>', 'the run the task is of; default: the newest')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.trace)
    .action(async (of, flags) => finish(await (await import('./commands/trace.ts')).trace(of, flags, around)))

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
    .action(async (run, flags) => finish(await (await import('./commands/report.ts')).report(run, flags, around)))

  withRepository(program.command('land').description('bring the result of a run onto your branch').argument('[run]'))
    .option('--into <branch>', 'the branch; default: the one that is checked out')
    .option('--push <remote>', 'push the branch there afterwards; never with force')
    .option('--pr', "push the run's branch instead, and open a pull request with the GitHub CLI")
    .addHelpText('after', HELP.land)
    .action(async (run, flags) => finish(await (await import('./commands/land.ts')).land(run, flags, around)))

  withRepository(program.command('clean').description('remove what finished runs left behind'))
    .addOption(new Option('--run <run>', 'this run, however new it is').conflicts('all'))
    .option('--all', 'every run that is over, however new it is')
    .option('--worktrees', 'also the pool of worktrees')
    .option('--force', 'also work that no branch or ref of your repository holds any more')
    .option('--dry-run', 'only say what would be removed')
    .addHelpText('after', HELP.clean)
    .action(async (flags) => finish(await (await import('./commands/clean.ts')).clean(flags, around)))

  const plan = program.command('plan').description('look at a plan without running it')
  withRepository(plan.command('new').description('let an agent make a plan of an objective').argument('<objective>'))
    .option('-o, --output <file>', 'write it here; default: plan.yaml', filled('--output'))
    .option('--force', 'also over a file that is there')
    .option('--agent <name>', 'the agent that makes it, such as claude', filled('--agent'))
    .option('--command <command>', 'the program that makes it; implies --agent command', filled('--command'))
    .option('--model <model>', "the model it uses; default: the agent's own choice", filled('--model'))
    .option('--timeout <time>', 'end it after this long (90s, 30m)', duration)
    .option('--budget-usd <n>', 'end it once it has cost so many US dollars', dollars)
    .addHelpText('after', HELP.planNew)
    .action(async (objective, flags) =>
      finish(await (await import('./commands/plan-new.ts')).planNew(objective, flags, around)),
    )
  withRepository(withFormat(plan.command('check').description('find every problem of a plan').argument('[file...]')))
    .option('--json', 'print {ok, problems, format, …} as JSON')
    .addHelpText('after', HELP.planCheck)
    .action(async (files, flags) =>
      finish(await (await import('./commands/plan-check.ts')).planCheck(files, flags, around)),
    )
  withRepository(
    withFormat(plan.command('convert').description("print a plan in Espalier's own format").argument('[file...]')),
  )
    .option('-o, --output <file>', 'write it to this file, which must not be there yet; - is stdout')
    .option('--json', 'as JSON instead of YAML')
    .addHelpText('after', HELP.planConvert)
    .action(async (files, flags) =>
      finish(await (await import('./commands/plan-convert.ts')).planConvert(files, flags, around)),
    )
  withRepository(withFormat(plan.command('show').description('show the shape of a plan').argument('[file...]')))
    .option('-j, --max-concurrency <n>', 'for this many tasks at a time', wholeNumber(1, LIMITS.slots))
    .option('--json', 'print it as JSON')
    .addOption(new Option('--mermaid', 'print the graph as a Mermaid drawing').conflicts('json'))
    .addOption(pageOption('make a page with the graph').conflicts(['json', 'mermaid']))
    .addHelpText('after', HELP.planShow)
    .action(async (files, flags) =>
      finish(await (await import('./commands/plan-show.ts')).planShow(files, flags, around)),
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
    .addHelpText('after', HELP.planSimulate)
    .action(async (files, flags) =>
      finish(await (await import('./commands/plan-simulate.ts')).planSimulate(files, flags, around)),
    )

  withRepository(program.command('prompt').description('print what the agent of a task is told').argument('<task>'))
    .argument('[plan]', 'the file; default: espalier.yaml here, or at the top of the repository')
    .option('--run <run>', 'what its next attempt in this run would be told')
    .option('--attempt <n>', 'what this attempt was told; of the newest run without --run', wholeNumber(1))
    .addHelpText('after', HELP.prompt)
    .action(async (task, plan, flags) =>
      finish(await (await import('./commands/prompt.ts')).prompt(task, plan, flags, around)),
    )

  const expertise = program.command('expertise').description('look at what agents have learned, and change it')
  withRepository(
    expertise.command('list', { isDefault: true }).description('list it, the most trusted first').argument('[domain]'),
  )
    .option('--json', 'print a list of domains as JSON')
    .addHelpText('after', HELP.expertiseList)
    .action(async (domain, flags) =>
      finish(await (await import('./commands/expertise.ts')).listAll(domain, flags, around)),
    )
  withRepository(expertise.command('show').description('show a lesson and all that was done to it').argument('<id>'))
    .option('--json', 'print {lesson, audit} as JSON')
    .addHelpText('after', HELP.expertiseShow)
    .action(async (id, flags) => finish(await (await import('./commands/expertise.ts')).show(id, flags, around)))
  withRepository(expertise.command('edit').description('change a lesson, by default in your editor').argument('<id>'))
    .option('--text <text>', 'its new words', filled('--text'))
    .option('--confidence <n>', 'how far it is to be trusted, from 0 to 1', share)
    .addHelpText('after', HELP.expertiseEdit)
    .action(async (id, flags) => finish(await (await import('./commands/expertise.ts')).edit(id, flags, around)))
  withRepository(expertise.command('add').description('tell agents something that you know').argument('<text>'))
    .option('--domain <domain>', 'the kind of tasks it is for; default: general, which is all')
    .addHelpText('after', HELP.expertiseAdd)
    .action(async (text, flags) => finish(await (await import('./commands/expertise.ts')).add(text, flags, around)))
  withRepository(expertise.command('prune').description('drop what is out of date'))
    .option('--dry-run', 'only say what would be dropped')
    .addHelpText('after', HELP.expertisePrune)
    .action(async (flags) => finish(await (await import('./commands/expertise.ts')).prune(flags, around)))
  withRepository(expertise.command('export').description('write it to a file, for your team'))
    .option('-o, --output <file>', 'write it here; - is stdout; default: .espalier/expertise.jsonl in the repository')
    .addHelpText('after', HELP.expertiseExport)
    .action(async (flags) => finish(await (await import('./commands/expertise-file.ts')).exportTo(flags, around)))
  withRepository(expertise.command('import').description('take in such a file').argument('<file>'))
    .option('--dry-run', 'only print what would be taken')
    .addHelpText('after', HELP.expertiseImport)
    .action(async (file, flags) =>
      finish(await (await import('./commands/expertise-file.ts')).importFrom(file, flags, around)),
    )

  withRepository(program.command('models').description('show which models there are, how they do, and what was chosen'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.models)
    .action(async (flags) => finish(await (await import('./commands/models.ts')).models(flags, around)))

  withRepository(program.command('doctor').description('check that this machine and repository are ready'))
    .option('--fix', 'end processes of killed engines that nobody looks after')
    .option('--json', 'print the checks as JSON')
    .addHelpText('after', HELP.doctor)
    .action(async (flags) => finish(await (await import('./commands/doctor.ts')).doctor(flags, around)))

  program
    .command('mcp')
    .description('the task manager that agents are given: speaks MCP on stdin and stdout')
    .addHelpText('after', HELP.mcp)
    .action(async () => finish(await (await import('./commands/mcp.ts')).mcp(version, around)))

  program
    .command('init')
    .description('write a plan to start from')
    .argument('[file]')
    .addHelpText('after', HELP.init)
    .action(async (file) => finish(await (await import('./commands/init.ts')).init(file, around)))

  withRepository(program.command('config').description('show the settings in force and where they come from'))
    .argument('[plan]', 'with the settings of this plan; default: espalier.yaml, where there is one')
    .option('--plan <file>', 'the same')
    .option('--json', 'print {settings, origin} as JSON')
    .addHelpText('after', HELP.config)
    .action(async (plan, flags) => finish(await (await import('./commands/config.ts')).config(plan, flags, around)))

  program
    .command('demo')
    .description('watch a small plan run on a throw-away repository')
    .addHelpText('after', HELP.demo)
    .action(async () => finish(await (await import('./commands/demo.ts')).demo(around)))

  return program
}

function pageOption(what: string): Option {
  const where = 'without FILE to the state folder, or to a pipe; - is stdout'
  return new Option('--html [file]', `${what}; ${where}`).argParser(endingIn('--html', '.html', '.htm'))
}

function withRepository(command: Command): Command {
  return command
    .option('--repo <dir>', 'the repository; default: the one around this folder')
    .option('--state-dir <dir>', 'where runs are kept; default: <repository>.espalier beside it')
}

function withFormat(command: Command): Command {
  return command
    .option('--format <name>', 'the format of the plan; default: found out by what is in it')
    .option('--part <part>', 'only this part of it: batches such as 1-3, a tag of Task Master')
    .addOption(
      new Option('--batches <range>', 'only these batches of a batch plan: all, 2, 1-3 or 1,3-4').conflicts(['part']),
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

function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    const upTo = max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${max}`
    throw new InvalidArgumentError(`It must be a whole number, ${min} ${upTo}.`)
  }
}

/** `1,2,4`: each once, the fewest first. */
function workers(text: string): number[] {
  const numbers = text.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN))
  const isRight = numbers.every((number) => number >= 1 && number <= LIMITS.slots)
  if (isRight && numbers.length <= LIMITS.simulations) return numbers
  throw new InvalidArgumentError(
    `It must be at most ${LIMITS.simulations} whole numbers from 1 to ${LIMITS.slots}, such as 1,2,4,8.`,
  )
}

function share(text: string): number {
  const number = /^(\d+(\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
  if (number <= 1) return number
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}

/** Null: no limit. */
function dollars(text: string): number | null {
  if (text === 'none') return null
  const usd = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0
  if (usd > 0) return usd
  throw new InvalidArgumentError('It must be an amount of US dollars such as 20 or 0.5, or none.')
}

function filled(flag: string): (text: string) => string {
  return (text) => {
    if (text.trim() !== '') return text
    throw new InvalidArgumentError(`${flag} is empty.`)
  }
}

/** What follows a flag that needs no file may be meant for the command itself: a plan must not become a page. */
function endingIn(flag: string, ...endings: string[]): (text: string) => string {
  return (text) => {
    if (text === '-' || endings.some((ending) => text.endsWith(ending))) return text
    throw new InvalidArgumentError(`Its file must end in ${endings[0]}. A plan or a run goes before ${flag}.`)
  }
}

function duration(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null && ms > 0 && ms <= LIMITS.durationMs) return ms
  throw new InvalidArgumentError('It must be a time such as 90s, 30m or 2h.')
}
