// The tree of an attempt: every process its command started, whatever it did to hide. A process belongs to it if
//   - its environment carries the attempt's token (not looked at where it is marked as another's and there is a group), or
//   - it carries the mark that is inherited on Linux (mark.ts), or
//   - it is in the command's control group, where there is one (control-group.ts), or
//   - its parent belongs to it, or is the supervisor, or
//   - it is in the session of a member of the tree, unless that was there before the tree, or in the supervisor's own, or
//   - an earlier look found that it does (its parent or the head of its session may have ended since).
// The supervisor's shells and its `split`, with what that starts, do not belong to it.
// Not found where there is no control group: a process that cleared its environment, left its session, lost its parent
// AND set the limit anew that is the mark.
import { basename } from 'node:path'
import { SUPERVISOR_NAME, TOKEN_VARIABLE } from '../supervise/supervisor-script.ts'
import { groupMembers, isPopulated, recordedGroup } from './control-group.ts'
import { HAS_PROC, isAlive, type ProcessIdentity, processIdentity } from './identity.ts'
import { isMark, markOf } from './mark.ts'
import { newestPid, type ProcessRow, readNumbered, readTableSince } from './process-table.ts'

export type Tree = {
  token: string
  /** Folder of the supervised command, which is in the command line of the supervisor's own processes; or ''. */
  dir: string
  supervisor: ProcessIdentity | null
  /** Known otherwise than by the record in the folder. */
  group?: string
}

/** Living processes without the supervisor's own. `known`: results of earlier looks. */
export function findTree(tree: Tree, known: Iterable<ProcessIdentity> = []): ProcessIdentity[] {
  const { rows, foreign } = candidates(tree)
  return membersAmong(rows, foreign, tree, known)
}

/** `foreign`: sessions that nothing of the tree has opened. */
function membersAmong(
  rows: ProcessRow[],
  foreign: ReadonlySet<number>,
  tree: Tree,
  known: Iterable<ProcessIdentity>,
): ProcessIdentity[] {
  const { supervisor } = tree
  const isOwn = ownIn(rows, tree)
  const keys = new Set([...known].map(keyOf))
  const named = groupOf(tree)
  const group = new Set(named ? groupMembers(named) : [])
  const carries = carriesMarkOf(tree)
  const members = new Set(rows.filter((row) => keys.has(keyOf(row)) || group.has(row.pid) || carries(row)))
  const rest = new Set(rows.filter((row) => !members.has(row)))
  const parents = new Set([...members].map((row) => row.pid))
  const sessions = new Set([...members].map((row) => row.session).filter((session) => !foreign.has(session)))
  // The number of a dead supervisor may be another process's by now.
  if (supervisor && rows.some((row) => isSame(row, supervisor))) {
    parents.add(supervisor.pid)
    sessions.add(supervisor.pid)
  }
  for (let grown = true; grown; ) {
    grown = false
    for (const row of rest) {
      if (!parents.has(row.ppid) && !sessions.has(row.session)) continue
      rest.delete(row)
      parents.add(row.pid)
      grown = true
      if (isOwn(row)) continue
      members.add(row)
      if (!foreign.has(row.session)) sessions.add(row.session)
    }
  }
  return [...members].map(identityOf)
}

/**
 * Whether nothing is left of it. A process that goes on as its own child can be missed while the table is read. The
 * control group knows better; without one, the numbers given out meanwhile are looked at, parents before children,
 * until none was given out during a look: then the process was seen, or the child it became. On a machine that starts
 * processes all the time, many looks that find nothing have to be enough.
 */
export function isEmpty(tree: Tree): boolean {
  let before = newestPid()
  if (findTree(tree).length > 0) return false
  const group = groupOf(tree)
  if (group) return !isPopulated(group)
  if (!HAS_PROC) return true // that table is of one moment
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const last = newestPid()
    const recent = readNumbered(before - BEING_STARTED, last)
    if (recent === null) break
    if (membersAmong(recent, NONE, tree, []).length > 0) return false
    if (newestPid() === last) return true
    before = last
  }
  return findTree(tree).length === 0
}

