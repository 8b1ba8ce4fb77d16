import { diagnose } from '../../engine/doctor/doctor.ts'
import type { DoctorCheck } from '../../engine/doctor/doctor-check.ts'
import { workerChecks } from '../../fleet/worker-checks.ts'
import { count } from '../../text/figures.ts'
import { hanging, padEnd, widest, wrap } from '../../text/width.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, withRepository } from '../command-line/flags.ts'
import { EXIT } from '../exit-status.ts'
import type { InRepository } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { width } from '../surroundings.ts'
import { printJson } from '../terminal/print.ts'

export const commands: Commands = {
  doctor: (command, { inRepository }) =>
    withRepository(command)
      .option('--fix', 'end processes that killed engines left running')
      .option('--probe', 'ask each installed agent for one word, which costs a little')
      .option('--json', 'print the checks as JSON')
      .addHelpText('after', HELP)
      .action(inRepository(doctor)),
}

type Flags = { json?: boolean; fix?: boolean; probe?: boolean }

async function doctor(flags: Flags, here: InRepository): Promise<Done> {
  const { repo, stateDir, settings } = here
  const { fix, probe } = flags
  const checks = [
    ...(await diagnose({ repo, stateDir, fix, probe, settings, environment: here.env })),
    ...(await checksOfWorkers(here)),
  ]
  const failed = checks.filter(({ state }) => state === 'fail').length
  const warned = checks.filter(({ state }) => state === 'warn').length
  const status = failed === 0 ? EXIT.done : EXIT.failed
  const { out, outPalette: palette } = here
  if (flags.json) {
    printJson({ checks }, here)
    return status
  }
  const signs = { ok: palette.good('✓'), warn: palette.busy('!'), fail: palette.bad('✗') }
  const nameWidth = widest(checks.map(({ name }) => name))
  for (const { name, state, message, fix } of checks) {
    const below = ' '.repeat(nameWidth + 4)
    const [first = '', ...rest] = wrap(message, width(out) - 1 - below.length)
    out.write(
      `${signs[state]} ${padEnd(name, nameWidth)}  ${first}\n${rest.map((line) => `${below}${line}\n`).join('')}`,
    )
    if (!fix) continue
    const lines = hanging(`→ ${fix}`, width(out) - 1 - below.length, 2)
    out.write(lines.map((line) => `${below}${palette.dim(line)}\n`).join(''))
  }
  out.write(`\n${verdict(checks, failed, warned)}\n`)
  return status
}

async function checksOfWorkers(here: InRepository): Promise<DoctorCheck[]> {
  const { repo, stateDir, store, settings, version } = here
  const opened = await openWorkspace({ repo, stateDir, store })
  if (!opened.ok) return []
  await using workspace = opened.value
  return workerChecks(workspace, { version, agent: settings.agent })
}

function verdict(checks: readonly DoctorCheck[], failed: number, warned: number): string {
  if (failed > 0) return `${count(failed, 'problem')} to fix`
  const hasAgent = checks.some(({ isReadyAgent }) => isReadyAgent)
  const ready = hasAgent
    ? 'ready to run'
    : 'ready for tasks that run a command (`run:`), not for tasks with a `prompt:`, because no agent is ready'
  return warned > 0 ? `${ready} (${count(warned, 'warning')})` : ready
}

const HELP = help(
  `Checks Node, git, the repository and the state folder, and says how to fix each problem. Shows which agents are
installed and whether they are logged in, the size of the state folder, and which runs \`history\` keeps. Of workers: whether
each is heard of, its clock, its version and its agents.`,
  '0 ready to run, 1 there are problems to fix.',
)
