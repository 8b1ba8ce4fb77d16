// The commands for lessons that agents have learned, and for models.
import type { Command } from 'commander'
import { actionOf, type Calls } from './calls.ts'
import { filled, share } from './flag-values.ts'
import { withRepository } from './flags.ts'
import { help } from './help.ts'

export function addLearningCommands(program: Command, calls: Calls): void {
  const { inWorkspace } = actionOf(calls)
  const expertise = program.command('expertise').description('show and change what agents have learned')
  withRepository(
    expertise
      .command('list', { isDefault: true })
      .description('list lessons, the most trusted first')
      .argument('[domain]'),
  )
    .option('--json', 'print a list of domains as JSON')
    .addHelpText('after', HELP.list)
    .action(inWorkspace(async () => (await import('../commands/expertise.ts')).listAll))
  withRepository(expertise.command('show').description('show a lesson and where it was seen').argument('<id>'))
    .option('--json', 'print {lesson} as JSON')
    .addHelpText('after', HELP.show)
    .action(inWorkspace(async () => (await import('../commands/expertise.ts')).show))
  withRepository(expertise.command('edit').description('change a lesson, by default in your editor').argument('<id>'))
    .option('--text <text>', 'the new text', filled('--text'))
    .option('--confidence <n>', 'how far to trust it, from 0 to 1', share)
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.edit)
    .action(inWorkspace(async () => (await import('../commands/expertise.ts')).edit))
  withRepository(expertise.command('add').description('add a lesson yourself').argument('<text>'))
    .option('--domain <domain>', 'the kind of tasks it is for; default: general (all tasks)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.add)
    .action(inWorkspace(async () => (await import('../commands/expertise.ts')).add))
  withRepository(expertise.command('export').description('write all lessons to a Markdown file'))
    .option('-o, --output <file>', 'write it here; - is stdout; default: .espalier/expertise.md in the repository')
    .option('--json', 'print {file, lessons} as JSON')
    .addHelpText('after', HELP.export)
    .action(inWorkspace(async () => (await import('../commands/expertise.ts')).exportTo))

  withRepository(program.command('models').description('show models, their results, and which were chosen for tasks'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.models)
    .action(inWorkspace(async () => (await import('../commands/models.ts')).models))
}

const HELP = {
  list: help(
    `Lessons of earlier tasks by domain: confidence, id, kind, and the text that agents get.
Without DOMAIN: all of them.`,
    '0, or 2 if nothing is known of that domain.',
    'espalier expertise',
    'espalier expertise list database',
    "espalier expertise list --json | jq '.[].lessons[].text'",
  ),
  show: help(
    `ID may be abbreviated. Shows where the lesson was seen (run, task, session, commit) and the results of tasks that had it in
their prompt.`,
    '0, or 2 if there is no such lesson.',
    'espalier expertise show 3f2a91c0de',
  ),
  edit: help(
    `Without a flag the text is opened in $VISUAL or $EDITOR. It becomes one line without secrets. A confidence of 0
drops the lesson. Works during a run: the next prompt has the new text.`,
    '0, or 2 if there is no such lesson or nothing to change.',
    'espalier expertise edit 3f2a',
    "espalier expertise edit 3f2a --text 'Run npm run codegen after a change of schema.graphql.'",
    'espalier expertise edit 3f2a --confidence 0.95',
  ),
  add: help(
    `Tasks of its domain get the lesson in their prompt; lessons of the domain general go to all tasks. If the files it names
are removed, the lesson is dropped.`,
    '0, or 2 if there is no such domain, or the lesson is known already.',
    "espalier expertise add 'Never edit db/generated.sql: it is made by npm run schema.' --domain database",
  ),
  export: help(
    `Lessons by domain, the most trusted first, each with its confidence. Secrets are removed once more.`,
    '0, or 2 if the file cannot be written.',
    'espalier expertise export',
    'espalier expertise export -o - | less',
  ),
  models: help(
    `For each agent: the models that \`model: auto\` chooses from, with their prices and their results so far, by kind of task
(domain and complexity). Then what was chosen in the newest run and why, and the estimated saving against the dearest
model for every task, assuming as many tokens and no retries.`,
    '0.',
    'espalier models',
    'espalier models --json | jq .saved',
  ),
} as const
