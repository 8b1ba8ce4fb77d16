// Stops a run when its first task has landed, looks at it as another process would, and goes on with it:
// node resume.mjs REPOSITORY PLAN
import { readFile } from 'node:fs/promises'
import { openRun, openWorkspace, readPlan, readRun, resolveSettings, resumeRun } from 'espalier'

const [repo = '.', file = 'espalier.yaml'] = process.argv.slice(2)
const read = readPlan(await readFile(file, 'utf8'), file, resolveSettings([]).settings)
if (!read.ok) throw new Error(read.problems[0].message)
const { settings } = resolveSettings([{ from: file, settings: read.value.settings }])

const workspace = await openWorkspace({ repo })
if (!workspace.ok) throw new Error(workspace.problems[0].message)
const opened = await openRun(workspace.value, { plan: read.value.plan, settings })
if (!opened.ok) throw new Error(opened.problems[0].message)
const first = opened.value
const [stopped] = await Promise.all([first.execute(), interruptAfterLanding()])
await first[Symbol.asyncDispose]()
console.log(`interrupted: ${stopped.interrupted}, landed: ${stopped.counts.landed}`)

const seen = await readRun(workspace.value)
if (seen.ok && seen.value) {
  for (const { id, status, attempts } of seen.value.tasks) console.log(`${id}: ${status}, started ${attempts} times`)
}

const changes = [{ from: 'this program', settings: { maxConcurrency: 1 } }]
const resumed = await resumeRun(workspace.value, { run: stopped.run, changes })
if (!resumed.ok) throw new Error(resumed.problems[0].message)
const second = resumed.value
const result = await second.execute()
await second[Symbol.asyncDispose]()
console.log(`${result.status}, landed: ${result.counts.landed}`)

async function interruptAfterLanding() {
  for await (const event of first.events()) if (event.type === 'landing.landed') first.interrupt()
}
