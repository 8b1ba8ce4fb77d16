import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { runProgram } from '../../src/cli/program.ts'
import type { Surroundings } from '../../src/cli/surroundings.ts'
import { palette } from '../../src/cli/terminal/palette.ts'
import { FakeTerminal } from './fake-terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'espalier-cli-'))
after(() => rmSync(folder, { recursive: true }))

async function espalier(...args: string[]) {
  const [out, err] = [new FakeTerminal(200), new FakeTerminal(200)]
  const [outPalette, errPalette] = [palette(false), palette(false)]
  const surroundings: Omit<Surroundings, 'version' | 'resources'> = {
    out: out.output,
    err: err.output,
    env: {},
    cwd: folder,
    home: folder,
    live: false,
    outPalette,
    errPalette,
  }
  const status = await runProgram(['node', 'espalier', ...args], '1.2.3', surroundings)
  return { status, out: out.screen.join('\n'), err: err.screen.join('\n') }
}

test('each row of the list of commands names a command of its file', async () => {
  for (const [usage, , load] of Object.values(COMMANDS).flat()) {
    const name =
      usage
        .split(' ')
        .filter((word) => /^\w/.test(word))
        .at(-1) ?? ''
    const file = await load?.()
    assert.ok(!file || Object.hasOwn(file.commands, name), usage)
  }
})

const commands = [
  ['run'],
  ['resume'],
  ['status'],
  ['cancel'],
  ['claims', 'list'],
  ['claims', 'check'],
  ['claims', 'hold'],
  ['claims', 'release'],
  ['resolve'],
  ['show'],
  ['diff'],
  ['logs'],
  ['sessions'],
  ['trace'],
  ['report'],
  ['land'],
  ['clean'],
  ['plan', 'new'],
  ['plan', 'check'],
  ['plan', 'convert'],
  ['plan', 'show'],
  ['plan', 'simulate'],
  ['prompt'],
  ['expertise', 'list'],
  ['expertise', 'show'],
  ['expertise', 'edit'],
  ['expertise', 'add'],
  ['expertise', 'export'],
  ['models'],
  ['doctor'],
  ['mcp'],
  ['init'],
  ['config'],
  ['demo'],
]
for (const command of commands) {
  test(`espalier ${command.join(' ')} --help explains the exit status`, async () => {
    const { status, out, err } = await espalier(...command, '--help')
    assert.equal(status, 0)
    assert.match(out, /^Usage: espalier /)
    assert.match(out, /Exit status:/)
    assert.equal(err, '')
  })
}

test('espalier --help lists every command in a group of its own', async () => {
  const { status, out } = await espalier('--help')
  assert.equal(status, 0)
  for (const [name] of commands) assert.match(out, new RegExp(`^  ${name} `, 'm'))
  const headings = [...out.matchAll(/^([A-Z][a-z ]+:)$/gm)].map((match) => match[1])
  assert.deepEqual(headings, ['Options:', ...Object.keys(COMMANDS), 'Examples:'])
})

test('rare flags of run are explained by --help --all alone, and work without it', async () => {
  const [short, all] = [await espalier('run', '--help'), await espalier('run', '--help', '--all')]
  assert.match(short.out, /--budget-usd[\s\S]*More flags: espalier run --help --all/)
  assert.doesNotMatch(short.out, /^ {2}--on-budget/m)
  assert.match(all.out, /^ {2}--on-budget/m)
  assert.doesNotMatch(all.out, /More flags/)
  assert.equal((await espalier('help', 'run', '--all')).out, all.out)
  assert.match((await espalier('run', '--on-budget', 'maybe')).err, /Allowed choices are/)
})

test('the examples of --help use only flags that it explains, and no default is written as code', async () => {
  for (const name of ['run', 'resume', 'retry', 'ui', 'serve', 'worker']) {
    const { out } = await espalier(name, '--help')
    const [flags = '', examples = ''] = out.split('Examples:\n')
    for (const [flag] of examples.matchAll(/--[a-z][a-z-]+/g))
      if (flag !== '--help' && flag !== '--all')
        assert.match(flags, new RegExp(`^ +(-\\w, )?${flag}\\b`, 'm'), `${name} ${flag}`)
    assert.doesNotMatch(out, /default: [[{]/, name)
  }
})

test('espalier help explains commands of two words, too', async () => {
  for (const words of [['plan', 'simulate'], ['plan'], ['claims', 'hold'], []]) {
    const { status, out } = await espalier('help', ...words)
    assert.equal(status, 0)
    assert.deepEqual(out, (await espalier(...words, '--help')).out)
  }
  assert.match((await espalier('help')).out, /^ {2}help \[command\.\.\.\] +explain a command$/m)
})

const misuses: { args: string[]; says: RegExp }[] = [
  { args: [], says: /Usage: espalier/ },
  { args: ['rum'], says: /unknown command 'rum'[\s\S]*Did you mean run/ },
  { args: ['help', 'plan', 'shwo'], says: /unknown command 'plan shwo'/ },
  { args: ['run', '--what'], says: /unknown option '--what'/ },
  { args: ['run', 'a.yaml', 'b.yaml'], says: /is not inside a git repository/ },
  { args: ['run', '-j', '0'], says: /whole number, 1 to 1000/ },
  { args: ['run', '-j', '1e3'], says: /whole number/ },
  { args: ['run', '--timeout', 'soon'], says: /90s, 30m or 2h/ },
  { args: ['run', '--timeout', '30d'], says: /at most 24d/ },
  { args: ['tokens', 'create', 'ci', '--expires', '5000d'], says: /at most 3650d/ },
  { args: ['run', '--schedule', 'lazy'], says: /Allowed choices are eager, waves/ },
  { args: ['run', '--command', ''], says: /--command is empty/ },
  { args: ['resume', '--command', ' '], says: /--command is empty/ },
  { args: ['resume', '--schedule', 'waves'], says: /unknown option '--schedule'/ },
  { args: ['expertise', 'edit', '3f2a', '--confidence', '2'], says: /a number from 0 to 1/ },
  { args: ['show'], says: /missing required argument 'task'/ },
  { args: ['logs', 'a', 'b', '--attempt', '2'], says: /is not inside a git repository/ },
  { args: ['completion', 'tcsh'], says: /Allowed choices are bash, zsh, fish/ },
  { args: ['trace'], says: /missing required argument 'task-or-commit'/ },
  { args: ['report', '--html', 'shop-1'], says: /must end in \.html\. A plan or a run goes before --html/ },
  { args: ['report', '--html', '--json'], says: /'--html \[file\]' cannot be used with option '--json'/ },
  { args: ['report', '--html', 'a.html', '-o', 'b.html'], says: /cannot be used with option '-o, --output <file>'/ },
]
for (const { args, says } of misuses) {
  test(`espalier ${args.join(' ')}: exit status 2 and what is wrong`, async () => {
    const { status, out, err } = await espalier(...args)
    assert.equal(status, 2)
    assert.equal(out, '')
    assert.match(err, says)
  })
}
