// Every command prints JSON for programs, an object that says its version, or is named here with the reason why not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { wholeCommandLine } from '../../src/cli/program.ts'
import type { Surroundings } from '../../src/cli/surroundings.ts'
import { JSON_VERSION } from '../../src/text/json.ts'
import { espalierHere } from '../rig/espalier.ts'
import { makeRepository } from '../rig/repository.ts'
import { FILES, SMALLEST } from '../rig/search.ts'

const WITHOUT_JSON: Readonly<Record<string, string>> = {
  help: 'explains a command to people',
  completion: 'prints a script for a shell',
  demo: 'is a demonstration for people',
  mcp: 'speaks a protocol of its own in JSON',
  worker: 'works until it is stopped; `workers --json` says what it does',
  ui: 'opens a page in a browser; `serve --json` is for programs',
}

const commands = leaves(await wholeCommandLine({ version: '' } as Surroundings))

function leaves(command: Command, path: readonly string[] = []): { name: string; hasJson: boolean }[] {
  if (command.commands.length === 0)
    return [{ name: path.join(' '), hasJson: command.options.some(({ long }) => long === '--json') }]
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
}

test('each command has --json, or a reason to have none', () => {
  for (const { name, hasJson } of commands) assert.equal(hasJson, !(name in WITHOUT_JSON), name)
})

const PLAN = `
name: shop
defaults: {retries: 0}
landing: {conflict: manual}
tasks:
  - {id: cart, run: "echo adding; echo cart > shared.txt"}
  - {id: till, run: "echo till > shared.txt"}
  - {id: broken, run: "exit 3"}
`
const SUITE = 'entries:\n  - {id: test, run: "true"}\n'

/** In this order, in one repository. Words in capitals stand for a name that an earlier command has printed. */
const CALLS: readonly (readonly [name: string, ...args: string[]])[] = [
  ['init', '../new.yaml'],
  ['suite init', '../suite.yaml'],
  ['plan check', 'espalier.yaml'],
  ['plan convert', 'espalier.yaml'],
  ['plan show', 'espalier.yaml'],
  ['plan simulate', 'espalier.yaml'],
  ['prompt', 'ask', 'asks.yaml'],
  ['config'],
  ['doctor'],
  ['run'],
  ['status'],
  ['show', 'till'],
  ['logs', 'cart'],
  ['diff', 'cart'],
  ['open', 'cart'],
  ['report'],
  ['sessions'],
  ['trace', 'cart'],
  ['models'],
  ['claims list'],
  ['claims check', 'shared.txt'],
  ['claims hold', 'docs/**'],
  ['claims release', 'docs/**'],
  ['resolve', 'CONFLICT'],
  ['cancel', 'CONFLICT'],
  ['resume'],
  ['retry', 'broken'],
  ['land'],
  ['expertise add', 'The tests need a database.'],
  ['expertise list'],
  ['expertise show', 'LESSON'],
  ['expertise edit', 'LESSON', '--confidence', '0.4'],
  ['expertise export', '-o', '../lessons.md'],
  ['suite check', 'suite.yaml'],
  ['suite run', 'suite.yaml'],
  ['suite status'],
  ['suite history'],
  ['search check', 'search.yaml'],
  ['search run', 'search.yaml'],
  ['search show'],
  ['search status'],
  ['search best'],
  ['search compare', 'root', 'root-1'],
  ['tokens create', 'ci'],
  ['tokens list'],
  ['tokens revoke', 'ci'],
  ['projects add'],
  ['projects list'],
  ['projects remove', 'repo'],
  ['clean', '--dry-run'],
  ['store migrate'],
]

/** Their JSON is tested with the server, with real agents and with a database. */
const ELSEWHERE = new Set(['serve', 'plan new', 'workers'])

/** Of a plan in the plan's own format. */
const OWN_VERSION = new Set(['plan convert'])

test('what a command prints with --json is an object with its version', async () => {
  const called = new Set([...CALLS.map(([name]) => name), ...ELSEWHERE, ...Object.keys(WITHOUT_JSON)])
  assert.deepEqual(commands.map(({ name }) => name).sort(), [...called].sort(), 'all are called')
  const files = {
    ...FILES,
    'shared.txt': 'none\n',
    'ideas/a.md': 'true\n',
    'search.yaml': SMALLEST,
    'suite.yaml': SUITE,
  }
  const asks = 'tasks: [{id: ask, prompt: Do it., agent: claude}]\n'
  await using repository = await makeRepository({ files: { ...files, 'espalier.yaml': PLAN, 'asks.yaml': asks } })
  const names: Record<string, string> = {}
  for (const [name, ...args] of CALLS) {
    const words = [...name.split(' '), ...args.map((word) => names[word] ?? word), '--json']
    const { out, err } = await espalierHere(repository.top, words, { home: repository.path })
    assert.notEqual(out, '', `${words.join(' ')}: ${err}`)
    const isOneObject = isJson(out)
    const lines = isOneObject ? [out] : out.trimEnd().split('\n')
    const [first] = lines.map((line) => JSON.parse(line))
    if (!OWN_VERSION.has(name)) assert.equal(first.version, JSON_VERSION, words.join(' '))
    if (name === 'status')
      names.CONFLICT = first.tasks.find(({ status }: { status: string }) => status === 'conflict').id
    if (name === 'expertise add') names.LESSON = first.lesson.id
  }
})

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

test('a refusal with --json is one line of JSON on stderr, each problem with its place', async () => {
  await using repository = await makeRepository({
    files: { 'broken.yaml': 'tasks:\n  - {id: a, run: x, needs: [b]}\n' },
  })
  const { out, err, status } = await espalierHere(repository.top, ['run', 'broken.yaml', '--json'])
  const { version, problems } = JSON.parse(err.trim().split('\n').at(-1) ?? '')
  assert.deepEqual([out, status, version, problems.length], ['', 2, JSON_VERSION, 1])
  const [{ file, line, severity, message }] = problems
  assert.deepEqual([file, line, severity], ['broken.yaml', 2, 'error'])
  assert.match(message, /b/)
})
