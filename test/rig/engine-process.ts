// An engine in a process of its own, to be killed: by the test, or by itself at one of its journal writes.
// Prints its events, one JSON line each. Usage: node engine-process.ts '{"repo":…,"plan":…,"settings":…,"death":…}'

import { DatabaseSync } from 'node:sqlite'
// From where it is: the library as a whole takes a fifth longer to load, and tests start hundreds of these.
import { openRun } from '../../src/engine/open/open-run.ts'
import { resumeRun } from '../../src/engine/open/resume-run.ts'
import type { Plan, RunEvent, Settings } from '../../src/index.ts'
import { workspaceAt } from './workspace-at.ts'

/** At the transaction of this number, from 1: before it is committed, or right after. */
export type Death = { write: number; when: 'before' | 'after' }

/** No plan: it resumes the run. `leaveAt`: lets the run go at the first event of this kind, and has nothing more to do. */
export type Orders = {
  repo: string
  plan: Plan | null
  settings: Settings
  death?: Death | null
  leaveAt?: RunEvent['type'] | null
}

const { repo, plan, settings, death = null, leaveAt = null } = JSON.parse(process.argv[2] ?? '') as Orders
if (death) dieAt(death)
const workspace = await workspaceAt(repo)
const opened = await (plan ? openRun(workspace, { plan, settings }) : resumeRun(workspace, { changes: [] }))
if (!opened.ok) throw new Error(JSON.stringify(opened))
await using run = opened.value
const result = run.execute()
for await (const event of run.events()) {
  process.stdout.write(`${JSON.stringify(event)}\n`)
  if (event.type === leaveAt) run.abandon()
}
await result

function dieAt({ write, when }: Death): void {
  const { exec } = DatabaseSync.prototype
  let writes = 0
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    const isMine = sql === 'commit' && ++writes === write
    if (isMine && when === 'before') process.kill(process.pid, 'SIGKILL')
    exec.call(this, sql)
    if (isMine && when === 'after') process.kill(process.pid, 'SIGKILL')
  }
}
