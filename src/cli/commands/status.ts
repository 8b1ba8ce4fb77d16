import type { ClaimWait } from '../../claim.ts'
import { readLandedRuns } from '../../engine/deliver/landed-on.ts'
import { isUnchanged, overlapsNow, unchangedFacts } from '../../facts/changes.ts'
import { isInterrupted, nextSteps } from '../../facts/next-steps.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunView } from '../../status.ts'
import { jsonOutput } from '../../text/json.ts'
import { listRuns, readPlanOf, watchRun } from '../../workspace/runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus, exitStatusOf } from '../exit-status.ts'
import { knownRun, noRuns, noSuchRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { type Estimates, estimatesOf } from '../live/time-left.ts'
import { refuseWith } from '../refusal.ts'
import { claimLines, flaggedLines, planFileLines, unchangedLines } from '../status/attention-lines.ts'
import { failureLines, landedSinceLines } from '../status/failure-lines.ts'
import { landedOnLines, nextLines } from '../status/next-steps.ts'
import { resultOutside } from '../status/result-outside.ts'
import { runLines } from '../status/run-list.ts'
import { statusLines } from '../status/status-table.ts'
import { heldBackIn, NONE_HELD_BACK } from '../status/waiting-lines.ts'
import { lookOf, type Surroundings, width } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { Redraw } from '../terminal/redraw.ts'

type Flags = RepositoryFlags & { watch?: boolean; json?: boolean; all?: boolean }

type Look = {
  surroundings: Surroundings
  estimates: Estimates
  heldBack: ReturnType<typeof heldBackIn>
  /** Tasks that could start, were it not for what others hold. */
  claimWaits: (view: RunView) => Promise<ReadonlyMap<string, ClaimWait>>
}

/** Times grow on the screen, and a run that changes all the time is not drawn more often. */
const LOOK_MS = 500

export async function status(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace, repeat } = found.value
  if (flags.all) return await list(workspace, flags.json ?? false, surroundings)
  const known = await knownRun(workspace, id)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const view = known.value
  const look: Look = { surroundings, ...(flags.json ? NOTHING_KNOWN : await knownOf(workspace, view)) }
  if (flags.watch) {
    const watched = await watch(workspace, view, flags.json ?? false, look)
    if (!watched.ok) return refuseWith(watched.problems, surroundings)
    const last = watched.value
    // In a pipe a blank line stands below every table already.
    const from = surroundings.live ? 0 : 1
    if (!flags.json)
      surroundings.out.write(`${(await details(last, { workspace, repeat }, surroundings)).slice(from).join('\n')}\n`)
    return exitStatusOf({ ...last, interrupted: isInterrupted(last) })
  }
  if (flags.json) surroundings.out.write(`${asJson(view)}\n`)
  else {
    const told = await details(view, { workspace, repeat }, surroundings)
    surroundings.out.write(`${[await table(view, look), ...told].join('\n')}\n`)
  }
  return EXIT.done
}

const NO_WAITS: ReadonlyMap<string, ClaimWait> = new Map()

const NOTHING_KNOWN: Omit<Look, 'surroundings'> = {
  estimates: new Map(),
  heldBack: () => NONE_HELD_BACK,
  claimWaits: async () => NO_WAITS,
}

/** The same as on the screen of the run itself. Only a run at work has a finish time to guess, and waits for people. */
async function knownOf(workspace: Workspace, { run, engine }: RunView): Promise<Omit<Look, 'surroundings'>> {
  const plan = engine ? await readPlanOf(workspace, { run }) : ok(null)
  if (!plan.ok || !plan.value) return NOTHING_KNOWN
  return { estimates: estimatesOf(plan.value), heldBack: heldBackIn(plan.value), claimWaits: claimWaitsIn(workspace) }
}

/** Asks again only when something has happened: it is looked at twice a second. */
function claimWaitsIn(workspace: Workspace): Look['claimWaits'] {
  let known = { signature: '', waits: NO_WAITS }
  return async (view) => {
    const now = signature(view)
    if (now !== known.signature) known = { signature: now, waits: await claimWaitsOf(workspace, view) }
    return known.waits
  }
}

/** With more tasks than this nobody says who waits for whom: all that has happened in the run would have to be gone through. */
const CLAIM_TASKS = 2_000

