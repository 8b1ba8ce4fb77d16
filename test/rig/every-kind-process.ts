// Begins the run of every-kind.ts and kills itself at the first transaction that holds an event of the given kind.
// Usage: node every-kind-process.ts '{"repo":…,"ran":…,"kind":…,"when":"before"|"after"}'
import { DatabaseSync } from 'node:sqlite'
import type { EventType } from '../../src/event.ts'
import { begin } from './every-kind.ts'

export type Death = { repo: string; ran: string; kind: EventType; when: 'before' | 'after' }

const { repo, ran, kind, when } = JSON.parse(process.argv[2] ?? '') as Death
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  const mine = sql === 'commit' && holds(this)
  if (mine && when === 'before') process.kill(process.pid, 'SIGKILL')
  exec.call(this, sql)
  if (mine) process.kill(process.pid, 'SIGKILL')
}
await begin(repo, ran, kind)

function holds(db: DatabaseSync): boolean {
  const tables = db.prepare("select count(*) as n from sqlite_master where name = 'event'").get()
  return Number(tables?.n) > 0 && Number(db.prepare('select count(*) as n from event where type = ?').get(kind)?.n) > 0
}
