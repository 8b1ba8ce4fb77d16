// What has to hold after a round, whatever was done in it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SPARED_ATTEMPTS } from '../../src/failure.ts'
import { type Event, openWorkspace, readEvents, readRun } from '../../src/index.ts'
import { processesOf } from './processes.ts'

export type Round = {
  folder: string
  repo: string
  state: string
  witness: string
  /** How often the agent of a task was killed, and its attempts that failed by themselves. */
  blamed: Map<string, number>
  tasks: number
}

export async function check(round: Round, before: string): Promise<void> {
  const { folder, repo, witness, tasks } = round
  for (let looks = 0; processesOf(folder).length > 0 && looks < 50; looks++) await wait(100)
  assert.deepEqual(processesOf(folder), [], 'no process is left')
  assert.ok(!existsSync(join(witness, 'beside')), 'no agent ran beside itself')
  assert.equal(checkoutOf(repo), before, 'the checkout is untouched')
  const opened = await openWorkspace({ repo })
  assert.ok(opened.ok)
  await using workspace = opened.value
  const view = await readRun(workspace, {})
  assert.ok(view.ok && view.value, 'there is a run')
  const { run, counts } = view.value
  const events = await readEvents(workspace, { run })
  assert.ok(events.ok)
  checkCharged(round, events.value)
  assert.equal(counts.landed, tasks, `all tasks land: ${JSON.stringify(counts)}`)
  checkLandings(repo, run, tasks)
  checkWork(round, run)
}

/** Everything of the user's that a run must leave alone (I8). */
export function checkoutOf(repo: string): string {
  const refs = git(repo, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n')
  const own = refs.filter((ref) => !/^refs\/(heads\/)?espalier\//.test(ref))
  const files = ['HEAD', 'config', 'index'].map((name) => readFileSync(join(repo, '.git', name), 'base64'))
  return JSON.stringify([own, files, git(repo, 'status', '--porcelain'), readdirSync(repo).sort()])
}

/** No try is charged to the engine's account: every failure that counts was an agent's own, or we killed it. */
function checkCharged({ blamed }: Round, events: readonly Event[]): void {
  const charged = new Map<string, string[]>()
  for (const event of events) {
    if (event.type !== 'attempt.finished' || !event.failure) continue
    const { reason } = event.failure
    if (reason === 'interrupted' || SPARED_ATTEMPTS[reason] !== undefined) continue
    charged.set(event.task, [...(charged.get(event.task) ?? []), `${reason}: ${event.failure.message}`])
  }
  for (const [task, reasons] of charged)
    assert.ok(reasons.length <= (blamed.get(task) ?? 0), `${task} was charged for ${JSON.stringify(reasons)}`)
}

export function checkLandings(repo: string, run: string, tasks: number): void {
  const branch = `espalier/${run}`
  const format = '--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)'
  const landed = git(repo, 'log', '--first-parent', format, `main..${branch}`).split('\n')
  assert.equal(new Set(landed).size, landed.length, `each lands once: ${landed.join(' ')}`)
  assert.equal(landed.length, tasks, 'each success has landed')
  const files = new Set(git(repo, 'ls-tree', '-r', '--name-only', branch).split('\n'))
  for (const task of landed) assert.ok(files.has(`${task}.txt`), `${task}.txt is on the branch`)
}

/** Whatever an attempt wrote is in a ref, or in a folder that was set aside. */
function checkWork({ repo, state, witness }: Round, run: string): void {
  const gitDir = `--git-dir=${join(state, 'engine.git')}`
  const refs = new Set(git(repo, gitDir, 'for-each-ref', '--format=%(refname)').split('\n'))
  const aside = readdirSync(join(state, 'slots')).filter((name) => name.startsWith('work-of-'))
  for (const line of new Set(readFileSync(join(witness, 'wrote'), 'utf8').trim().split('\n'))) {
    const [task = '', attempt = ''] = line.split(' ')
    const file = `attempt-${task}-${attempt}.txt`
    const ref = `refs/espalier/runs/${run}/${task}/${attempt}`
    const isKept = refs.has(ref) && git(repo, gitDir, 'ls-tree', '--name-only', ref, file) === file
    const isAside = aside.some((name) => existsSync(join(state, 'slots', name, file)))
    assert.ok(isKept || isAside, `the work of ${task}, attempt ${attempt}, is in a ref or set aside`)
  }
}

export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd()
}
