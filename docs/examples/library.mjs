// Runs a plan from your own program: node library.mjs REPOSITORY PLAN
import { readFile } from 'node:fs/promises'
import { formatProblem, openRun, openWorkspace, readPlan, resolveSettings } from 'espalier'

const [repo = '.', file = 'espalier.yaml'] = process.argv.slice(2)

// The plan, read with the default settings; what it says about the run itself comes back as a layer of settings.
const { plan, settings: ofPlan } = accepted(readPlan(await readFile(file, 'utf8'), file, resolveSettings([]).settings))
const { settings } = resolveSettings([
  { from: file, settings: ofPlan },
  { from: 'this program', settings: { maxConcurrency: 2 } },
])

// Everything that can be refused is refused here. Nothing runs yet.
const workspace = accepted(await openWorkspace({ repo }))
const run = accepted(await openRun(workspace, { plan, settings, planFile: file }))
try {
  const [result] = await Promise.all([run.execute(), watch()])
  console.log(`${result.run} ${result.status}: ${result.completedTasks} of ${result.totalTasks} tasks`)
  for (const { number, tasks, durationMs } of result.batches) {
    console.log(`batch ${number}: ${tasks.join(', ')} (${durationMs} ms)`)
  }
  for (const { task, failure } of result.failures) console.log(`${task}: ${failure.reason}: ${failure.message}`)
  console.log(`${result.durationMs} ms, $${result.costUsd?.toFixed(2) ?? '?'}, on ${result.branch}`)
} finally {
  await run[Symbol.asyncDispose]() // gives the repository free for the next run
  await workspace[Symbol.asyncDispose]()
}

async function watch() {
  for await (const event of run.events()) {
    if (event.type === 'attempt.progress') console.log(`${event.task} says: ${event.message}`)
    if (event.type === 'landing.landed') console.log(`landed: ${event.tasks.join(', ')}`)
    // Nobody needs the rest once this one has failed.
    if (event.type === 'attempt.finished' && event.task === 'probe' && event.failure) run.cancel()
  }
}

function accepted(result) {
  if (result.ok) return result.value
  for (const problem of result.problems) console.error(formatProblem(problem))
  process.exit(2)
}
