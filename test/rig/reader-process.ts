// Looks at a run from another process than the engine's, and prints what it sees as JSON.
// Usage: node reader-process.ts REPO TASK

import { readLog } from '../../src/engine/query/attempt-output.ts'
import { readEvents, readRun } from '../../src/workspace/read-runs.ts'
import { workspaceAt } from './workspace-at.ts'

const [repo = '', task = ''] = process.argv.slice(2)
const view = await readRun(await workspaceAt(repo))
if (!view.ok || !view.value) throw new Error(JSON.stringify(view))
const { run } = view.value
const events = await readEvents(await workspaceAt(repo), { run })
const log = await readLog(await workspaceAt(repo), { run, task })
if (!events.ok || !log.ok) throw new Error(JSON.stringify([events, log]))
const chunks: Buffer[] = []
for await (const chunk of log.value) chunks.push(chunk)
process.stdout.write(JSON.stringify({ view: view.value, events: events.value, log: Buffer.concat(chunks).toString() }))
