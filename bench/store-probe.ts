// One side of store.ts: the store of a checkout on one database. Each line of its input is a turn: some appends as a tick of the
// engine makes them, then some readings as `status` does. It prints the milliseconds of both.
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const APPENDS = 200
const READINGS = 20
const TASKS = 1_000

const [checkout = '', url = ''] = process.argv.slice(2)
const { openStore } = await from<typeof import('../src/store/open.ts')>('src/store/open.ts')
const sample = await from<typeof import('../test/store/contract.ts')>('test/store/contract.ts')
const opened = await openStore(url)
if (!opened.ok) throw new Error(opened.problems[0]?.message)
const store = opened.value

await store.createRun(sample.newRun())
const tasks = Array.from({ length: TASKS }, (_, n) => sample.view(`task-${n}`, 'pending'))
let seq = 1
await store.append('r', [sample.event(seq)], { run: sample.summary('r', seq), tasks })

for await (const _ of createInterface({ input: process.stdin })) {
  const began = performance.now()
  for (let n = 0; n < APPENDS; n++) await tick()
  const appended = performance.now()
  for (let n = 0; n < READINGS; n++) await Promise.all([store.view('r'), store.tasks('r')])
  const read = performance.now()
  process.stdout.write(`${JSON.stringify([(appended - began) / APPENDS, (read - appended) / READINGS])}\n`)
}
await store[Symbol.asyncDispose]()

/** Two events about two tasks. */
async function tick(): Promise<void> {
  const changed = [tasks[seq % TASKS], tasks[(seq + 1) % TASKS]].flatMap((task) => task ?? [])
  const events = changed.map(({ id }) =>
    sample.event(++seq, {
      ...{ type: 'attempt.finished', task: id, attempt: 1, outcome: 'changed', commit: sample.BASE },
      ...{ failure: null, diff: null, usage: null, summary: 'Done.' },
    }),
  )
  await store.append('r', events, { run: sample.summary('r', seq), tasks: changed })
}

async function from<T>(file: string): Promise<T> {
  return await import(pathToFileURL(`${checkout}/${file}`).href)
}
