// Plays a scenario of every-kind.ts in a process of its own, which kills itself at the first transaction that holds an
// event of the given kind. Usage: node every-kind-process.ts '{"repo":…,"signals":…,"scenario":…,"kind":…,"when":…}'
import { DatabaseSync } from 'node:sqlite'
import type { EventType } from '../../src/event.ts'
import { SCENARIOS } from './every-kind.ts'
import { type Place, play } from './every-kind-play.ts'

/** Before that transaction is committed, or right after. */
export type Death = { kind: EventType; when: 'before' | 'after' }

const { scenario, kind, when, ...place } = JSON.parse(process.argv[2] ?? '') as Place & Death & { scenario: string }
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  const isMine = sql === 'commit' && holds(this)
  if (isMine && when === 'before') process.kill(process.pid, 'SIGKILL')
  exec.call(this, sql)
  if (isMine && when === 'after') process.kill(process.pid, 'SIGKILL')
}
const known = SCENARIOS[scenario]
if (!known) throw new Error(`no scenario ${scenario}`)
await play(known, place)

function holds(db: DatabaseSync): boolean {
  const isJournal = db.prepare("select 1 from sqlite_master where name = 'event'").get() !== undefined
  return isJournal && db.prepare('select 1 from event where type = ?').get(kind) !== undefined
}