async function claimWaitsOf(
  workspace: Workspace,
  { run, engine, counts }: RunView,
): Promise<ReadonlyMap<string, ClaimWait>> {
  if (!engine || counts.ready === 0 || counts.total > CLAIM_TASKS) return NO_WAITS
  // Loaded here: it knows the scheduler, and `status` has to be quick to load.
  const { readClaims } = await import('../../engine/requests/claims.ts')
  const claims = await readClaims(workspace)
  if (!claims.ok || claims.value.run !== run) return NO_WAITS
  return new Map(claims.value.waiting.map((wait) => [wait.task, wait]))
}

async function list(workspace: Workspace, json: boolean, surroundings: Surroundings): Promise<ExitStatus> {
  const runs = await listRuns(workspace)
  if (!runs.ok) return refuseWith(runs.problems, surroundings)
  if (json) return printJson({ runs: runs.value.map(({ enginePid: _, ...run }) => run) }, surroundings)
  if (runs.value.length === 0) return printLines([await noRuns(workspace)], surroundings)
  const atRest = runs.value.filter(({ engine }) => engine === null)
  return printLines(runLines(runs.value, Date.now(), await readLandedRuns(workspace, atRest)), surroundings)
}

/** Ends with the run: how it stands then. */
async function watch(workspace: Workspace, first: RunView, json: boolean, look: Look): Promise<Result<RunView>> {
  const { surroundings } = look
  using redraw = new Redraw(surroundings.out)
  const leave = () => process.exit(EXIT.interrupted) // closes the drawing on its way out
  process.once('SIGINT', leave)
  try {
    let shown = ''
    let view = first
    for await (const next of watchRun(workspace, { run: first.run, everyMs: LOOK_MS })) {
      if (!next.ok) return next
      if (!next.value) return refuse(noSuchRun(first.run))
      view = next.value
      const changed = signature(view)
      if (surroundings.live && !json)
        redraw.draw((await table(view, look, (surroundings.out.rows ?? 24) - 1)).split('\n'))
      else if (changed !== shown) surroundings.out.write(json ? `${asJson(view)}\n` : `${await table(view, look)}\n\n`)
      shown = changed
      if (!view.engine) break
    }
    return ok(view)
  } finally {
    process.removeListener('SIGINT', leave)
  }
}

/** `engine` says who works on it. Who wrote it last is of no use to anybody once that process is gone. */
function asJson({ enginePid, ...view }: RunView): string {
  return jsonOutput(view.engine ? { ...view, enginePid } : view)
}

async function table(view: RunView, look: Look, rows?: number): Promise<string> {
  const { surroundings, estimates } = look
  const claimWaits = await look.claimWaits(view)
  const now = Date.now()
  const heldBack = look.heldBack(() => view.tasks, view.holds ?? [], now)
  const options = { ...lookOf(surroundings), now, width: width(surroundings.out) - 1, estimates, heldBack, claimWaits }
  return statusLines(view, rows === undefined ? options : { ...options, rows }).join('\n')
}

/** What the rows of the table have no room for. */
async function details(
  view: RunView,
  { workspace, repeat }: { workspace: Workspace; repeat: string },
  { out, outPalette: palette, cwd }: Surroundings,
): Promise<string[]> {
  const { landedOn, doneInFile, landedSince } = await resultOutside(workspace, view)
  const plan = view.tasks.some(isUnchanged) ? await readPlanOf(workspace, { run: view.run }) : ok(null)
  const look = { cwd, repeat, doneInFile, width: width(out) - 1, palette }
  const told = [
    ...failureLines(view, look),
    ...landedSinceLines(landedSince, look),
    ...unchangedLines(unchangedFacts(view, plan.ok ? plan.value : null), look),
    ...flaggedLines(view, look),
    ...claimLines(view, look),
    ...planFileLines(view, look),
  ]
  if (!view.engine) told.push(...landedOnLines(view, landedOn, palette))
  const steps = nextSteps(view, { landedOn, landedSince, flags: repeat })
  const next = nextLines(steps, look)
  return [...(told.length > 0 ? ['', ...told] : []), ...(next.length > 0 ? ['', ...next] : [])]
}

/** Differs when something happened; time that only passed does not count. */
function signature({ status, engine, head, queue, paused, holds, budgets, tasks }: RunView): string {
  return JSON.stringify([
    status,
    engine,
    head,
    queue?.verifying.map(({ verification }) => verification),
    paused,
    holds,
    budgets,
    tasks.map((task) => [task.status, task.attempts, task.retryAt, task.stalledSince, overlapsNow(task)]),
  ])
}
