// One round: Postgres, a server, two coordinators (one stands by) and many workers with a slot each, every one but Postgres a
// process on a machine of its own (network.ts), and harm of every kind until the run is over.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { espalier, startEspalier } from '../../../test/rig/espalier.ts'
import { type PostgresServer, startPostgres } from '../../../test/rig/postgres-server.ts'
import { Program } from '../../../test/rig/program.ts'
import { until } from '../../../test/rig/until.ts'
import { type Random, random } from '../../../test/simulation/random.ts'
import { checkoutOf } from '../checks.ts'
import { kill, processesOf } from '../processes.ts'
import { makeRepository } from '../repository.ts'
import { type Checked, checkFleet } from './checks.ts'
import { type Harm, harmsOf } from './harms.ts'
import { idOfProcess, Network } from './network.ts'

export type FleetRound = {
  folder: string
  workers: number
  tasks: number
  kills: number
  partitions: number
  restarts: number
  seed: number
  say(line: string): void
}

export type FleetDone = Checked & { harms: string[]; seconds: number }

export async function playFleet(round: FleetRound): Promise<FleetDone> {
  const rnd = random(round.seed)
  const place = makePlace(round, rnd)
  const before = checkoutOf(place.repo)
  using network = new Network(idOfProcess())
  await using postgres = await startPostgres({ address: network.address, network: network.range })
  await using database = await postgres.newDatabase()
  const began = performance.now()
  const stage = new Stage({ ...round, ...place, network, postgres, url: database.url })
  try {
    await stage.start()
    const harms = await harm(stage, round, rnd)
    await stage.untilOver()
    const seconds = (performance.now() - began) / 1_000
    await stage.end()
    return { ...(await checkFleet({ ...place, tasks: round.tasks, url: database.url, before })), harms, seconds }
  } finally {
    for (const { pid } of processesOf(round.folder)) kill(pid)
    stage.writeLogs()
  }
}

export type Place = { folder: string; repo: string; home: string; witness: string }

function makePlace({ folder, tasks }: FleetRound, rnd: Random): Place {
  const [repo, home, witness] = [join(folder, 'repo'), join(folder, 'home'), join(folder, 'witness')]
  for (const path of [home, join(witness, 'locks')]) mkdirSync(path, { recursive: true })
  makeRepository(repo)
  const agent = fileURLToPath(new URL('agent.sh', import.meta.url))
  const list = Array.from({ length: tasks }, (_, n) => {
    const needs = n > 0 && rnd.chance(0.2) ? [`t${rnd.int(n)}`] : []
    return { id: `t${n}`, run: `sh ${agent} ${witness} 0.${1 + rnd.int(9)}`, needs }
  })
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ name: 'fleet', tasks: list }))
  return { folder, repo, home, witness }
}

/** Spread over the run by what has landed, so that a slow machine is harmed as often as a quick one. */
async function harm(stage: Stage, round: FleetRound, rnd: Random): Promise<string[]> {
  const harms = harmsOf(round, rnd)
  const done: string[] = []
  for (const [n, one] of harms.entries()) {
    const due = Math.floor(((n + 1) * round.tasks) / (harms.length + 1))
    await stage.untilLanded(due)
    const what = await stage.harm(one, rnd)
    round.say(`${stage.landed} landed: ${what}`)
    done.push(what)
  }
  return done
}

type StageOptions = FleetRound & Place & { network: Network; postgres: PostgresServer; url: string }

class Stage {
  readonly #options: StageOptions
  readonly #heard: { name: string; program: Program }[] = []
  readonly #workers = new Map<string, Program>()
  readonly #healing = new Set<Promise<void>>()
  #server: Program | null = null
  #serverUrl = ''
  #token = ''
  #coordinators: Promise<void>[] = []
  #isEnding = false
  #trouble: Error | null = null
  landed = 0

