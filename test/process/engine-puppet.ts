// Stands in for an engine: starts the supervised command it is told to, says so, and does what it is told.
// In: `stop` or `release`. Out: the pid of the supervisor, and when the command is done, its Exit as JSON.
// Usage: node engine-puppet.ts SPEC (JSON) [UID]; with a UID it becomes that user first.
import { createInterface } from 'node:readline'
import { supervise } from '../../src/process/supervise/supervise.ts'

const [, , spec = '', uid] = process.argv
if (uid) {
  process.setgroups?.([])
  process.setgid?.(Number(uid))
  process.setuid?.(Number(uid))
}
const supervised = supervise(JSON.parse(spec) as Parameters<typeof supervise>[0])
const input = createInterface({ input: process.stdin })
process.stdout.write(`${await supervised.pid}\n`)
supervised.done.then((exit) => {
  process.stdout.write(`${JSON.stringify(exit)}\n`)
  input.close()
  process.stdin.destroy()
})
input.on('line', (line) => {
  if (line === 'stop') void supervised.stop()
  if (line !== 'release') return
  supervised.release()
  input.close()
  process.stdin.destroy()
})
