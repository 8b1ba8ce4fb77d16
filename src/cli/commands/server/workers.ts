import { type FleetWorker, readWorkers } from '../../../fleet/load-fleet.ts'
import { formatDuration } from '../../../text/duration.ts'
import { safeLine } from '../../../text/safe.ts'
import { flag, inWorkspace, ONE_OBJECT } from '../../command-line/command.ts'
import { lookOf } from '../../surroundings.ts'
import { tableLines } from '../../terminal/table.ts'

export const commands = {
  workers: inWorkspace(
    { all: flag('-a, --all', 'also those that left or were lost'), json: ONE_OBJECT },
    `
State: there, drains (finishes what it has), gone (no sign of life), left. Clock: how far its clock is off.

Exit status: 0, or 2 where the store is no Postgres.

Examples:
  espalier workers
  espalier workers --all --json`,
    async (here, { all }) => {
      const read = await readWorkers(here.workspace)
      if (!read.ok) return read
      const shown = read.value.filter(({ isThere }) => all || isThere)
      const lines = shown.length > 0 ? tableLines(COLUMNS, shown.map(rowOf), lookOf(here)) : []
      return {
        json: { workers: shown },
        lines,
        none: 'no workers: `espalier worker --server URL --token …` starts one',
      }
    },
  ),
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
