// One round: a repository, a plan, an engine, and harm of every kind until the run is over.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { noSmallDisk, SmallDisk } from '../../test/rig/full-disk.ts'
import { type Random, random } from '../../test/simulation/random.ts'
import { check, checkoutOf, type Round } from './checks.ts'
import { kill, processesOf } from './processes.ts'
import { makeRepository } from './repository.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export type Done = { harms: string[]; engines: number; seconds: number }

export async function playRound(folder: string, seed: number, tasks: number): Promise<Done> {
  const rnd = random(seed)
  const round = make(folder, rnd, tasks)
  const before = checkoutOf(round.repo)
  const began = performance.now()
  using disk = noSmallDisk === false ? new SmallDisk(round.state, 'size=48m') : null
  const harms: string[] = []
  let engines = 0
  let isFirst = true
  for (let isRunning = true; isRunning; ) {
    const isCalm = harms.length >= MOST_HARMS
    const engine = startEngine(round, isFirst, isCalm ? 0 : rnd.pick([0, 0, 0.002]))
    engines++
    const ended = once(engine.child, 'exit')
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    // Mostly it comes to its work before it is harmed, however slow the machine is.
    for (let looks = 0; rnd.chance(0.995) && !isOver && !engine.text().includes('started') && looks < 300; looks++)
      await Promise.race([wait(20), ended])
    while (!isOver && harms.length < MOST_HARMS) {
      await Promise.race([wait(100 + rnd.int(900)), ended])
      if (!isOver) harms.push(await harm(round, rnd, disk))
    }
    const [code] = (await ended) as [number | null]
    isRunning = code !== 0 && !COMPLETED.test(engine.text())
    isFirst = NO_RUN.test(engine.text())
    appendFileSync(join(folder, 'engines.log'), `${engine.text()}\n── exit ${code}\n`)
    if (engines > MOST_ENGINES) throw new Error(`the run does not come to an end: ${engine.text().slice(-2_000)}`)
    const isTold = /stopped by an environment error|cannot be written|could not be written/
    if (code !== null && code !== 0 && isCalm && !isFirst && !isTold.test(engine.text()))
      throw new Error(`exit ${code}: ${engine.text().slice(-2_000)}`)
  }
  await check(round, before).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : error} (${harms.join(' ')})`)
  })
  return { harms, engines, seconds: (performance.now() - began) / 1000 }
}

/** An engine was killed before it had written the first word about the run. */
const NO_RUN = /there is no run to resume|no runs here yet|no runs are left here/

/** An engine was killed after the last word about the run. */
const COMPLETED = /there is no run to resume\. The newest, \S+, has finished \(completed\)/

const MOST_HARMS = 14
const MOST_ENGINES = 60

function make(folder: string, rnd: Random, tasks: number): Round {
  const [repo, witness] = [join(folder, 'repo'), join(folder, 'witness')]
  mkdirSync(witness, { recursive: true })
  makeRepository(repo)
  const blamed = new Map<string, number>()
  const list = Array.from({ length: tasks }, (_, n) => {
    const fails = rnd.chance(0.1)
    if (fails) blamed.set(`t${n}`, 1)
    const needs = n > 0 && rnd.chance(0.4) ? [`t${rnd.int(n)}`] : []
    const run = `sh ${here('agent.sh')} ${witness} ${1 + rnd.int(12)} ${fails ? 'yes' : 'no'}`
    return { id: `t${n}`, run, needs, retries: 20, ...(rnd.chance(0.2) ? { verify: [`test -f t${n}.txt`] } : {}) }
  })
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ name: 'chaos', tasks: list }))
  return { folder, repo, witness, state: join(folder, 'repo.espalier'), blamed, tasks }
}

/** `share`: how many of its file operations fail. */
function startEngine({ folder, repo, state }: Round, isFirst: boolean, share: number) {
  const args = isFirst ? ['run', '../plan.json', '-j', '4'] : ['resume', '-j', '4']
  const faulty = { NODE_OPTIONS: `--import ${here('faulty-files.mjs')}`, ESPALIER_CHAOS_BELOW: state }
  const env = {
    ...process.env,
    HOME: folder,
    CHAOS_ROUND: folder,
    ESPALIER_BACKOFF_INITIAL: '100ms',
    ESPALIER_BACKOFF_MAX: '1s',
    ...(share > 0 ? { ...faulty, ESPALIER_CHAOS_SHARE: String(share) } : {}),
  }
  const words = ['--disable-warning=ExperimentalWarning', here('../../bin/espalier.js'), ...args]
  const child = spawn(process.execPath, words, { cwd: repo, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = `$ espalier ${args.join(' ')}\n`
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data))
  return { child, text: () => text }
}

/** What was done. */
async function harm(round: Round, rnd: Random, disk: SmallDisk | null): Promise<string> {
  const what = rnd.pick([
    'engine',
    'engine',
    'supervisor',
    'supervisor',
    'git',
    'git',
    'agent',
    'agent',
    'reboot',
    'disk',
  ])
  if (what === 'disk') return disk ? await fillDisk(disk, rnd) : 'nothing'
  let found = processesOf(round.folder)
  // A git lives for some ms.
  for (let looks = 0; what !== 'reboot' && !found.some(({ kind }) => kind === what) && looks < 40; looks++) {
    await wait(5)
    found = processesOf(round.folder)
  }
  if (what === 'reboot') {
    // A machine that loses its power gives nobody the time to write anything down.
    for (let stopped = 0; stopped < found.length; found = processesOf(round.folder)) {
      stopped = found.length
      for (const one of found) kill(one.pid, 'SIGSTOP')
    }
    for (const one of found) kill(one.pid)
    return what
  }
  const victims = found.filter(({ kind }) => kind === what)
  if (victims.length === 0) return 'nothing'
  const victim = rnd.pick(victims)
  if (what === 'agent' && victim.task) round.blamed.set(victim.task, (round.blamed.get(victim.task) ?? 0) + 1)
  kill(victim.pid)
  return what
}

async function fillDisk(disk: SmallDisk, rnd: Random): Promise<string> {
  try {
    disk.fill(rnd.int(64))
    await wait(200 + rnd.int(1_000))
  } catch {
    // somebody else took the last of it
  } finally {
    disk.free()
  }
  return 'disk'
}

export function removeRound(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
