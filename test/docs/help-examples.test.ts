// The examples of --help, typed one after the other in a repository that has what they name: none of them is refused.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { wholeCommandLine } from '../../src/cli/program.ts'
import type { Surroundings } from '../../src/cli/surroundings.ts'
import { espalierHere } from '../rig/espalier.ts'
import { temporaryFolder, write } from '../rig/repository.ts'
import { ROOT } from './pages.ts'

const BIN = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url))

let said = ''
const out = { write: (text: string) => (said += text), columns: 1_000 } as unknown as Surroundings['out']
const program = await wholeCommandLine({ version: '', out } as Surroundings)

/** Commands that do something, in the order of --help, with their examples. */
function examplesOf(command: Command, path: readonly string[] = []): [string, string[]][] {
  if (command.commands.length > 0) return command.commands.flatMap((one) => examplesOf(one, [...path, one.name()]))
  said = ''
  command.outputHelp()
  const [, block = ''] = said.split('\nExamples:\n')
  // What an example is for stands behind it, or on the lines below.
  const lines = block.split('\n').flatMap((line) => /^ {2}(\S.*?)(?: {2,}.*)?$/.exec(line)?.[1] ?? [])
  return [[path.join(' '), lines]]
}

const HAS_JQ = spawnSync('jq', ['--version']).status === 0

/** What is not typed works until it is stopped, needs a server, or a program that is not here. */
function isTyped(line: string): boolean {
  return !/^espalier (ui|serve|worker|workers)\b|--watch|postgres:/.test(line) && (HAS_JQ || !line.includes('jq'))
}

const AGENT = 'od -An -N4 -tx4 /dev/urandom > "$ESPALIER_TASK.txt"'
const SHOP = `name: checkout
agent: command
command: ${AGENT}
defaults: {retries: 0}
tasks:
  - {id: schema, run: od -An -N4 -tx4 /dev/urandom > schema.sql}
  - {id: users, prompt: Serve users, claims: [users.txt]}
  - {id: api, run: exit 1}
  - {id: docs, run: exit 1}
`
/** Its task \`schema\` waits for a person. */
const WAITING = `name: checkout
agent: command
command: ${AGENT}
landing: {conflict: manual}
tasks:
  - {id: users, prompt: Serve users}
  - {id: first, run: od -An -N4 -tx4 /dev/urandom > shared.txt}
  - {id: schema, run: sleep 0.5; od -An -N4 -tx4 /dev/urandom > shared.txt}
`
const SEARCH = `objective: a bigger number
ideas: ideas/*.md
evaluate: [{run: sh "$ESPALIER_IDEA"}]
score: {run: cat value.txt, goal: max}
depth: 1
`
const CONFIG = { '.espalier/config.yaml': 'agent: claude\n' }

/** Repositories, which stand beside each other. `shop` is that of every example that names no plan of another format. */
const REPOSITORIES: Record<string, Record<string, string>> = {
  shop: {
    ...CONFIG,
    ...{ 'espalier.yaml': SHOP, 'plan.yaml': SHOP, 'suite.yaml': 'entries: [{id: e2e, run: "true"}]\n' },
    ...{ 'search.yaml': SEARCH, 'ideas/one.md': 'echo 11 > value.txt\n', 'value.txt': '10\n' },
    ...{
      'docs/search.md': 'Search in the shop.\n',
      'docs/roadmap.md': 'First the schema.\n',
      'src/auth/login.ts': '\n',
    },
  },
  formats: {
    '.espalier/config.yaml': `agent: command\ncommand: ${AGENT}\n`,
    '.taskmaster/tasks/tasks.json': '{"billing": {"tasks": [{"id": 1, "title": "Bill", "status": "pending"}]}}',
  },
  fresh: { 'package.json': '{}' },
  api: { 'espalier.yaml': SHOP },
}
const OTHER_FORMATS = /tasks\.(md|json)|plan\.md|implementation_plan|\.claude|\.beads|docs\/plans/

function repositoryOf(line: string): string {
  if (line.startsWith('espalier init')) return 'fresh'
  if (line.endsWith(' .')) return 'api' // has one plan
  return OTHER_FORMATS.test(line) ? 'formats' : 'shop'
}

const SAMPLES = {
  'implementation-plan/specs/001-temperatures/implementation_plan.json': 'implementation_plan.json',
  'spec-kit/specs/001-word-count/tasks.md': 'tasks.md',
  'batch-plan/docs/plans/roman-numerals.md': 'plan.md',
  'batch-plan/docs/plans': 'docs/plans',
  'ccpm/.claude/epics/bookmarks': '.claude/epics/checkout',
  'beads/.beads': '.beads',
}
const PROGRAMS = {
  'my-agent': AGENT,
  claude: 'exit 3',
  codex: 'exit 3',
  gh: 'echo https://example.com/1',
  less: 'cat',
  browser: 'true',
  espalier: `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${BIN}' "$@"`,
}

