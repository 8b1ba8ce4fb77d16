import { type FleetWorker, readWorkers } from '../../../fleet/open-fleet.ts'
import { formatDuration } from '../../../text/duration.ts'
import { safeLine } from '../../../text/safe.ts'
import type { Commands } from '../../command-line/calls.ts'
import { withRepository } from '../../command-line/flags.ts'
import { EXIT } from '../../exit-status.ts'
import type { InWorkspace } from '../../inputs/repository.ts'
import type { Done } from '../../refusal.ts'
import { lookOf } from '../../surroundings.ts'
import { printJson, printLines } from '../../terminal/print.ts'
import { tableLines } from '../../terminal/table.ts'

export const commands: Commands = {
  workers: (command, { inWorkspace }) =>
    withRepository(command)
      .option('-a, --all', 'also those that left or were lost')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(inWorkspace(workers)),
}

async function workers(flags: { all?: boolean; json?: boolean }, here: InWorkspace): Promise<Done> {
  const read = await readWorkers(here.workspace)
  if (!read.ok) return read
  const shown = flags.all ? read.value : read.value.filter(({ isThere }) => isThere)
  if (flags.json) return printJson({ workers: shown }, here)
  if (shown.length > 0) return printLines(tableLines(COLUMNS, shown.map(rowOf), lookOf(here)), here)
  here.err.write('no workers: `espalier worker --server URL --token …` starts one\n')
  return EXIT.done
}

const COLUMNS = ['worker', 'state', 'busy', 'labels', 'heard', 'clock', 'version', 'host', 'doing']

function rowOf({
  name,
  slots,
  load,
  labels,
  resources,
  silentMs,
  skewMs,
  machine,
  doing,
  isThere,
  hasLeft,
}: FleetWorker) {
  const state = hasLeft ? 'left' : !isThere ? 'gone' : slots === 0 ? 'drains' : 'there'
  const has = [...labels, ...Object.entries(resources).map(([one, count]) => `${one}=${count}`)].join(',')
  const clock = Math.abs(skewMs) < 5_000 ? 'ok' : `${skewMs > 0 ? '+' : '-'}${formatDuration(Math.abs(skewMs))}`
  const cells = [
    name,
    state,
    isThere ? `${load}/${slots}` : '-',
    has || '-',
    `${formatDuration(Math.max(0, silentMs))} ago`,
    clock,
  ]
  return [...cells, machine.version, machine.host, doing.join(' ') || '-'].map(safeLine)
}

const HELP = `
State: there, drains (finishes what it has), gone (no sign of life), left. Clock: how far its clock is off.

Exit status: 0, or 2 where the store is no Postgres.

Examples:
  espalier workers
  espalier workers --all --json`
