// The commands around the others: is this machine ready, what are the settings, where to begin.
import type { Command } from 'commander'
import type { Calls } from './calls.ts'
import { withRepository } from './flags.ts'

export function addSetupCommands(program: Command, { version, surroundings, finish }: Calls): void {
  withRepository(program.command('doctor').description('check that this machine and repository are ready'))
    .option('--fix', 'end processes of killed engines that nobody looks after')
    .option('--json', 'print the checks as JSON')
    .addHelpText('after', HELP.doctor)
    .action(async (flags) => finish(await (await import('../commands/doctor.ts')).doctor(flags, surroundings)))

  program
    .command('mcp')
    .description('the task manager that agents are given: speaks MCP on stdin and stdout')
    .addHelpText('after', HELP.mcp)
    .action(async () => finish(await (await import('../commands/mcp.ts')).mcp(version, surroundings)))

  program
    .command('init')
    .description('write a plan to start from')
    .argument('[file]')
    .addHelpText('after', HELP.init)
    .action(async (file) => finish(await (await import('../commands/init.ts')).init(file, surroundings)))

  withRepository(program.command('config').description('show the settings in force and where they come from'))
    .argument('[plan]', 'with the settings of this plan; default: espalier.yaml, where there is one')
    .option('--plan <file>', 'the same')
    .option('--json', 'print {settings, origin} as JSON')
    .addHelpText('after', HELP.config)
    .action(async (plan, flags) =>
      finish(await (await import('../commands/config.ts')).config(plan, flags, surroundings)),
    )

  program
    .command('demo')
    .description('watch a small plan run on a throw-away repository')
    .addHelpText('after', HELP.demo)
    .action(async () => finish(await (await import('../commands/demo.ts')).demo(surroundings)))
}

const HELP = {
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

Exit status: 0, or 2 workspace a file or variable is not valid.

Examples:
  espalier config
  espalier config plan.yaml --json`,

  demo: `
Makes a throw-away repository, runs a small plan on it with scripted agents (no model, no cost), and shows the result.

Exit status: 0 it worked, 1 it did not.`,
} as const
