import { setTimeout as wait } from 'node:timers/promises'
import { readLandedRuns } from '../../engine/deliver/is-run-in-checkout.ts'
import { isUnchanged, unchangedFacts } from '../../facts/changes-to-look-at.ts'
import { isInterrupted } from '../../facts/next-steps.ts'
import { estimatesOf } from '../../facts/time-left.ts'
import type { ClaimWait } from '../../held-claims.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { jsonOutput } from '../../text/json.ts'
import type { RunView } from '../../view.ts'
import { listRuns, readPlanOf, watchRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { flag, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { EXIT, exitStatusOf } from '../exit-status.ts'
import { knownRun, noRuns, noSuchRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { AgentMessages } from '../live/agent-messages.ts'
import type { Done } from '../refusal.ts'
import { resultOutside } from '../status/next-steps.ts'
import { statusLines } from '../status/status-table.ts'
import { detailLines } from '../status/summary.ts'
import { claimWaitsOf, heldBackIn, NONE_HELD_BACK } from '../status/waiting-lines.ts'
import { lookOf, type Surroundings, width } from '../surroundings.ts'
import { runLines } from '../tables/runs-table.ts'
import { printLines } from '../terminal/print.ts'
import { Redraw } from '../terminal/redraw.ts'

export const commands = {
  status: inWorkspace(
    {
      all: flag('-a, --all', 'list all runs, newest first'),
      watch: flag('-w, --watch', 'update it until the run ends'),
      json: ONE_OBJECT,
    },
    `
Without RUN: the one at work, else the newest.
--json is one object: run, status (running, completed, failed, cancelled, waiting), branch, head, base, counts and tasks, each with
id, status, outcome, attempts, startedAt, finishedAt, durationMs, landedCommit and failure {reason, message};
and spending, by run, task, epic, agent and model, if any; what did not land is listed separately.

Task statuses:
  · pending    waits for its needs, its wave or its next retry
  ○ ready      waits for a slot, or for paths that another task has claimed
  ● running
  ↑ landing    its work is done and waits to land
  ! conflict   its work does not merge with what has landed, and waits for you
  ✓ landed     its work is on the run's branch
  ✓ passed     it succeeded and changed nothing, or has land: false
  ✗ failed
  ■ blocked    something it needs did not succeed
  – cancelled

Exit status: 0, or 2 where there is no such run; with --watch that of the run:
0 everything landed or passed, 1 something failed, 3 a conflict waits for you, 130 interrupted.

Examples:
  espalier status
  espalier status --watch
  espalier status --all
  espalier status --json | jq '.tasks[] | select(.status == "failed")'`,
    showStatus,
  ),
}

type Flags = { watch?: boolean; json?: boolean; all?: boolean }

/** Interval of redrawing: updates the times, and limits the drawing of a busy run. */
const LOOK_MS = 500

async function showStatus(here: InWorkspace, flags: Flags, id: string | undefined): Promise<Done> {
  const { workspace } = here
  if (flags.all) return await list(here, flags.json ?? false)
  if (flags.watch && id === undefined) await firstRun(workspace, here)
  const known = await knownRun(workspace, id)
  if (!known.ok) return known
  const view = known.value
  // Searches and suites show their results instead of a row per task.
  if (!flags.json && !flags.watch && view.kind === 'search')
    return (await import('../search/show.ts')).searchStatus(here, {}, view.run)
  if (!flags.json && !flags.watch && view.kind === 'suite')
    return (await import('../suite/status-and-history.ts')).suiteStatus(here, view.run)
  const table = flags.json ? null : await tableOf(view, here)
  if (!flags.watch)
    return printLines(table ? [await table(view), ...(await details(view, here))] : [asJson(view)], here)
  const watched = await watch(workspace, view, table, here)
  if (!watched.ok) return watched
  const last = watched.value
  // In a pipe every table already ends with a blank line.
  if (table) printLines((await details(last, here)).slice(here.live ? 0 : 1), here)
  return exitStatusOf({ ...last, interrupted: isInterrupted(last) })
}

async function firstRun(workspace: Workspace, { err }: Surroundings): Promise<void> {
  let isSaid = false
  for (;;) {
    const runs = await listRuns(workspace)
    if (!runs.ok || runs.value.length > 0) return
    if (!isSaid) err.write('no run yet: waiting for one to start, Ctrl-C leaves\n')
    isSaid = true
    await wait(LOOK_MS)
  }
}

type Table = (view: RunView, rows?: number, messages?: ReadonlyMap<string, string>) => Promise<string>

/** Reads the plan only for a running run: for the finish time, and for tasks that wait for holds or claims. */
async function tableOf({ run, engine }: RunView, here: InWorkspace): Promise<Table> {
  const { workspace } = here
  const read = engine ? await readPlanOf(workspace, { run }) : ok(null)
  const plan = read.ok ? read.value : null
  const estimates = plan ? estimatesOf(plan) : new Map()
  const heldBack = plan ? heldBackIn(plan) : () => NONE_HELD_BACK
  let known = ''
  let claimWaits: ReadonlyMap<string, ClaimWait> = new Map()
  return async (view, rows = Number.POSITIVE_INFINITY, messages = new Map()) => {
    // Reads claims only after a change: this runs twice a second.
    const isNews = plan !== null && known !== signature(view)
    if (isNews) [known, claimWaits] = [signature(view), await claimWaitsOf(workspace, view)]
    const look = lookOf(here)
    const waits = { heldBack: heldBack(view, look.now), claimWaits }
    return statusLines(view, { ...look, width: look.width - 1, estimates, ...waits, plan, rows, messages }).join('\n')
  }
}

async function list(here: InWorkspace, isJson: boolean): Promise<Done> {
  const runs = await listRuns(here.workspace)
  if (!runs.ok) return runs
  const atRest = runs.value.filter(({ engine }) => engine === null)
  const landed = isJson ? undefined : await readLandedRuns(here.workspace, atRest)
  const lines = runLines(runs.value, Date.now(), landed)
  const json = { runs: runs.value.map(({ enginePid: _, ...run }) => run) }
  return { json, lines: lines.length > 0 ? lines : [noRuns(here.workspace)] }
}

/** Watches until the run ends and returns its last view. Prints JSON if `table` is null. */
async function watch(
  workspace: Workspace,
  first: RunView,
  table: Table | null,
  surroundings: Surroundings,
): Promise<Result<RunView>> {
  using redraw = new Redraw(surroundings.out)
  const [messages, left] = [new AgentMessages(), new AbortController()]
  const following = messages.follow(workspace, first, left.signal).catch(() => {})
  let goneSince: number | null = null
  const leave = () => process.exit(EXIT.interrupted) // exiting closes the drawing
  process.once('SIGINT', leave)
  try {
    let shown = ''
    let view = first
    for await (const next of watchRun(workspace, { run: first.run, everyMs: LOOK_MS })) {
      if (!next.ok) return next
      if (!next.value) return refuse(noSuchRun(first.run))
      view = next.value
      const changed = signature(view)
      if (surroundings.live && table)
        redraw.draw((await table(view, (surroundings.out.rows ?? 24) - 1, messages.byAttempt)).split('\n'))
      else if (changed !== shown) surroundings.out.write(table ? `${await table(view)}\n\n` : `${asJson(view)}\n`)
      shown = changed
      if (view.engine === null && !isInterrupted(view)) break
      // Waits a little: another engine may take over the run.
      goneSince = view.engine ? null : (goneSince ?? Date.now())
      if (goneSince !== null && Date.now() - goneSince > HAND_OVER_MS) break
    }
    return ok(view)
  } finally {
    process.removeListener('SIGINT', leave)
    left.abort()
    await following
  }
}

const HAND_OVER_MS = 3_000

/** Omits `enginePid` without an engine: that process is gone. */
function asJson({ enginePid, ...view }: RunView): string {
  return jsonOutput(view.engine ? { ...view, enginePid } : view)
}

async function details(view: RunView, { workspace, repeat, cwd, ...here }: InWorkspace): Promise<string[]> {
  const outside = await resultOutside(workspace, view)
  const plan = view.tasks.some(isUnchanged) ? await readPlanOf(workspace, { run: view.run }) : ok(null)
  const unchanged = unchangedFacts(view, plan.ok ? plan.value : null)
  const look = { width: width(here.out) - 1, palette: here.outPalette }
  return detailLines(view, { ...outside, ...look, unchanged, cwd, repeat })
}

/** Changes with every event that matters, but not with time. */
function signature({ status, engine, head, queue, paused, holds, budgets, tasks }: RunView): string {
  return JSON.stringify([
    status,
    engine,
    head,
    queue?.verifying.map(({ verification }) => verification),
    paused,
    holds,
    budgets,
    tasks.map((task) => [task.status, task.attempts, task.retryAt, task.stalledSince]),
  ])
}
