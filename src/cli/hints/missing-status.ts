// `resume` of a finished run whose plan file could not be written when it ended: writes the statuses now.

import { writeMissingStatus } from '../../internal.ts'
import type { RunSummary } from '../../status.ts'
import { jsonOutput } from '../../text/json.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { type UnwrittenStatus, unwrittenLines } from '../../unwritten-status.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'

type Options = {
  /** As named; otherwise the newest, if no run can be resumed. */
  run: string | undefined
  /** Newest first. */
  runs: readonly RunSummary[]
  json: boolean
}

/** Null where nothing is missing, or the run is not over. */
export async function writeMissing({ run, runs, json }: Options, here: InWorkspace): Promise<Done | null> {
  const newest = runs.some(({ resumable }) => resumable) ? undefined : runs[0]
  const chosen = run === undefined ? newest : runs.find((one) => one.run === run)
  if (!chosen || chosen.resumable) return null
  const written = await writeMissingStatus(here.workspace, { run: chosen.run })
  if (!written.ok || written.value === null) return written.ok ? null : written
  const left = unwrittenLines(written.value)
  const isDone = written.value.files.length === 0
  if (json) {
    const { run: id, status, branch, counts } = chosen
    const facts = { run: id, status, interrupted: false, branch, counts, unwritten: left }
    here.out.write(`${jsonOutput({ type: 'run.finished', at: Date.now(), ...facts })}\n`)
  } else {
    for (const line of left) here.err.write(`${safeLine(line)}\n`)
    const again = `fix that, then \`espalier resume ${chosen.run}${here.repeat}\` writes them`
    if (isDone) here.out.write(`run ${chosen.run} is finished; ${writtenText(written.value, chosen)}\n`)
    else here.err.write(`${again}\n`)
  }
  return isDone ? EXIT.done : EXIT.failed
}

/** What the file says now. Tasks that people or other runs have changed since are left to them. */
export function writtenText(
  { conflicts }: Pick<UnwrittenStatus, 'conflicts'>,
  { counts }: Pick<RunSummary, 'counts'>,
): string {
  const left = [...new Set(conflicts.map(({ task }) => safeLine(task)))]
  if (left.length >= counts.total) return 'no task status was left to write into the plan file'
  const others = left.length > 0 ? `, apart from ${nameList(left, NAMES_WIDTH)}` : ''
  return `its task statuses are in the plan file now${others}`
}

const NAMES_WIDTH = 60
