import { mkdirSync } from 'node:fs'
import { arch, hostname, platform } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_SETTINGS } from '../../../config.ts'
import { installedAgents } from '../../../engine/doctor/agent-checks.ts'
import { runWorker } from '../../../fleet/load-fleet.ts'
import { refuse } from '../../../problem.ts'
import { ID_PATTERN } from '../../../task.ts'
import { safeLine } from '../../../text/safe.ts'
import { slug } from '../../../text/slug.ts'
import { call, flag } from '../../command-line/command.ts'
import { filled, labels, resources, wholeNumber } from '../../command-line/flag-values.ts'
import { EXIT } from '../../exit-status.ts'

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
}

function withoutToken({ ESPALIER_WORKER_TOKEN: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env
}