/** Most processes that have a number and cannot be seen yet. */
const BEING_STARTED = 50
const MAX_LOOKS = 20
/** A session is looked at only after a member was found, and then the answer is known. */
const NONE: ReadonlySet<number> = new Set()

export function groupOf(tree: Tree): string | null {
  return tree.group ?? recordedGroup(tree)
}

/** The supervisor's own processes: its shells and its `split`, with what that starts. */
export function findSupervisor(tree: Tree): ProcessIdentity[] {
  const { rows } = candidates(tree)
  return rows.filter(ownIn(rows, tree)).map(identityOf)
}

export function keyOf({ pid, startTime }: { pid: number; startTime: string }): string {
  return `${pid} ${startTime}`
}

/** Returns whether the signal went to this very process, not to a later one with its number. */
export function signal(target: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(target)) return false
  try {
    return process.kill(target.pid, name)
  } catch {
    return false // ended in between, or it became another user's (sudo)
  }
}

/**
 * Candidates for the tree. Nothing of it is older than its supervisor, so most of the machine need not be looked at
 * closely, and a session with an older head is foreign. So is that of this process: somebody may have a process with
 * the token there, in a terminal for example, beside others that must not be ended with it.
 */
function candidates(tree: Tree): { rows: ProcessRow[]; foreign: ReadonlySet<number> } {
  const { supervisor } = tree
  const oldest = HAS_PROC && supervisor ? Number(supervisor.startTime) : 0
  // Numbers only nearly tell the age. The control group knows what they miss.
  const table = readTableSince(supervisor && groupOf(tree) !== null ? supervisor.pid : 0)
  const rows: ProcessRow[] = []
  const foreign = new Set(table.older)
  for (const row of table.rows) {
    const isRest = row.pid === process.pid || row.pid === 1 || (HAS_PROC && Number(row.startTime) < oldest)
    if (isRest) foreign.add(row.pid)
    else rows.push(row)
    if (row.pid === process.pid) foreign.add(row.session)
  }
  return { rows, foreign }
}

/** An agent may use the same words in a command line, but not without its token or its mark as well. */
function ownIn(rows: ProcessRow[], tree: Tree): (row: ProcessRow) => boolean {
  const { dir } = tree
  const carries = carriesMarkOf(tree)
  const byPid = new Map(rows.map((row) => [row.pid, row]))
  if (dir === '') return () => false // it is not known, and nothing of it can be told
  const isShell = (args: string) => args.includes(` ${SUPERVISOR_NAME} ${dir} `)
  const isSplit = (args: string) => basename(args.split(' ', 1)[0] ?? '') === 'split' && args.includes(` ${dir}/`)
  const ofSplit = (row: ProcessRow, levels: number): boolean => {
    const parent = byPid.get(row.ppid)
    return parent !== undefined && levels > 0 && (isSplit(parent.args()) || ofSplit(parent, levels - 1))
  }
  return (row) => {
    const args = row.args()
    return (isShell(args) || isSplit(args) || ofSplit(row, 2)) && !carries(row)
  }
}

function carriesMarkOf(tree: Tree): (row: ProcessRow) => boolean {
  const { token } = tree
  const mark = markOf(token)
  const hasGroup = groupOf(tree) !== null
  // A process with the mark of another attempt was started with that one's token. One that only set such a limit is in
  // the group.
  const isOthers = (row: ProcessRow) => hasGroup && isMark(row.limit)
  return (row) => row.limit === mark || (!isOthers(row) && row.variable(TOKEN_VARIABLE) === token)
}

const bootId = processIdentity(process.pid)?.bootId ?? ''

function identityOf(row: ProcessRow): ProcessIdentity {
  return { pid: row.pid, startTime: row.startTime, bootId }
}

function isSame(row: ProcessRow, identity: ProcessIdentity): boolean {
  return row.pid === identity.pid && row.startTime === identity.startTime && identity.bootId === bootId
}
