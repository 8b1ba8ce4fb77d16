import { readModels } from '../../engine/expertise/model-records.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, withRepository } from '../command-line/flags.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { modelLines } from '../tables/models.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { warnOfDamage } from './expertise.ts'

export const commands: Commands = {
  models: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(inWorkspace(models)),
}

export async function models(flags: { json?: boolean }, here: InWorkspace): Promise<Done> {
  const { workspace, settings } = here
  const warned = await warnOfDamage(here)
  if (!warned.ok) return warned
  const read = await readModels(workspace, { settings })
  if (!read.ok) return read
  if (flags.json) return printJson(read.value, here)
  return printLines(modelLines(read.value, lookOf(here)), here)
}

const HELP = help(
  `For each agent: the models that \`model: auto\` chooses from, with their prices and their results so far, by kind of task
(domain and complexity). Then what was chosen in the newest run and why, and the estimated saving against the dearest
model for every task, assuming as many tokens and no retries.`,
  '0.',
  'espalier models',
  'espalier models --json | jq .saved',
)
