import { readModels } from '../../engine/expertise/model-records.ts'
import { help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { lookOf } from '../surroundings.ts'
import { modelLines } from '../tables/models-table.ts'
import { warnOfDamage } from './expertise.ts'

export const commands = {
  models: inWorkspace(
    { json: ONE_OBJECT },
    help(
      `For each agent: the models that \`model: auto\` chooses from, with their prices and their results so far, by kind of task
(domain and complexity). Then what was chosen in the newest run and why, and the estimated saving against the dearest
model for every task, assuming as many tokens and no retries.`,
      '0.',
      'espalier models',
      'espalier models --json | jq .saved',
    ),
    async (here) => {
      const warned = await warnOfDamage(here)
      const read = warned.ok ? await readModels(here.workspace, { settings: here.settings }) : warned
      return read.ok ? { json: read.value, lines: modelLines(read.value, lookOf(here)) } : read
    },
  ),
}
