import { mkdirSync } from 'node:fs'
import { arch, hostname, platform } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_SETTINGS } from '../../../config.ts'
import { installedAgents } from '../../../engine/doctor/agent-checks.ts'
import { type FleetWorker, readWorkers, runWorker } from '../../../fleet/open-fleet.ts'
import { refuse } from '../../../problem.ts'
import { ID_PATTERN } from '../../../task.ts'
import { formatDuration } from '../../../text/duration.ts'
import { safeLine } from '../../../text/safe.ts'
import { slug } from '../../../text/slug.ts'
import { call, flag, inWorkspace, ONE_OBJECT } from '../../command-line/command.ts'
import { filled, labels, resources, wholeNumber } from '../../command-line/flag-values.ts'
import { EXIT } from '../../exit-status.ts'
import { lookOf } from '../../surroundings.ts'
import { tableLines } from '../../terminal/table.ts'

export const commands = {
  worker: call(
    {
      server: flag('--server <url>', 'where the server is reached').makeOptionMandatory(),
      token: flag(
        '--token <token>',
        'its token, of the scope worker; default: $ESPALIER_WORKER_TOKEN',
        filled('--token'),
      ),
      project: flag('--project <id>', 'which project of the server; default: the only one'),
      name: flag('--name <name>', 'what it is called; default: the name of this machine', filled('--name')),
      slots: flag('--slots <n>', 'how many tasks it executes at the same time', wholeNumber(1, 64)).default(2),
      labels: flag('--labels <names>', 'what it is called by tasks that ask for a label: gpu,arm', labels),
      resources: flag('--resources <counts>', 'what it has of the resources of plans: gpu=2,port=10', resources),
      stateDir: flag(
        '--state-dir <dir>',
        'where its worktrees and logs are; default: ~/.local/state/espalier/workers/NAME',
      ),
    },
    `
Joins a server, gets tasks of the runs of a project, executes them as a run on that machine would, and delivers what came of them.
Keys of agents are those of this machine. It needs no database and no checkout. docs/fleet.md has the rest.
SIGTERM or Ctrl-C once: takes nothing more and leaves when it has finished what it has; twice: leaves at once, its agents go on,
and a worker of the same name takes them up.

Exit status: 0 it left, 2 the server does not accept it.

Examples:
  espalier worker --server https://espalier.example.com --token "$TOKEN"
  espalier worker --server http://build-1:4713 --slots 4 --labels gpu --resources card=2`,
    async ({ env, home, err, version }, flags) => {
      const token = flags.token ?? env.ESPALIER_WORKER_TOKEN
      if (!token)
        return refuse(
          'a token is missing: `espalier tokens create NAME --scope worker` where the server runs makes one',
        )
      const name = flags.name ?? slug(hostname())
      if (!ID_PATTERN.test(name)) return refuse(`${name} cannot be the name of a worker`)
      const root =
        flags.stateDir ?? join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'espalier', 'workers', name)
      mkdirSync(root, { recursive: true, mode: 0o700 })
      const drain = new AbortController()
      const onSignal = () => {
        // The second signal: agents keep running, and a worker of the same name adopts them.
        if (drain.signal.aborted) process.exit(EXIT.interrupted)
        drain.abort()
      }
      process.on('SIGTERM', onSignal)
      process.on('SIGINT', onSignal)
      const { server = '', project, slots = 2, labels = [], resources = {} } = flags
      const agents = installedAgents(DEFAULT_SETTINGS, env, home).map((agent) => agent.name)
      try {
        const worked = await runWorker(
          {
            server,
            token,
            offer: { name, ...(project === undefined ? {} : { project }), slots, labels, resources },
            machine: { version, host: hostname(), platform: `${platform()} ${arch()}`, agents },
            ...{ root, environment: withoutToken(env), graceMs: DEFAULT_SETTINGS.graceMs },
            say: (line) => err.write(`${new Date().toISOString()} ${safeLine(line)}\n`),
          },
          drain.signal,
        )
        return worked.ok ? EXIT.done : worked
      } finally {
        process.off('SIGTERM', onSignal)
        process.off('SIGINT', onSignal)
      }
    },
  ),
  workers: inWorkspace(
    { all: flag('-a, --all', 'also those that left or were lost'), json: ONE_OBJECT },
    `
State: there, drains (finishes what it has), gone (no sign of life), left. Clock: how far its clock is off.

Exit status: 0, or 2 where the store is no Postgres.

Examples:
  espalier workers
  espalier workers --all --json`,
    async (here, { all }) => {
      const read = await readWorkers(here.workspace)
      if (!read.ok) return read
      const shown = read.value.filter(({ isThere }) => all || isThere)
      const lines = shown.length > 0 ? tableLines(COLUMNS, shown.map(rowOf), lookOf(here)) : []
      return {
        json: { workers: shown },
        lines,
        none: 'no workers: `espalier worker --server URL --token …` starts one',
      }
    },
  ),
}

function withoutToken({ ESPALIER_WORKER_TOKEN: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env
}

const COLUMNS = ['worker', 'state', 'busy', 'labels', 'heard', 'clock', 'version', 'host', 'doing']

function rowOf({
  name,
  slots,
  load,
  labels,
  resources,
  silentMs,
  skewMs,
  machine,
  doing,
  isThere,
  hasLeft,
}: FleetWorker) {
  const state = hasLeft ? 'left' : !isThere ? 'gone' : slots === 0 ? 'drains' : 'there'
  const has = [...labels, ...Object.entries(resources).map(([one, count]) => `${one}=${count}`)].join(',')
  const clock = Math.abs(skewMs) < 5_000 ? 'ok' : `${skewMs > 0 ? '+' : '-'}${formatDuration(Math.abs(skewMs))}`
  const cells = [
    name,
    state,
    isThere ? `${load}/${slots}` : '-',
    has || '-',
    `${formatDuration(Math.max(0, silentMs))} ago`,
    clock,
  ]
  return [...cells, machine.version, machine.host, doing.join(' ') || '-'].map(safeLine)
}