  constructor(options: StageOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { network, workers, repo, home, say } = this.#options
    const address = network.add('server')
    this.#serverUrl = `http://${address}:${PORT}`
    for (const name of COORDINATORS) network.add(name)
    for (let n = 1; n <= workers; n++) network.add(`w${n}`)
    await this.#startServer()
    const made = await espalier(repo, ['tokens', 'create', 'fleet', '--scope', 'worker', '--json'], {
      env: { HOME: home },
    })
    this.#token = (JSON.parse(made.out) as { secret: string }).secret
    // A few at a time: a machine that starts fifty programs at once comes to nothing else.
    const names = Array.from({ length: workers }, (_, n) => `w${n + 1}`)
    for (let n = 0; n < names.length; n += AT_ONCE)
      await Promise.all(names.slice(n, n + AT_ONCE).map((name) => this.#startWorker(name).says(/joined repo/, 120_000)))
    say(`${workers} workers have joined`)
    this.#coordinators = COORDINATORS.map((name) => this.#keepCoordinating(name))
  }

  async untilLanded(count: number): Promise<void> {
    await this.#until(`${count} have landed`, async () => (await this.#look()) >= count)
  }

  async untilOver(): Promise<void> {
    await Promise.all([Promise.all(this.#healing), ...this.#coordinators])
    if (this.#trouble) throw this.#trouble
  }

  /** Everybody is asked to go, and goes in order. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const worker of this.#workers.values()) worker.signal('SIGTERM')
    for (const [name, worker] of this.#workers) {
      const code = await worker.ends()
      if (code !== 0) throw new Error(`${name} ended with ${code}:\n${worker.heard.slice(-2_000)}`)
    }
    this.#server?.signal('SIGTERM')
    await this.#server?.ends()
  }

  /** What was done. What was cut or killed is whole again by and by, while the run goes on. */
  async harm({ kind, target, isLong }: Harm, rnd: Random): Promise<string> {
    switch (kind) {
      case 'restart': {
        await this.#options.postgres.stop()
        await wait(500 + rnd.int(2_500))
        await this.#options.postgres.start()
        return 'Postgres restarted'
      }
      case 'partition': {
        const machine = target === 'worker' ? rnd.pick([...this.#workers.keys()]) : await this.#machineOf(target)
        // Shorter than a lease, or long enough to be given up.
        const ms = isLong ? 14_000 + rnd.int(4_000) : 2_000 + rnd.int(4_000)
        this.#options.network.pull(machine)
        this.#heal(ms, async () => this.#options.network.plugIn(machine))
        return `${machine} cut off for ${ms} ms`
      }
      case 'kill':
        if (target === 'server') return this.#killServer()
        if (target === 'coordinator') return this.#killCoordinator()
        return this.#killWorker(rnd.pick([...this.#workers.keys()]), isLong)
      default:
        return kind satisfies never
    }
  }

  writeLogs(): void {
    const { folder } = this.#options
    for (const { name, program } of this.#heard)
      appendFileSync(
        join(folder, `${name}.log`),
        `${program.heard}── ${program.child.exitCode ?? program.child.signalCode}\n`,
      )
  }

  async #killServer(): Promise<string> {
    await this.#server?.kill()
    await this.#startServer()
    return 'server killed'
  }

  async #killCoordinator(): Promise<string> {
    const pid = await this.#leader()
    kill(pid)
    return `coordinator ${pid} killed`
  }

  /** `wholeMachine`: with all that runs there, and back when it was given up. Else only the worker, which is back at once. */
  async #killWorker(name: string, wholeMachine: boolean): Promise<string> {
    await this.#workers.get(name)?.kill()
    if (wholeMachine) for (const { pid } of processesOf(this.#stateOf(name))) kill(pid)
    const again = async () => {
      await this.#startWorker(name).says(/joined repo/, 120_000)
    }
    if (wholeMachine) this.#heal(15_000, again)
    else await again()
    return `${name} killed${wholeMachine ? ' with its agents' : ''}`
  }

  #heal(afterMs: number, work: () => Promise<void>): void {
    const healing = wait(afterMs)
      .then(work)
      .catch((error) => {
        this.#trouble ??= error
      })
      .finally(() => this.#healing.delete(healing))
    this.#healing.add(healing)
  }

  #startWorker(name: string): Program {
    const { network, home } = this.#options
    const args = [
      'worker',
      '--server',
      this.#serverUrl,
      '--name',
      name,
      '--slots',
      '1',
      '--state-dir',
      this.#stateOf(name),
    ]
    const env = { ESPALIER_WORKER_TOKEN: this.#token }
    const program = this.#started(name, startEspalier(home, args, { before: network.on(name), env }))
    this.#workers.set(name, program)
    return program
  }

  async #startServer(): Promise<void> {
    const { network, repo, home, url } = this.#options
    const { hostname } = new URL(this.#serverUrl)
    const args = [
      'serve',
      '--repo',
      repo,
      '--host',
      '0.0.0.0',
      '--port',
      String(PORT),
      '--allow-host',
      hostname,
      '--json',
    ]
    const env = { HOME: home, ESPALIER_STORE: url }
    this.#server = this.#started('server', startEspalier(repo, args, { before: network.on('server'), env }))
    await this.#server.says(/"url"/)
  }

  /** As systemd would: what ended with an error, or was killed, is started again, and stands by or leads. */
  async #keepCoordinating(name: string): Promise<void> {
    const { network, repo, url, home } = this.#options
    const env = { HOME: home, ESPALIER_STORE: url }
    let args = ['run', '../plan.json', '--workers-only']
    for (let n = 0; n < MOST_COORDINATORS; n++) {
      const child = startEspalier(repo, [...args, '--standby', '--quiet'], { before: network.on(name), env })
      const program = this.#started(name, child)
      if ((await program.ends()) === 0 || this.#isEnding) return
      args = ['resume']
    }
    throw new Error(`${name} does not come to an end`)
  }

  /** Of the process that leads. */
  async #leader(): Promise<number> {
    const leader = await this.#until('somebody leads', () => this.#withStore((store) => store.leading()))
    return leader.pid
  }

  async #machineOf(target: 'server' | 'coordinator'): Promise<string> {
    if (target === 'server') return 'server'
    const pid = await this.#leader()
    return this.#heard.findLast(({ program }) => program.child.pid === pid)?.name ?? 'server'
  }

  #stateOf(worker: string): string {
    return join(this.#options.folder, 'workers', worker)
  }

  #started(name: string, child: ReturnType<typeof startEspalier>): Program {
    const program = new Program(child, this.#token)
    this.#heard.push({ name, program })
    return program
  }

  async #look(): Promise<number> {
    this.landed =
      (await this.#withStore(async (store) => (await store.view('fleet-1'))?.counts.landed ?? 0)) ?? this.landed
    return this.landed
  }

  /** Null while the database is away. */
  async #withStore<T>(ask: (store: Store) => Promise<T>): Promise<T | null> {
    try {
      const opened = await openStore(this.#options.url, 'read')
      if (!opened.ok) return null
      await using store = opened.value
      return await ask(store)
    } catch {
      return null
    }
  }

  async #until<T>(what: string, look: () => Promise<T>): Promise<NonNullable<Exclude<T, false | 0 | ''>>> {
    let last = { landed: this.landed, at: performance.now() }
    return until(
      what,
      async () => {
        if (this.#trouble) throw this.#trouble
        const answer = await look()
        if (this.landed !== last.landed) last = { landed: this.landed, at: performance.now() }
        if (!answer && performance.now() - last.at > STILL_MS) throw new Error(`nothing happens: ${what}`)
        if (!answer) await wait(250)
        return answer
      },
      MOST_MS,
    ) as Promise<NonNullable<Exclude<T, false | 0 | ''>>>
  }
}

const COORDINATORS = ['lead1', 'lead2']
const PORT = 4713
const AT_ONCE = 5
const MOST_COORDINATORS = 20
const STILL_MS = 180_000
const MOST_MS = 2 * 3_600_000
