// Claims for people and programs: who holds what, whether paths are free, holding some. With or without an engine.

import { LIMITS } from '../../config.ts'
import type { ClaimCheck, ClaimsView, HeldClaim } from '../../held-claims.ts'
import { mapped, ok, type Result, refuse } from '../../problem.ts'
import { overlaps } from '../../scheduler/claims/overlap.ts'
import { checkClaims, claimsView } from '../../scheduler/claims/view.ts'
import type { RunState } from '../../scheduler/state.ts'
import type { Store } from '../../store/store.ts'
import type { Task } from '../../task.ts'
import { cut } from '../../text/cut.ts'
import { safeLine } from '../../text/safe.ts'
import type { Hold, RunSummary } from '../../view.ts'
import { glob } from '../../workloads/document/field.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readState } from '../open/replay-journal.ts'

/** The state of a run by its journal; frequent callers have it already. */
type StateOf = (store: Store, run: RunSummary) => Promise<RunState | null>

export async function readClaims(workspace: Workspace, stateOf?: StateOf): Promise<Result<ClaimsView>> {
  return mapped(await look(workspace, stateOf), ({ view }) => view)
}

/** `paths`: from the top of the repository. `as`: the task or person that asks, whose own claims do not count. */
export async function checkPaths(
  workspace: Workspace,
  options: { paths: readonly string[]; as?: string | undefined },
  stateOf?: StateOf,
): Promise<Result<ClaimCheck>> {
  const { paths, as = null } = options
  return mapped(await look(workspace, stateOf), ({ view, open }) => checkClaims(view, { paths, as, open }))
}

/**
 * Holds these globs: no task that claims some of them starts before `forMs` is over or they are released. `goingOn`: running
 * tasks that hold some of the same; they continue and land.
 */
export async function holdClaims(
  workspace: Workspace,
  options: { globs: readonly string[]; name: string; forMs: number },
): Promise<Result<{ holds: Hold[]; goingOn: HeldClaim[] }>> {
  const name = cut(safeLine(options.name), LIMITS.holdNameChars)
  const globs = [...new Set(options.globs)]
  if (name === '') return refuse('a name of who holds it is needed')
  if (!(options.forMs > 0 && options.forMs <= LIMITS.holdMs))
    return refuse(`it can be held for ${LIMITS.holdMs / HOUR_MS} hours at most: hold it again when that is over`)
  const fault = globs.map(globFault).find((one) => one !== null)
  if (fault) return refuse(fault)
  const since = Date.now()
  const added = await workspace.write<Hold[]>(async (store) => {
    const wanted = globs.map((one) => ({ name, glob: one, since, until: since + options.forMs }))
    const holds = await store.addHolds(wanted, since, LIMITS.holds)
    if (holds) return ok(holds)
    return refuse(`more than ${LIMITS.holds} claims would be held: release some, or hold a folder instead`)
  })
  if (!added.ok) return added
  return mapped(await readClaims(workspace), ({ held }) => {
    const tasks = held.filter(({ holder }) => holder.kind === 'task')
    return { holds: added.value, goingOn: tasks.filter((one) => globs.some((wanted) => overlaps(one.glob, wanted))) }
  })
}

/** Releases holds of anybody, or of `name`. Default for `globs`: all. Returns the released holds. */
export async function releaseClaims(
  workspace: Workspace,
  options: { globs?: readonly string[] | undefined; name?: string | undefined } = {},
): Promise<Result<Hold[]>> {
  const { globs, name } = options
  return workspace.write(async (store) => {
    const holds = await store.holds(Date.now())
    const mine = holds.filter((one) => name === undefined || one.name === name)
    const wanted = mine.filter((one) => globs === undefined || globs.includes(one.glob))
    const missing = (globs ?? []).find((one) => !wanted.some((hold) => hold.glob === one))
    if (missing !== undefined)
      return refuse(
        `nobody${name === undefined ? '' : ` called ${name}`} holds ${missing}: \`espalier claims\` lists it`,
      )
    return ok(await store.removeHolds(wanted.map(({ id }) => id)))
  })
}

type Look = { view: ClaimsView; open: Task[] }

const NOTHING: ClaimsView = { run: null, held: [], waiting: [], waitingCount: 0, undeclared: [] }

async function look(workspace: Workspace, stateOf: StateOf = replayed): Promise<Result<Look>> {
  return workspace.read<Look>({ view: NOTHING, open: [] }, async (store) => {
    const now = Date.now()
    const [{ view, open }, holds] = [await ofRun(store, workspace.engine, now, stateOf), await store.holds(now)]
    const ofPeople = holds.map(({ name, glob, since, until }): HeldClaim => {
      return { holder: { kind: 'person', name }, glob, mode: 'write', since, until, origin: 'person' }
    })
    return ok({ view: { ...view, held: [...view.held, ...ofPeople] }, open })
  })
}

/** From the journal, because claims grow. The agents of a killed engine may still run, so their claims count too. */
async function ofRun(store: Store, engine: Workspace['engine'], now: number, stateOf: StateOf): Promise<Look> {
  const runs = await store.runs()
  const atWork = runs.find(
    (run) => run.status === 'running' && (run.enginePid === engine?.pid || run.counts.running > 0),
  )
  const state = atWork && (await stateOf(store, atWork))
  if (!state) return { view: NOTHING, open: [] }
  const open = state.graph.tasks.filter((_, index) => OPEN.has(state.tasks[index]?.state.status ?? ''))
  return { view: claimsView(state, atWork.run, now), open }
}

async function replayed(store: Store, { run }: RunSummary): Promise<RunState | null> {
  return (await readState(store, run))?.state ?? null
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'ready'])

/** Why this is no glob that can be claimed; null: it is one. */
export function globFault(text: string): string | null {
  if (text.length > LIMITS.askedPathChars || /\p{Cc}/u.test(text)) return 'one of the paths is too long or no path'
  const { error } = glob.safeParse(text)
  return error ? `${text}: ${error.issues[0]?.message ?? 'this is no pattern of paths'}` : null
}

const HOUR_MS = 3_600_000
