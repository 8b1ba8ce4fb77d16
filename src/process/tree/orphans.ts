// Finds processes that attempts left running on this machine, without knowing anything about them: for an engine that was
// killed and is never resumed. Each process of an attempt carries its token in its environment or is in a control
// group named after it, and so is found even where the state folder is gone. One that has only the mark (mark.ts) is
// found only by a caller that knows the tokens that were given out.
// Attempts of an engine that lives look the same: whoever ends one must know that nobody works on it. The attempts
// that this process itself runs in are never listed.
import { noteAsked } from '../supervise/exit.ts'
import { HIDDEN_TOKEN_VARIABLE, SUPERVISOR_NAME, TOKEN_VARIABLE } from '../supervise/supervisor-script.ts'
import { groupMembers, listGroups, removeGroup } from './control-group.ts'
import { endTree, type TreeEnd } from './end-tree.ts'
import { type ProcessIdentity, processIdentity } from './identity.ts'
import { isMark, markOf } from './mark.ts'
import { type ProcessRow, readProcessTable } from './process-table.ts'
import type { Tree } from './tree.ts'

/** Null: unknown. */
export type AttemptNames = {
  token: string
  run: string | null
  task: string | null
  attempt: string | null
  logDir: string | null
}

export type Orphan = AttemptNames & {
  /** Supervised commands of the attempt whose supervisor lives. */
  supervisors: { dir: string; supervisor: ProcessIdentity }[]
  groups: string[]
  /** Processes with the token or the mark, or in its group. More may hang on them. */
  pids: number[]
}

/** Orphans of this user, each attempt once. `known` is only asked if a process does not say whose it is. */
export function findOrphans(known: () => Iterable<AttemptNames> = () => [], rows = readProcessTable()): Orphan[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]))
  const orphans = new Map<string, Orphan>()
  const marked: ProcessRow[] = []
  const orphanOf = (token: string) => {
    const orphan = orphans.get(token) ?? { token, ...UNKNOWN, supervisors: [], groups: [], pids: [] }
    orphans.set(token, orphan)
    return orphan
  }
  for (const row of rows) {
    if (!row.isOurs()) continue
    const token = row.variable(TOKEN_VARIABLE)
    if (token) addProcess(orphanOf(token), row)
    else if (!addSupervisor(row, orphanOf) && isMark(row.limit)) marked.push(row)
  }
  for (const { group, token } of listGroups()) {
    const ours = groupMembers(group).filter((pid) => byPid.get(pid)?.isOurs())
    if (ours.length === 0) continue
    const orphan = orphanOf(token)
    orphan.groups.push(group)
    orphan.pids = [...new Set([...orphan.pids, ...ours])]
  }
  if (marked.length > 0 || [...orphans.values()].some(isNameless)) {
    const names = [...orphans.values(), ...known()]
    for (const { token, ...name } of names) {
      const mark = markOf(token)
      const pids = marked.filter((row) => row.limit === mark).map(({ pid }) => pid)
      if (pids.length === 0 && !orphans.has(token)) continue
      const orphan = orphanOf(token)
      orphan.pids = [...new Set([...orphan.pids, ...pids])]
      if (isNameless(orphan)) Object.assign(orphan, name)
    }
  }
  for (const token of tokensAround(byPid, [...orphans.keys()])) orphans.delete(token)
  return [...orphans.values()]
}

export async function endOrphan(orphan: Orphan, graceMs: number): Promise<TreeEnd> {
  const { token } = orphan
  const total: TreeEnd = { ended: 0, survivors: [] }
  const unknown = { token, dir: '', supervisor: null }
  for (const { dir } of orphan.supervisors) noteAsked(dir)
  const trees: Tree[] = orphan.supervisors.map((known) => ({ token, ...known }))
  for (const tree of [...trees, ...orphan.groups.map((group) => ({ ...unknown, group })), unknown]) {
    const { ended, survivors } = await endTree(tree, graceMs)
    total.ended += ended
    total.survivors = survivors
  }
  for (const group of orphan.groups) removeGroup(group)
  return total
}

const UNKNOWN = { run: null, task: null, attempt: null, logDir: null }

function addProcess(orphan: Orphan, row: ProcessRow): void {
  orphan.pids.push(row.pid)
  orphan.run ??= row.variable('ESPALIER_RUN')
  orphan.task ??= row.variable('ESPALIER_TASK')
  orphan.attempt ??= row.variable('ESPALIER_ATTEMPT')
  orphan.logDir ??= row.variable('ESPALIER_LOG_DIR')
}

/** The first of its shells: the others are its children, and have its command line. */
function addSupervisor(row: ProcessRow, orphanOf: (token: string) => Orphan): boolean {
  if (row.pid !== row.session) return false
  const token = row.variable(HIDDEN_TOKEN_VARIABLE)
  const dir = SUPERVISOR_ARGS.exec(row.args())?.[1]
  const supervisor = token && dir ? processIdentity(row.pid) : null
  if (!token || !dir || !supervisor) return false
  orphanOf(token).supervisors.push({ dir, supervisor })
  return true
}

/** Its folder is followed by another absolute path. */
const SUPERVISOR_ARGS = new RegExp(` ${SUPERVISOR_NAME} (.+?) /`, 's')

function isNameless({ logDir, supervisors }: Orphan): boolean {
  return logDir === null && supervisors.length === 0
}

function* tokensAround(byPid: Map<number, ProcessRow>, tokens: string[]): Generator<string, void, void> {
  for (let row = byPid.get(process.pid); row; row = byPid.get(row.ppid)) {
    const token = row.variable(TOKEN_VARIABLE) ?? row.variable(HIDDEN_TOKEN_VARIABLE)
    if (token) yield token
    const { limit } = row
    yield* isMark(limit) ? tokens.filter((one) => markOf(one) === limit) : []
    byPid.delete(row.pid) // whatever the table says, this comes to an end
  }
}
