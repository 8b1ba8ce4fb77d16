// Appends pairs of events to run `r` until it is killed; prints the number of the second once it is acknowledged.
// Usage: node writer-process.ts DATABASE
import { openStore } from '../../src/store/open.ts'
import { event, summary, view } from './contract.ts'

const opened = await openStore(process.argv[2] ?? '')
if (!opened.ok) throw new Error(JSON.stringify(opened))
for (let seq = 2; ; seq += 2) {
  const changes = { run: summary('r', seq), tasks: [view('a', 'ready')] }
  await opened.value.append('r', [event(seq - 1), event(seq)], changes)
  await new Promise((resolve) => process.stdout.write(`${seq}\n`, resolve))
}
