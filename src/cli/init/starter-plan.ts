// What `espalier init` writes: a small plan for the agent and the repository that were found. Every task may change only
// the files it claims, has a check that exists here, and reaches no branch of the user's before `espalier land`.
import { KNOWN_AGENTS } from '../../agents/list.ts'
import { slug } from '../../text/slug.ts'
import type { FoundProject } from './project.ts'

/** `agent`: null if none is known. */
export function starterPlan(project: FoundProject, agent: string | null): string {
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

/** A name such as `12` or `null` would be read as something else. */
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
