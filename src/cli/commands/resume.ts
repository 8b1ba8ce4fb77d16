import { writeMissingStatuses } from '../../engine/history/write-missing-statuses.ts'
import { refuse } from '../../problem.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { planFileTexts } from '../../unwritten-statuses.ts'
import type { RunSummary, UnwrittenStatus } from '../../view.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import { flag, inWorkspace, NEWEST_RUN, RUN_FLAGS, STANDBY } from '../command-line/command.ts'
import { EXIT_STATUSES, INTERRUPTION } from '../command-line/long-help.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun, noRuns, taskIn } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type ContinueFlags, continueRun, type Unknown } from '../live/continue-run.ts'
import { standBy } from '../live/standby.ts'
import type { Done } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

const RESUME_HELP = `
Without RUN: the newest that has something left to do.
Agents that kept running are adopted; what they finished is not done again.
Settings are those the run began with, except for the flags given here.
If the plan has changed since, the difference is shown. --replan applies it: tasks that have not started become as they
are written now, removed ones are dropped; running and finished tasks stay as they are. A new \`budgetUsd\` or
\`maxConcurrency\` of the plan counts from now on. Refused if a task needs another
one that the file calls done and that is not on the branch of the run.
For a finished run: writes the task statuses into the plan file, if that could not be done when it ended.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier resume
  espalier resume checkout-7 -j 2
  espalier resume --budget-usd 40    40 dollars in total, after 20 were used up
  espalier resume --replan`

const RETRY_HELP = `
For a finished run. Without TASK: everything that failed, was blocked or cancelled. With TASK: these, and what they block.
The run continues on its branch: what landed stays, and each retried task has all its tries again, from what has landed.
What was spent so far counts. Settings are those the run began with, except for the flags given here.
With --replan tasks are retried as the plan is written now, and can be named as they are there.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier retry
  espalier retry api docs --run checkout-7
  espalier retry --replan    after you fixed the prompt of what failed`

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
