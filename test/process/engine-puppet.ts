// Stands in for an engine that is killed: starts the supervised command it is told to, says so, and waits.
// Usage: node engine-puppet.ts SPEC (JSON)
import { type SuperviseSpec, supervise } from '../../src/process/supervise.ts'

const { pid, done } = supervise(JSON.parse(process.argv[2] ?? '') as SuperviseSpec)
process.stdout.write(`${pid}\n`)
await done
