// The commands for setting up: check the machine, show the settings, write a first plan, try it out.

import { Argument, type Command } from 'commander'
import { actionOf, type Calls } from './calls.ts'
import { filled } from './flag-values.ts'
import { withRepository } from './flags.ts'
import { help } from './help.ts'

export function addSetupCommands(program: Command, calls: Calls): void {
  const { call, inRepository } = actionOf(calls)
  withRepository(program.command('doctor').description('check that this machine and repository are ready'))
    .option('--fix', 'end processes that killed engines left running')
    .option('--probe', 'ask each installed agent for one word, which costs a little')
    .option('--json', 'print the checks as JSON')
    .addHelpText('after', HELP.doctor)
    .action(inRepository(async () => (await import('../commands/doctor.ts')).doctor))

  program
    .command('mcp')
    .description('MCP server for the agents of a run (stdin and stdout)')
    .addHelpText('after', HELP.mcp)
    .action(call(async () => (await import('../commands/mcp.ts')).mcp))

  program
    .command('init')
    .description('write a first plan for this repository')
    .argument('[file]', 'default: espalier.yaml')
    .option('--agent <name>', 'the agent of the plan; default: one that is installed', filled('--agent'))
    .option('--search', 'write a search instead of a plan')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.init)
    .action(call(async () => (await import('../commands/init.ts')).init))

  withRepository(program.command('config').description('show the current settings and where they come from'))
    .argument('[plan]', 'with the settings of this plan; default: espalier.yaml, where there is one')
    .option('--json', 'print {settings, origin} as JSON')
    .addHelpText('after', HELP.config)
    .action(inRepository(async () => (await import('../commands/config.ts')).config))

  program
    .command('demo')
    .description('run a small plan, or a search, on a throw-away repository')
    .addArgument(new Argument('[what]', 'what to run').choices(['plan', 'search']).default('plan'))
    .addHelpText('after', HELP.demo)
    .action(call(async () => (await import('../commands/demo.ts')).demo))
}

const HELP = {
  doctor: help(
    `Checks Node, git, the repository and the state folder, and says how to fix each problem. Shows which agents are
installed and whether they are logged in, the size of the state folder, and which runs \`history\` keeps. Of workers: whether
each is heard of, its clock, its version and its agents.`,
    '0 ready to run, 1 there are problems to fix.',
  ),
  mcp: help(
    `Agents of a run start it themselves: there is nothing to set up or to call by hand. \`mcp: false\` in the settings turns
it off. Environment variables of the agent tell it which attempt it serves.

Tools: get_task, list_running, update_task, log_issue, note_follow_up, add_lesson, request_claim.`,
    '0.',
  ),
  init: help(
    `Looks at the repository (language, test command, installed agents) and writes a plan with one or two small tasks for
your agent: each may change only the files it claims, and is checked by a command that exists here. Nothing is run. An
existing file is never overwritten.`,
    '0 written, 2 not written.',
    'espalier init',
    'espalier init --agent codex',
  ),
  config: help(
    'Prints every setting and where it comes from, those of the plan included.',
    '0, or 2 if a file or variable is not valid.',
    'espalier config',
    'espalier config plan.yaml --json',
  ),
  demo: help(
    'Makes a throw-away repository, runs a small plan on it with scripted agents (no model, no cost), and shows the result.',
    '0 it worked, 1 it did not.',
  ),
} as const
