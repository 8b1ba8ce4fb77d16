// How long it takes until a run that was killed half way goes on: `espalier resume` of a run of 10,000 tasks of which
// 5,000 are done, from the call to the first task that is dispatched.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { limitsOf } from '../src/engine/open/limits.ts'
import type { Event } from '../src/event.ts'
import { DEFAULT_SETTINGS, openRun, resumeRun } from '../src/index.ts'
import { lineSplitter } from '../src/process/supervise/read-output.ts'
import { runSummary, taskView } from '../src/scheduler/view.ts'
import { openStore } from '../src/store/open.ts'
import { stateFolder } from '../src/workspace/state-folder.ts'
import { workspaceAt } from '../test/rig/workspace-at.ts'
import { atMost, type Benchmark } from './benchmark.ts'
import { installedHere } from './installed.ts'
import { largePlan } from './large-plan.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'
import { virtualRun } from './virtual-run.ts'

const TASKS = 10_000
const DONE = 5_000
const REPEATS = 5
/** More slots than before: those that were taken may still be, and others can be filled at once. */
const MORE = 12

export const resume: Benchmark = {
  name: 'resume',
  about: `a run of ${TASKS.toLocaleString('en-US')} tasks with ${DONE.toLocaleString('en-US')} done goes on`,
  async run({ scratch, say }) {
    const repo = join(scratch, 'repo')
    await createSampleRepository(repo, 200)
    say('making the journal')
    const run = await halfDone(repo)
    say('packing and installing')
    const bin = installedHere(join(scratch, 'package'))
    const library: number[] = []
    const command: number[] = []
    // In turns, so that a busy moment hits both.
    for (let n = 0; n < REPEATS; n++) {
      library.push(await byLibrary(repo, run))
      command.push(await byCommand(bin, repo, run))
    }
    const rows = [
      ['library: resumeRun to the first task', median(library), Math.max(...library)],
      ['command: espalier resume to the first task', median(command), Math.max(...command)],
    ]
    return {
      tables: [{ title: `ms, ${REPEATS} times`, columns: ['', 'median', 'worst'], rows }],
      bars: [atMost('espalier resume to the first task', median(command), 1_000, 'ms')],
    }
  },
}

/** A run whose journal says that half of it is done, and whose engine is gone. */
async function halfDone(repo: string): Promise<string> {
  const plan = largePlan(TASKS, 'layered')
  const settings = { ...DEFAULT_SETTINGS, maxConcurrency: 4 }
  const opened = await openRun(await workspaceAt(repo), { plan, settings })
  if (!opened.ok) throw new Error(opened.problems[0]?.message)
  const { id } = opened.value
  const { base } = opened.value.status()
  await opened.value[Symbol.asyncDispose]()

  const virtual = virtualRun(plan, { limits: limitsOf(settings), until: DONE + 1, keep: true })
  const [, ...events] = virtual.events.map((event): Event => {
    return { ...JSON.parse(JSON.stringify(event).replaceAll(/"c{40}"/g, `"${base}"`)), at: Date.now() }
  })
  const store = await openStore(stateFolder(repo, null).database)
  if (!store.ok) throw new Error(store.problems[0]?.message)
  await using written = store.value
  const state = { ...virtual.state, base, head: base, branch: `espalier/${id}` }
  const tasks = plan.tasks.map((_, index) => taskView(state, index)).filter((view) => view.attempts > 0)
  await written.append(id, events, { run: runSummary(state, { run: id, name: plan.name, repo, enginePid: 1 }), tasks })
  return id
}

async function byLibrary(repo: string, run: string): Promise<number> {
  const began = performance.now()
  const changes = [{ from: 'bench', settings: { maxConcurrency: MORE } }]
  const resumed = await resumeRun(await workspaceAt(repo), { run, changes })
  if (!resumed.ok) throw new Error(resumed.problems[0]?.message)
  await using again = resumed.value
  const seen = again.summary().counts.landed
  if (seen < DONE) throw new Error(`only ${seen} tasks are done`)
  const executing = again.execute()
  let ms = 0
  const past = again.events()
  for await (const event of past) {
    if (event.type !== 'attempt.started' || event.at < began + performance.timeOrigin) continue
    ms = event.at - began - performance.timeOrigin
    break
  }
  again.abandon()
  await executing
  return ms
}

/** What a person waits for. */
async function byCommand(bin: string, repo: string, run: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [bin, 'resume', run, '--json', '-j', String(MORE)], {
    cwd: repo,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const splitter = lineSplitter()
  let ms = 0
  for await (const chunk of child.stdout) {
    const started = splitter.push(chunk).map((line) => JSON.parse(line) as { type?: string; at: number })
    const first = started.find(
      (event) => event.type === 'attempt.started' && event.at >= began + performance.timeOrigin,
    )
    if (!first) continue
    ms = first.at - began - performance.timeOrigin
    child.kill('SIGKILL')
    break
  }
  await ended
  if (ms === 0) throw new Error('no task was started')
  return ms
}
