import type { DoctorCheck } from '../../engine/doctor/agent-checks.ts'
import { diagnose } from '../../engine/doctor/doctor.ts'
import { workerChecks } from '../../fleet/worker-checks.ts'
import { count } from '../../text/figures.ts'
import { hanging, padEnd, widest, wrap } from '../../text/width.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { flag, help, inRepository } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import type { InRepository } from '../inputs/repository.ts'
import { width } from '../surroundings.ts'

export const commands = {
  doctor: inRepository(
    {
      fix: flag('--fix', 'end processes that killed engines left running'),
      probe: flag('--probe', 'ask each installed agent for one word, which costs a little'),
      json: flag('--json', 'print the checks as JSON'),
    },
    help(
      `Checks Node, git, the repository and the state folder, and says how to fix each problem. Shows which agents are
installed and whether they are logged in, the size of the state folder, and which runs \`history\` keeps. Of workers: whether
each is heard of, its clock, its version and its agents.`,
      '0 ready to run, 1 there are problems to fix.',
    ),
    async (here, { fix, probe }) => {
      const { repo, stateDir, settings, env: environment } = here
      const checks = [
        ...(await diagnose({ repo, stateDir, fix, probe, settings, environment })),
        ...(await checksOfWorkers(here)),
      ]
      const isReady = checks.every(({ state }) => state !== 'fail')
      return { json: { checks }, lines: checkLines(checks, here), status: isReady ? EXIT.done : EXIT.failed }
    },
  ),
}

function checkLines(checks: readonly DoctorCheck[], { out, outPalette: palette }: InRepository): string[] {
  const signs = { ok: palette.good('✓'), warn: palette.busy('!'), fail: palette.bad('✗') }
  const nameWidth = widest(checks.map(({ name }) => name))
  const below = ' '.repeat(nameWidth + 4)
  const room = width(out) - 1 - below.length
  const lines = checks.flatMap(({ name, state, message, fix }) => {
    const [first = '', ...rest] = wrap(message, room)
    const way = fix ? hanging(`→ ${fix}`, room, 2).map((line) => palette.dim(line)) : []
    return [`${signs[state]} ${padEnd(name, nameWidth)}  ${first}`, ...[...rest, ...way].map((line) => below + line)]
  })
  return [...lines, '', verdict(checks)]
}

async function checksOfWorkers(here: InRepository): Promise<DoctorCheck[]> {
  const { repo, stateDir, store, settings, version } = here
  const opened = await openWorkspace({ repo, stateDir, store })
  if (!opened.ok) return []
  await using workspace = opened.value
  return workerChecks(workspace, { version, agent: settings.agent })
}

function verdict(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter(({ state }) => state === 'fail').length
  const warned = checks.filter(({ state }) => state === 'warn').length
  if (failed > 0) return `${count(failed, 'problem')} to fix`
  const hasAgent = checks.some(({ isReadyAgent }) => isReadyAgent)
  const ready = hasAgent
    ? 'ready to run'
    : 'ready for tasks that run a command (`run:`), not for tasks with a `prompt:`, because no agent is ready'
  return warned > 0 ? `${ready} (${count(warned, 'warning')})` : ready
}
