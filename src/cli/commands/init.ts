import { readFile } from 'node:fs/promises'
import { agentNames, KNOWN_AGENTS } from '../../agents/list.ts'
import { type InstalledAgent, installedAgents } from '../../engine/doctor/agent-checks.ts'
import { sourceFile } from '../../files/package-file.ts'
import { refuse } from '../../problem.ts'
import { slug } from '../../text/slug.ts'
import { checkoutAround } from '../../workspace/workspace.ts'
import { call, flag, help, ONE_OBJECT } from '../command-line/command.ts'
import { filled } from '../command-line/flag-values.ts'
import { type FoundProject, inspectProject } from '../init/inspect-project.ts'
import { DEFAULT_PLAN } from '../inputs/find-plans.ts'
import { findRepository, topOfCheckout } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { writeInto } from '../terminal/write-page.ts'

export const commands = {
  init: call(
    {
      agent: flag('--agent <name>', 'the agent of the plan; default: one that is installed', filled('--agent')),
      search: flag('--search', 'write a search instead of a plan'),
      json: ONE_OBJECT,
    },
    help(
      `Looks at the repository (language, test command, installed agents) and writes a plan with one or two small tasks for
your agent: each may change only the files it claims, and is checked by a command that exists here. Nothing is run. An
existing file is never overwritten.`,
      '0 written, 2 not written.',
      'espalier init',
      'espalier init --agent codex',
    ),
    async (here, { agent, search }, file: string | undefined) => {
      const around = checkoutAround(here.cwd)
      if (around?.ok === false) return around
      return search ? initSearch(here, file ?? 'search.yaml') : initPlan(here, file, agent)
    },
    { args: ['default: espalier.yaml'] },
  ),
}

async function initPlan(
  surroundings: Surroundings,
  name: string | undefined,
  named: string | undefined,
): Promise<Done> {
  const { cwd, env, home, err } = surroundings
  const found = await findRepository(surroundings, {})
  if (!found.ok) return found
  const project = inspectProject(found.value.repo, env)
  const agents = installedAgents(found.value.settings, env, home)
  const { settings } = found.value
  const known = agentNames(settings)
  if (named !== undefined && !known.includes(named))
    return refuse(`there is no agent \`${named}\`: ${known.join(', ')}`)
  const agent = named ?? (settings.command === null ? (agents[0]?.name ?? null) : 'command')
  const file = name ?? DEFAULT_PLAN
  const trouble = await writeInto({ file, cwd, isOver: false }, starterPlan(project, agent))
  if (trouble) return refuse(trouble)
  if (topOfCheckout(cwd) === null)
    err.write(
      'This folder is not in a git repository. A run starts from a commit: `git init`, then commit something.\n',
    )
  const { test } = project
  const given = name === undefined ? '' : ` ${file}`
  const flag = agent === null ? " --command 'my-agent'" : ''
  const lines = [
    ...foundLines(project, agents),
    '',
    `Wrote ${file}: ${test === null ? '1 task' : '2 tasks'}${agent ? ` for ${agent}` : ''} to begin with; change them to what you need.`,
    ...(test === null ? [] : [`Before you start, \`${test}\` should pass: it checks the work.`]),
    ...(agent === null
      ? [`No agent was found: install one (${KNOWN_AGENTS.join(', ')}), or give a program of your own.`]
      : []),
    ...['', 'Next:', `  espalier plan check${given}`, `  espalier run${given}${flag}`, '  espalier land'],
  ]
  return { json: { file, agent, agents, ...project }, lines }
}

async function initSearch({ cwd }: Surroundings, file: string): Promise<Done> {
  const starter = await readFile(sourceFile('cli/init/search.yaml'), 'utf8')
  const trouble = await writeInto({ file, cwd, isOver: false }, starter)
  if (trouble) return refuse(trouble)
  const next = [`search check ${file}`, `search run ${file} --dry-run`, `search run ${file}`]
  return { json: { file }, lines: [`Wrote ${file}. Edit it, then:`, '', ...next.map((words) => `  espalier ${words}`)] }
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

function starterPlan(project: FoundProject, agent: string | null): string {
  return [head(project, agent), SAFETY, ...setup(project), 'tasks:', ...tasksOf(project)].join('\n')
}

function head({ name }: FoundProject, agent: string | null): string {
  const chosen = agent === null ? '# agent: claude' : `agent: ${agent}`
  return `# A plan for Espalier. Change the tasks to what you need, then \`espalier run\`.
# Every field is explained in docs/reference/plan.md of Espalier.

# The run's branch is espalier/${slug(name)}-1, then -2, and so on. Your own branches change only with \`espalier land\`.
name: ${plainScalar(slug(name))}

# Who does tasks with a prompt: ${KNOWN_AGENTS.join(', ')} (\`espalier doctor\` shows which are installed).
${chosen}
`
}

/** Quotes names such as `12` or `null`, which YAML would misread. */
function plainScalar(text: string): string {
  return /^[a-z][a-z0-9-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/.test(text) ? text : `"${text}"`
}

const SAFETY = `# How many tasks run at the same time, each in its own worktree.
maxConcurrency: 2

# What the run may cost in US dollars. No more tasks start after that.
budgetUsd: 2

# A task that changes files outside its \`claims\` fails, and its work does not land.
claims: enforce

# For tasks without a value of their own.
defaults:
  retries: 1
  timeout: 20m
`

function setup({ setup, keep }: FoundProject): string[] {
  if (setup.length === 0 && keep.length === 0) return []
  const lines = ['# Commands for each new worktree, and folders that stay between tasks.']
  if (setup.length > 0) lines.push(`setup: [${setup.join(', ')}]`)
  if (keep.length > 0) lines.push(`keep: [${keep.join(', ')}]`)
  return [...lines, '']
}

function tasksOf(project: FoundProject): string[] {
  return [readmeTask(project), ...(project.test === null ? [] : [testTask(project, project.test)]), ANOTHER]
}

function readmeTask({ readme }: FoundProject): string {
  const file = readme ?? 'README.md'
  const prompt = readme
    ? `Compare ${file} with the code. Correct statements that are wrong and commands that do not exist.
      Change only ${file}, and only what is wrong. If everything is right, change nothing.`
    : `Write ${file}: what this project is, how to build it and how to test it, in at most 40 lines.
      Say only what you find in the code.`
  return `  - id: readme
    title: ${readme ? 'Correct' : 'Write'} ${file}
    prompt: |
      ${prompt}
    # Paths it may write. Tasks whose claims overlap never run at the same time.
    claims: [${file}]
    # Commands that must pass before its work counts.
    verify: [test -s ${file}]
`
}

function testTask({ testPaths }: FoundProject, test: string): string {
  const claims = testPaths.map((path) => `"${path}"`).join(', ')
  return `  - id: test
    title: Test one thing that has no test
    prompt: |
      Find one small function or behaviour of this project that has no test, and write one test for it.
      Change no other code. If the new test shows a bug, remove the test and describe the bug in your last message.
    claims: [${claims}]
    verify: [${test}]
`
}

const ANOTHER = `  # A task that starts after another has landed, and a shell command instead of a prompt:
  # - id: format
  #   needs: [readme]
  #   run: npx prettier --write README.md
  #   claims: [README.md]
`
