// The commands for what agents have learned, and for what is known about models.
import type { Command } from 'commander'
import type { Calls } from './calls.ts'
import { filled, share } from './flag-values.ts'
import { withRepository } from './flags.ts'

export function addLearningCommands(program: Command, { surroundings, finish }: Calls): void {
  const expertise = program.command('expertise').description('look at what agents have learned, and change it')
  withRepository(
    expertise.command('list', { isDefault: true }).description('list it, the most trusted first').argument('[domain]'),
  )
    .option('--json', 'print a list of domains as JSON')
    .addHelpText('after', HELP.list)
    .action(async (domain, flags) =>
      finish(await (await import('../commands/expertise.ts')).listAll(domain, flags, surroundings)),
    )
  withRepository(expertise.command('show').description('show a lesson and all that was done to it').argument('<id>'))
    .option('--json', 'print {lesson, audit} as JSON')
    .addHelpText('after', HELP.show)
    .action(async (id, flags) => finish(await (await import('../commands/expertise.ts')).show(id, flags, surroundings)))
  withRepository(expertise.command('edit').description('change a lesson, by default in your editor').argument('<id>'))
    .option('--text <text>', 'its new words', filled('--text'))
    .option('--confidence <n>', 'how far it is to be trusted, from 0 to 1', share)
    .addHelpText('after', HELP.edit)
    .action(async (id, flags) => finish(await (await import('../commands/expertise.ts')).edit(id, flags, surroundings)))
  withRepository(expertise.command('add').description('tell agents something that you know').argument('<text>'))
    .option('--domain <domain>', 'the kind of tasks it is for; default: general, which is all')
    .addHelpText('after', HELP.add)
    .action(async (text, flags) =>
      finish(await (await import('../commands/expertise.ts')).add(text, flags, surroundings)),
    )
  withRepository(expertise.command('prune').description('drop what is out of date'))
    .option('--dry-run', 'only say what would be dropped')
    .addHelpText('after', HELP.prune)
    .action(async (flags) => finish(await (await import('../commands/expertise.ts')).prune(flags, surroundings)))
  withRepository(expertise.command('export').description('write it to a file, for your team'))
    .option('-o, --output <file>', 'write it here; - is stdout; default: .espalier/expertise.jsonl in the repository')
    .addHelpText('after', HELP.export)
    .action(async (flags) =>
      finish(await (await import('../commands/expertise-file.ts')).exportTo(flags, surroundings)),
    )
  withRepository(expertise.command('import').description('take in such a file').argument('<file>'))
    .option('--dry-run', 'only print what would be taken')
    .addHelpText('after', HELP.import)
    .action(async (file, flags) =>
      finish(await (await import('../commands/expertise-file.ts')).importFrom(file, flags, surroundings)),
    )

  withRepository(program.command('models').description('show which models there are, how they do, and what was chosen'))
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP.models)
    .action(async (flags) => finish(await (await import('../commands/models.ts')).models(flags, surroundings)))
}

const HELP = {
  list: `
What earlier tasks have taught, by domain: how sure it is, its id, what kind it is, and the words that agents are told.
Without DOMAIN: all of them. Each domain keeps as many lines as \`learning.linesPerDomain\` allows.

Exit status: 0, or 2 workspace nothing is known of that domain.

Examples:
  espalier expertise
  espalier expertise list database
  espalier expertise list --json | jq '.[].lessons[].text'`,

  show: `
ID may be the beginning of one. Shows where the lesson was seen (run, task, session, commit), how tasks that were told
of it fared, and everything that was done to it: learned, seen again, validated, doubted, edited, imported, pruned.

Exit status: 0, or 2 where there is no such lesson.

Examples:
  espalier expertise show 3f2a91c0de`,

  edit: `
Without a flag the words are opened in $VISUAL or $EDITOR. They become one line without secrets. To be rid of a lesson,
give it a confidence of 0 and prune. Also while a run goes on: the next prompt has the new words.

Exit status: 0, or 2 where there is no such lesson or nothing to change it to.

Examples:
  espalier expertise edit 3f2a
  espalier expertise edit 3f2a --text 'Run npm run codegen after a change of schema.graphql.'
  espalier expertise edit 3f2a --confidence 0.95`,

  add: `
The lesson is told to tasks of its domain; those of the domain general are told to all. It hangs on the files of the
repository that it names: when they are gone, so is the lesson.

Exit status: 0, or 2 where there is no such domain or it is known already.

Examples:
  espalier expertise add 'Never edit db/generated.sql: it is made by npm run schema.' --domain database`,

  prune: `
Drops lessons about files that are neither in HEAD nor in a run that is not landed yet, those whose confidence has become
too low, and the least trusted of a domain that has more lines than \`learning.linesPerDomain\`. The end of a run does
nearly the same by itself: it keeps a lesson about files it has never seen for a while.

Exit status: 0.

Examples:
  espalier expertise prune --dry-run`,

  export: `
One lesson a line, always in the same order, so that a change of one is a change of one line. Secrets are taken out once
more. Commit the file, and the others of your team take it in with \`espalier expertise import\`. It is never read by itself.
A file with lessons that were never known here is not written over: import it first.

Exit status: 0, or 2 where the file cannot be written, or is not to be.

Examples:
  espalier expertise export
  espalier expertise export -o - | jq -r .text`,

  import: `
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
} as const