/** Typed before the examples of a command. */
const BEFORE: Record<string, string> = {
  resume: `printf %s '${WAITING}' > waiting.yaml; espalier run waiting.yaml`,
  retry: 'espalier run',
  cancel: 'espalier run waiting.yaml',
  land: 'rm waiting.yaml; espalier run',
  status: 'espalier land checkout-7; espalier run; espalier land; espalier run',
  resolve: `printf %s '${WAITING}' > waiting.yaml; espalier run waiting.yaml`,
  clean: 'espalier run espalier.yaml',
  'plan new': 'rm -f plan.yaml search.yaml',
  'plan check': 'cp espalier.yaml plan.yaml',
  'expertise list': "espalier expertise add 'The schema is in one file.' --domain database",
}

test('every example of --help does something', async () => {
  await using desk = await temporaryFolder()
  const git = (repo: string, ...args: string[]) =>
    execFileSync('git', ['-C', desk.at(repo), '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { stdio: 'pipe' })
  for (const [repo, files] of Object.entries(REPOSITORIES)) {
    for (const [path, text] of Object.entries(files)) await write(desk.at(repo, path), text)
    if (repo === 'formats')
      for (const [from, to] of Object.entries(SAMPLES))
        cpSync(join(ROOT, 'examples', from), desk.at(repo, to), { recursive: true })
    git(repo, 'init', '-q', '-b', 'main')
    git(repo, 'add', '-A')
    git(repo, 'commit', '-qm', 'begin')
  }
  git('formats', 'branch', 'espalier/shop-1')
  execFileSync('git', ['clone', '-q', '--bare', desk.at('shop'), desk.at('origin.git')], { stdio: 'pipe' })
  git('shop', 'remote', 'add', 'origin', desk.at('origin.git'))
  mkdirSync(desk.at('home/.config/fish/completions'), { recursive: true })
  for (const [name, text] of Object.entries(PROGRAMS)) {
    await write(desk.at('bin', name), `#!/bin/sh\n${text}\n`)
    chmodSync(desk.at('bin', name), 0o755)
  }
  const { TMPDIR = '/tmp', NODE_COMPILE_CACHE = '' } = process.env
  const env = {
    ...{ TMPDIR, NODE_COMPILE_CACHE, PATH: `${desk.at('bin')}:${process.env.PATH}`, HOME: desk.at('home') },
    ...{ EDITOR: 'true', BROWSER: 'browser', NO_COLOR: '1' },
  }
  const type = (line: string, cwd: string) =>
    new Promise<{ status: number; told: string }>((resolve) => {
      const child = execFile('bash', ['-o', 'pipefail', '-c', line], { env, cwd }, (error, out, err) =>
        resolve({ status: error ? Number(error.code ?? 128) : 0, told: out + err }),
      )
      child.stdin?.end()
    })
  /** A line that needs no shell is typed in this process, which is quicker. */
  const espalier = async (line: string, cwd: string) => {
    if (/[|<>&$;(]/.test(line)) return await type(line, cwd)
    const words = (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
    const { PATH: path, HOME: home, ...more } = env
    const { status, out, err } = await espalierHere(cwd, words.slice(1), { path, home, env: { ...more } })
    return { status: status ?? 0, told: out + err }
  }
  const json = async (...words: string[]) =>
    JSON.parse((await espalierHere(desk.at('shop'), [...words, '--json'], { home: env.HOME })).out)

  const typed = new Set<string>()
  const refused: string[] = []
  for (const [command, examples] of examplesOf(program)) {
    const wanted = examples.filter((line) => !typed.has(line) && isTyped(line))
    if (wanted.length > 0 && BEFORE[command]) {
      const { run } = (await json('status').catch(() => ({}))) as { run?: string }
      await type(BEFORE[command].replace('checkout-7', run ?? ''), desk.at('shop'))
    }
    for (const line of wanted) {
      typed.add(line)
      let real = line
      if (line.includes('checkout-7')) real = line.replace('checkout-7', (await json('status')).run)
      if (line.includes('3f2a')) {
        const [domain] = (await json('expertise', 'list')).domains
        real = line.replace(/3f2a\w*/, domain.lessons[0].id)
      }
      if (line.includes('1f3c9ab')) real = line.replace('1f3c9ab', 'HEAD')
      if (command === 'init') await type('rm -f espalier.yaml', desk.at('fresh'))
      const { status, told } = await espalier(real, desk.at(repositoryOf(line)))
      if (![0, 1, 3].includes(status) || /error: /.test(told)) refused.push(`${real}: ${status}\n${told}`)
    }
  }
  assert.deepEqual(refused, [])
  assert.ok(typed.size > 80, `${typed.size} examples`)
})
