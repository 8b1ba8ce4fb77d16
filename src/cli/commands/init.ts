import { agentNames } from '../../agents/known-agents.ts'
import { KNOWN_AGENTS } from '../../agents/list.ts'
import { type InstalledAgent, installedAgents } from '../../engine/doctor/agent-checks.ts'
import { refuse } from '../../problem.ts'
import type { Commands } from '../command-line/calls.ts'
import { filled } from '../command-line/flag-values.ts'
import { help, withArguments } from '../command-line/flags.ts'
import { EXIT } from '../exit-status.ts'
import { type FoundProject, lookAtProject } from '../init/project.ts'
import { starterPlan } from '../init/starter-plan.ts'
import { DEFAULT_PLAN } from '../inputs/find-plans.ts'
import { findRepository, topOfCheckout } from '../inputs/repository.ts'
import { STARTER_SEARCH } from '../plan/starter-search.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson } from '../terminal/print.ts'
import { writeInto } from '../terminal/write-page.ts'

export const commands: Commands = {
  init: (command, { call }) =>
    withArguments(command, 'default: espalier.yaml')
      .option('--agent <name>', 'the agent of the plan; default: one that is installed', filled('--agent'))
      .option('--search', 'write a search instead of a plan')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(call(init)),
}

type Flags = { agent?: string; search?: boolean; json?: boolean }

export async function init(name: string | undefined, flags: Flags, surroundings: Surroundings): Promise<Done> {
  if (flags.search) return initSearch(name ?? 'search.yaml', flags, surroundings)
  const { cwd, env, home, out, err } = surroundings
  const found = await findRepository(surroundings, {})
  if (!found.ok) return found
  const project = lookAtProject(found.value.repo, env)
  const agents = installedAgents(found.value.settings, env, home)
  const { settings } = found.value
  const known = agentNames(settings)
  if (flags.agent !== undefined && !known.includes(flags.agent))
    return refuse(`there is no agent \`${flags.agent}\`: ${known.join(', ')}`)
  const agent = flags.agent ?? (settings.command === null ? (agents[0]?.name ?? null) : 'command')
  const file = name ?? DEFAULT_PLAN
  const trouble = await writeInto({ file, cwd, isOver: false }, starterPlan(project, agent))
  if (trouble) return refuse(trouble)
  if (flags.json) return printJson({ file, agent, agents, ...project }, surroundings)
  const tasks = project.test === null ? '1 task' : '2 tasks'
  out.write(
    `${foundLines(project, agents).join('\n')}\n\nWrote ${file}: ${tasks}${agent ? ` for ${agent}` : ''} to begin with; change them to what you need.\n`,
  )
  if (project.test !== null) out.write(`Before you start, \`${project.test}\` should pass: it checks the work.\n`)
  if (agent === null)
    out.write(`No agent was found: install one (${KNOWN_AGENTS.join(', ')}), or give a program of your own.\n`)
  const given = name === undefined ? '' : ` ${file}`
  const flag = agent === null ? " --command 'my-agent'" : ''
  out.write(`\nNext:\n  espalier plan check${given}\n  espalier run${given}${flag}\n  espalier land\n`)
  if (topOfCheckout(cwd) === null)
    err.write(
      '\nThis folder is not in a git repository. A run starts from a commit: `git init`, then commit something.\n',
    )
  return EXIT.done
}

async function initSearch(file: string, { json }: Flags, surroundings: Surroundings): Promise<Done> {
  const trouble = await writeInto({ file, cwd: surroundings.cwd, isOver: false }, STARTER_SEARCH)
  if (trouble) return refuse(trouble)
  if (json) return printJson({ file }, surroundings)
  const next = [`search check ${file}`, `search run ${file} --dry-run`, `search run ${file}`]
  surroundings.out.write(`Wrote ${file}. Edit it, then:\n\n${next.map((words) => `  espalier ${words}\n`).join('')}`)
  return EXIT.done
}

function foundLines({ name, language, test, missing }: FoundProject, agents: readonly InstalledAgent[]): string[] {
  const tested = missing
    ? `none found (\`${missing.test}\` needs ${missing.program}, which is not on the PATH)`
    : 'none found'
  const installed = agents.map(({ name, isLoggedIn }) =>
    isLoggedIn ? name : `${name} (no login found: start \`${name}\` once and log in, or set its key)`,
  )
  const none = `none found. Install one (${KNOWN_AGENTS.join(', ')}), or use any program: espalier run --command PROGRAM`
  return [
    `Repository  ${name}`,
    `Language    ${language ?? 'unknown'}`,
    `Tests       ${test ?? tested}`,
    `Agents      ${installed.join(', ') || none}`,
  ]
}

const HELP = help(
  `Looks at the repository (language, test command, installed agents) and writes a plan with one or two small tasks for
your agent: each may change only the files it claims, and is checked by a command that exists here. Nothing is run. An
existing file is never overwritten.`,
  '0 written, 2 not written.',
  'espalier init',
  'espalier init --agent codex',
)
