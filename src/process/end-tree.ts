// Ends everything an attempt started. Resolves when a scan finds nothing left of it (I9).
// States: asking (SIGTERM to each process once, also to those that appear meanwhile) → after the grace, forcing
// (SIGKILL to all that a scan finds, in rounds) → the supervisor, which ends by itself once its command has.
// Tolerated races: a process forks while it is scanned (the next round finds the child); a number is used again
// (the start time is compared right before each signal); the command is about to be started (the rounds go on until
// the supervisor says that the command has ended).
import { setTimeout as wait } from 'node:timers/promises'
import { isAlive, type ProcessIdentity } from './identity.ts'
import { findSupervisor, findTree, keyOf, signal, type Tree } from './tree.ts'

export type TreeEnd = {
  /** How many processes were ended. */
  ended: number
  /** Processes that outlived SIGKILL: stuck in the kernel, or another user's. Normally empty. */
  survivors: number[]
}

/** `commandEnded` says whether the command itself has ended; without it an empty scan is enough. */
export async function endTree(tree: Tree, graceMs: number, commandEnded: () => boolean = () => true): Promise<TreeEnd> {
  const seen = new Map<string, ProcessIdentity>()
  const forceAt = performance.now() + graceMs
  let forced = 0
  let left = findTree(tree)
  for (;;) {
    const force = performance.now() >= forceAt
    if (left.length === 0 && (force || commandEnded() || !supervisorAlive(tree))) break
    if (force && ++forced > LIMITS.killRounds) break
    for (const member of left) {
      const known = seen.has(keyOf(member))
      seen.set(keyOf(member), member)
      if (force) signal(member, 'SIGKILL')
      else if (!known && signal(member, 'SIGTERM')) signal(member, 'SIGCONT') // a stopped process would not react
    }
    await untilGone(left, force ? performance.now() + LIMITS.rescanMs : forceAt)
    left = findTree(tree, seen.values())
  }
  await endSupervisor(tree)
  return { ended: seen.size - left.length, survivors: left.map((member) => member.pid) }
}

const LIMITS = {
  pollMs: 20,
  /** Between two scans of the whole machine while known processes still live. */
  rescanMs: 200,
  killRounds: 50,
  /** What the supervisor gets to write the last output and the status. */
  supervisorMs: 2_000,
}

/** Returns early when all are gone, and in time for the next scan at the latest. */
async function untilGone(members: ProcessIdentity[], until: number): Promise<void> {
  const end = Math.min(until, performance.now() + LIMITS.rescanMs)
  do await wait(LIMITS.pollMs)
  while (members.some(isAlive) && performance.now() < end)
}

async function endSupervisor(tree: Tree): Promise<void> {
  const end = performance.now() + LIMITS.supervisorMs
  let own = findSupervisor(tree)
  while (own.length > 0 && performance.now() < end) {
    await wait(LIMITS.pollMs)
    own = own.filter(isAlive)
  }
  for (const process of own.length > 0 ? findSupervisor(tree) : []) signal(process, 'SIGKILL')
}

function supervisorAlive(tree: Tree): boolean {
  return tree.supervisor !== null && isAlive(tree.supervisor)
}
