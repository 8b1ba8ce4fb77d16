import { type FleetWorker, readWorkers } from '../../../fleet/open-fleet.ts'
import { formatDuration } from '../../../text/duration.ts'
import { jsonOutput } from '../../../text/json.ts'
import { safeLine } from '../../../text/safe.ts'
import { padEnd, widest } from '../../../text/width.ts'
import { EXIT } from '../../exit-status.ts'
import type { InWorkspace } from '../../inputs/repository.ts'
import type { Done } from '../../refusal.ts'

export async function workers(flags: { all?: boolean; json?: boolean }, here: InWorkspace): Promise<Done> {
  const read = await readWorkers(here.workspace)
  if (!read.ok) return read
  const shown = flags.all ? read.value : read.value.filter(({ isThere }) => isThere)
  if (flags.json) {
    here.out.write(`${jsonOutput({ workers: shown })}\n`)
    return EXIT.done
  }
  if (shown.length === 0) here.err.write('no workers: `espalier worker --server URL --token …` starts one\n')
  const rows = shown.map(rowOf)
  const widths = COLUMNS.map((_, column) => widest([COLUMNS, ...rows].map((row) => row[column] ?? '')))
  for (const row of shown.length === 0 ? [] : [COLUMNS, ...rows])
    here.out.write(
      `${row
        .map((cell, n) => padEnd(cell, widths[n] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
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
