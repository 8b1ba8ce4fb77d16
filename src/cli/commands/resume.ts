import { writeMissingStatuses } from '../../engine/history/write-missing-statuses.ts'
import { refuse } from '../../problem.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { planFileTexts } from '../../unwritten-statuses.ts'
import type { RunSummary, UnwrittenStatus } from '../../view.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import { flag, inWorkspace, NEWEST_RUN, RUN_FLAGS, STANDBY } from '../command-line/command.ts'
import { RESUME_HELP, RETRY_HELP } from '../command-line/run-and-resume-help.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun, noRuns, taskIn } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type ContinueFlags, continueRun, type Unknown } from '../live/continue-run.ts'
import { standBy } from '../live/standby-coordinator.ts'
import type { Done } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands = {
  resume: inWorkspace(
    {
      ...RUN_FLAGS,
      replan: flag('--replan [file]', 'apply plan changes to tasks that have not started'),
      standby: STANDBY,
    },
    RESUME_HELP,
    async (here, flags, run: string | undefined) => {
      const begin = () => resumeNow(run, flags, here)
      return flags.standby ? await standBy({ ...flags, run }, begin, here) : await begin()
    },
    { rare: '' },
  ),
  /** `tasks`: ids, or names in the plan file; empty: all that did not succeed. */
  retry: inWorkspace(
    {
      ...RUN_FLAGS,
      run: NEWEST_RUN,
      replan: flag('--replan [file]', 'apply plan changes to tasks that are not done'),
    },
    RETRY_HELP,
    async (here, flags, tasks: readonly string[]) => {
      const since = Date.now()
      const known = await knownRun(here.workspace, flags.run)
      if (!known.ok) return known
      const { run } = known.value
      const [ids, unknown]: [string[], Unknown[]] = [[], []]
      for (const name of tasks) {
        const task = await taskIn(here.workspace, known.value, name)
        if (task.ok) ids.push(task.value)
        // The current plan may have it.
        else if (flags.replan !== undefined) unknown.push({ name, problems: task.problems })
        else return task
      }
      return await continueRun({ run, again: tasks.length > 0 ? ids : 'all', unknown, flags, since }, here)
    },
    { rare: '' },
  ),
}

async function resumeNow(run: string | undefined, flags: ContinueFlags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const runs = await listRuns(here.workspace)
  if (!runs.ok) return runs
  if (runs.value.length === 0) return refuse(noRuns(here.workspace))
  const newest = runs.value.find(({ resumable }) => resumable) ?? runs.value[0]
  const chosen = run === undefined ? newest : runs.value.find((one) => one.run === run)
  const missing = chosen?.resumable === false ? await writeMissing(chosen, flags.json ?? false, here) : null
  return missing ?? (await continueRun({ run, flags, since }, here))
}

/** Writes the statuses of a run that is over, if its plan file could not be written when it ended. Null: none are missing. */
async function writeMissing(over: RunSummary, json: boolean, here: InWorkspace): Promise<Done | null> {
  const { run, status, branch, counts } = over
  const written = await writeMissingStatuses(here.workspace, { run })
  if (!written.ok || written.value === null) return written.ok ? null : written
  const unwritten = planFileTexts({ unwritten: written.value })
  const isDone = written.value.files.length === 0
  if (json)
    printJson(
      { type: 'run.finished', at: Date.now(), run, status, interrupted: false, branch, counts, unwritten },
      here,
    )
  else {
    for (const line of unwritten) here.err.write(`${safeLine(line)}\n`)
    if (isDone) printLines([`run ${run} is finished; ${writtenText(written.value, over)}`], here)
    else here.err.write(`fix that, then \`espalier resume ${run}${here.repeat}\` writes them\n`)
  }
  return isDone ? EXIT.done : EXIT.failed
}

/** Result of writing the statuses. Tasks that people or other runs have changed since are left alone. */
function writtenText(
  { conflicts }: Pick<UnwrittenStatus, 'conflicts'>,
  { counts }: Pick<RunSummary, 'counts'>,
): string {
  const left = [...new Set(conflicts.map(({ task }) => safeLine(task)))]
  if (left.length >= counts.total) return 'no task status was left to write into the plan file'
  const others = left.length > 0 ? `, apart from ${nameList(left)}` : ''
  return `its task statuses are in the plan file now${others}`
}
