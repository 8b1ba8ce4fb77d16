// Ends everything an attempt started. Resolves when a scan finds nothing left of it (I9).
// States: asking (SIGTERM to each process once, also to those that appear meanwhile) → after the grace, forcing
// (SIGKILL to all that a scan finds, in rounds) → the supervisor, which ends by itself once its command has → what it
// may have started in its last moments.
// Tolerated races: a process forks while it is scanned (the next round finds the child); a number is used again
// (the start time is compared right before each signal); the command is about to be started (the rounds go on until
// the supervisor says that the command has ended).
import { setTimeout as wait } from 'node:timers/promises'
import { killGroup } from './control-group.ts'
import { isAlive, type ProcessIdentity } from './identity.ts'
import { killMarked, markOf } from './mark.ts'
import { findSupervisor, findTree, groupOf, isEmpty, keyOf, signal, type Tree } from './tree.ts'

export type TreeEnd = {
  ended: number
  /** Processes that outlived SIGKILL: stuck in the kernel, or another user's. Normally empty. */
  survivors: number[]
}

type EndOptions = {
  /** Whether the command itself has ended; without it an empty scan is enough. */
  commandEnded?: () => boolean
  /** After an abort no signal is sent, and the promise rejects. */
  abandon?: AbortSignal
}

export async function endTree(tree: Tree, graceMs: number, options: EndOptions = {}): Promise<TreeEnd> {
  const { commandEnded = () => true, abandon } = options
  const isOver = () => commandEnded() || tree.supervisor === null || !isAlive(tree.supervisor)
  const seen = new Map<string, ProcessIdentity>()
  await inRounds(tree, seen, graceMs, isOver, abandon)
  await endSupervisor(tree, abandon)
  // A supervisor that was slower than the grace may have started its command after all. Now it can no more.
  const left = await inRounds(tree, seen, 0, () => true, abandon)
  return { ended: seen.size - left.length, survivors: left.map((member) => member.pid) }
}

/**
 * Repeats until nothing is found and `isOver`; after the grace an empty scan is enough. Returns processes that could
 * not be ended.
 */
async function inRounds(
  tree: Tree,
  seen: Map<string, ProcessIdentity>,
  graceMs: number,
  isOver: () => boolean,
  abandon: AbortSignal | undefined,
): Promise<ProcessIdentity[]> {
  const forceAt = performance.now() + graceMs
  let forced = 0
  let left = findTree(tree, seen.values())
  for (;;) {
    const force = performance.now() >= forceAt
    if (left.length === 0 && (force || isOver()) && isEmpty(tree)) return left
    if (force && ++forced > LIMITS.killRounds) return left
    for (const member of left) {
      const known = seen.has(keyOf(member))
      seen.set(keyOf(member), member)
      if (force) signal(member, 'SIGKILL')
      else if (!known && signal(member, 'SIGTERM')) signal(member, 'SIGCONT') // a stopped process would not react
    }
    if (force) killAtOnce(tree)
    await untilGone(left, force ? performance.now() + LIMITS.rescanMs : forceAt, abandon)
    left = findTree(tree, seen.values())
  }
}

const LIMITS = {
  pollMs: 20,
  /** Between two scans of the whole machine while known processes still live. */
  rescanMs: 200,
  killRounds: 50,
  /** For the supervisor to write the last output and the status. */
  supervisorMs: 2_000,
}

/** Returns early when all are gone, and in time for the next scan at the latest. */
async function untilGone(members: ProcessIdentity[], until: number, abandon?: AbortSignal): Promise<void> {
  const end = Math.min(until, performance.now() + LIMITS.rescanMs)
  do await poll(abandon)
  while (members.some(isAlive) && performance.now() < end)
}

async function endSupervisor(tree: Tree, abandon?: AbortSignal): Promise<void> {
  const end = performance.now() + LIMITS.supervisorMs
  let own = findSupervisor(tree)
  while (own.length > 0 && performance.now() < end) {
    await poll(abandon)
    own = own.filter(isAlive)
  }
  if (own.length === 0) return
  const left = findSupervisor(tree)
  for (const process of left) signal(process, 'SIGKILL')
  const goneBy = performance.now() + LIMITS.supervisorMs
  while (left.some(isAlive) && performance.now() < goneBy) await poll(abandon)
}

async function poll(abandon: AbortSignal | undefined): Promise<void> {
  await wait(LIMITS.pollMs, undefined, abandon ? { signal: abandon } : {})
  abandon?.throwIfAborted()
}

/** Includes processes that the scan missed because they fork faster than it looks. */
function killAtOnce(tree: Tree): void {
  const group = groupOf(tree)
  if (group) killGroup(group)
  else killMarked(markOf(tree.token))
}
