// The list of commands. To add one, write its file, with flags, help text and action, and a row here. The file is loaded when the
// command is called.
import type { Commands } from './command-line/command.ts'

/** Words and arguments of a command, its line in --help, and its file; a group has no file, and runs `list` by default. */
type Row = readonly [usage: string, description: string, load?: () => Promise<{ commands: Commands }>]

// Files of several commands, and of commands with long lines.
const claims = () => import('./commands/claims.ts')
const expertise = () => import('./commands/expertise.ts')
const tokens = () => import('./commands/server/tokens.ts')
const projects = () => import('./commands/server/projects.ts')
const searchView = () => import('./search/show.ts')
const planShow = () => import('./commands/plan-show.ts')
const planSimulate = () => import('./commands/plan-simulate.ts')

/** Commands by their heading in --help, in this order. */
export const COMMANDS: Readonly<Record<string, readonly Row[]>> = {
  'Run:': [
    ['run [plan...]', 'run a plan', () => import('./commands/run.ts')],
    ['resume [run]', 'continue a run', () => import('./commands/resume.ts')],
    ['retry [task...]', 'retry what did not succeed', () => import('./commands/resume.ts')],
    ['cancel [task]', 'cancel a run or one task of it', () => import('./commands/cancel.ts')],
    ['land [run]', 'bring the result of a run onto your branch', () => import('./commands/land.ts')],
    ['suite', 'run tests in parallel, each in a worktree of its own'],
    ['suite run [file...]', 'run a suite', () => import('./suite/run.ts')],
    ['suite check [file...]', 'check a suite, and say what would run', () => import('./suite/run.ts')],
    ['suite status [run]', 'show a run of a suite: entries and workers', () => import('./suite/status-and-history.ts')],
    ['suite history [entry]', 'show how an entry fared over time', () => import('./suite/status-and-history.ts')],
    ['suite init [file]', 'write a suite for this project', () => import('./suite/init.ts')],
    ['search', 'try ideas in parallel, score them and keep the best'],
    ['search run <file>', 'run a search', () => import('./search/run.ts')],
    ['search check <file>', 'check a search', () => import('./search/run.ts')],
    ['search show [run]', 'show a search: every eval, and why it was promoted or not', searchView],
    ['search status [run]', 'show how far a search is', searchView],
    ['search best [run]', 'show the best node of a search', searchView],
    ['search compare <a> <b>', 'compare two nodes, evals or searches', searchView],
  ],
  'Look:': [
    ['status [run]', 'show run status', () => import('./commands/status.ts')],
    ['ui', 'open the dashboard in a browser', () => import('./commands/server/serve.ts')],
    ['show <task>', 'show one task: status and why, what it waits for, attempts', () => import('./task/show.ts')],
    ['logs [task...]', 'print the output of tasks', () => import('./task/logs.ts')],
    ['diff <task>', 'show what a task changed', () => import('./task/diff.ts')],
    ['report [run]', 'write a report of a run', () => import('./commands/report.ts')],
    ['open <task>', 'check out the work of a task and print its path', () => import('./task/open.ts')],
    ['sessions', 'list the sessions of agents, with tokens and cost', () => import('./commands/sessions.ts')],
    ['trace <task-or-commit>', 'show where a task or commit comes from', () => import('./commands/trace.ts')],
    ['models', 'show models, their results, and which were chosen for tasks', () => import('./commands/models.ts')],
  ],
  'Plan:': [
    ['plan', 'create, check, convert and show plans without running them'],
    ['plan new <objective>', 'let an agent write a plan for an objective', () => import('./commands/plan-new.ts')],
    ['plan check [file...]', 'check a plan', () => import('./commands/plan-check.ts')],
    ['plan convert [file...]', "print a plan in Espalier's own format", () => import('./commands/plan-convert.ts')],
    ['plan show [file...]', 'show batches, waves, critical path and times of a plan', planShow],
    ['plan simulate [file...]', 'simulate a plan with 1, 2, 4 … workers: time and cost', planSimulate],
    ['prompt <task> [plan]', 'print the prompt of a task', () => import('./commands/prompt.ts')],
    ['claims', 'show which task has reserved which files, or reserve some yourself'],
    ['claims list', 'list who holds what, and who waits for it', claims],
    ['claims check <path...>', 'ask whether paths are free to be changed', claims],
    ['claims hold <glob...>', 'keep agents out of files you edit', claims],
    ['claims release [glob...]', 'release what you hold', claims],
    ['expertise', 'show and change what agents have learned'],
    ['expertise list [domain]', 'list lessons, the most trusted first', expertise],
    ['expertise show <id>', 'show a lesson and where it was seen', expertise],
    ['expertise edit <id>', 'change the text or the confidence of a lesson', expertise],
    ['expertise add <text>', 'add a lesson yourself', expertise],
    ['expertise export', 'write all lessons to a Markdown file', expertise],
  ],
  'Fix:': [
    ['resolve [task]', 'resolve a conflict that waits for you', () => import('./commands/resolve.ts')],
    ['doctor', 'check that this machine and repository are ready', () => import('./commands/doctor.ts')],
    ['clean', 'remove what finished runs left behind', () => import('./commands/clean.ts')],
  ],
  'Set up:': [
    ['init [file]', 'write a first plan for this repository', () => import('./commands/init.ts')],
    ['config [plan]', 'show the current settings and where they come from', () => import('./commands/config.ts')],
    ['demo [what]', 'run a small plan, or a search, on a throw-away repository', () => import('./commands/demo.ts')],
    ['serve', 'serve runs over HTTP, for programs and browsers', () => import('./commands/server/serve.ts')],
    ['worker', 'let this machine execute tasks for a server', () => import('./commands/server/worker.ts')],
    ['workers', 'list workers', () => import('./commands/server/workers.ts')],
    ['tokens', 'manage access tokens of the server'],
    ['tokens list', 'list tokens and logged-in browsers', tokens],
    ['tokens create <name>', 'make a token and print it, once', tokens],
    ['tokens revoke <token>', 'revoke a token or log a browser out, at once', tokens],
    ['projects', 'manage the repositories of the server'],
    ['projects list', 'list them', projects],
    ['projects add [dir]', 'add a repository', projects],
    ['projects remove <project>', 'take a repository out of the list; nothing of it is removed', projects],
    ['mcp', 'MCP server for the agents of a run (stdin and stdout)', () => import('./commands/mcp.ts')],
    ['completion <shell>', 'print a completion script for your shell', () => import('./commands/completion.ts')],
    ['store', 'set up the database that records runs'],
    ['store migrate [store]', 'prepare a store, or bring it up to date', () => import('./store/store.ts')],
    ['help [command...]', 'explain a command', () => import('./commands/help.ts')],
  ],
}
