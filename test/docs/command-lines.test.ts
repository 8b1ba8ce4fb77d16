// Every command and flag that the documentation names exists.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { runProgram } from '../../src/cli/program.ts'
import { palette } from '../../src/cli/terminal/palette.ts'
import { blocksOf, coded, pageNames, proseOf, tableOf } from './pages.ts'

type Named = { command: string; flags: string[]; where: string }

async function helpOf(...command: string[]): Promise<string> {
  let text = ''
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const plain = { outPalette: palette(false), errPalette: palette(false) }
  const around = { out, err: out, env: {}, cwd: '/', home: '/', live: false, ...plain }
  await runProgram(['node', 'espalier', ...command, '--help'], '0.0.0', around)
  return text
}

/** Names in the list of commands of a help text. */
function commandsIn(help: string): string[] {
  const list = help.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? ''
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1] ?? '')
}

function flagsIn(help: string): Set<string> {
  const list = help.split('\nOptions:\n')[1]?.split('\n\n')[0] ?? ''
  return new Set([...list.matchAll(/(?<=^ {2}|, )--?[A-Za-z][a-z-]*/gm)].map((match) => match[0]))
}

async function realCommands(): Promise<Map<string, Set<string>>> {
  const commands = new Map<string, Set<string>>()
  for (const name of commandsIn(await helpOf()).filter((one) => one !== 'help')) {
    const help = await helpOf(name)
    const inner = commandsIn(help).filter((one) => one !== 'help')
    if (inner.length === 0) commands.set(name, flagsIn(help))
    for (const one of inner) commands.set(`${name} ${one}`, flagsIn(await helpOf(name, one)))
  }
  return commands
}

/** `espalier run plan.yaml -j 4`: quoted parts, comments and what a pipe leads to are not Espalier's. */
function parse(text: string, where: string): Named | null {
  const line = text.replace(/'[^']*'|"[^"]*"/g, '').replace(/\s#.*$/, '')
  const [, said = ''] = /(?:^|\s)espalier ([^|>;&]*)/.exec(line) ?? []
  const words = said.split(/\s+/).filter((word) => word !== '')
  const [first] = words
  if (first === undefined) return null
  const command = groups.has(first) ? inGroup(first, words.slice(0, 2).join(' ')) : first
  return { command, flags: words.filter((word) => /^--?[A-Za-z]/.test(word)), where }
}

/** A group that can list does so by itself. */
function inGroup(group: string, named: string): string {
  return real.has(named) || !real.has(`${group} list`) ? named : `${group} list`
}

function namedIn(page: string): Named[] {
  const shell = blocksOf(page).filter(({ info }) => info === 'sh')
  const lines = shell.flatMap(({ text }) => text.split('\n')).filter((line) => /^\s*(\w+=\S+ )*espalier /.test(line))
  const inline = coded(proseOf(page)).filter((text) => /^(\w+=\S+ )*espalier /.test(text))
  return [...lines, ...inline].flatMap((text) => parse(text, `${page}: ${text}`) ?? [])
}

const real = await realCommands()
/** Commands that have commands of their own. */
const groups = new Set([...real.keys()].flatMap((name) => (name.includes(' ') ? name.split(' ', 1) : [])))
const ofTheProgram = flagsIn(await helpOf())
const anyFlag = new Set([...real.values()].flatMap((flags) => [...flags]))

for (const page of pageNames()) {
  test(`every command and flag in ${page} exists`, () => {
    for (const { command, flags, where } of namedIn(page)) {
      const known = command.startsWith('-') ? ofTheProgram : real.get(command)
      assert.ok(known, `there is no such command: ${where}`)
      for (const flag of flags) assert.ok(known.has(flag) || flag === '--help', `${command} has no ${flag}: ${where}`)
    }
    const flags = coded(proseOf(page)).filter((text) => /^--[a-z]/.test(text))
    for (const text of flags) {
      const flag = text.split(/[ =]/)[0] ?? ''
      if (!OTHERS.has(flag)) assert.ok(anyFlag.has(flag), `no command has ${flag}`)
    }
  })
}

/** Flags of git that the pages speak of. */
const OTHERS = new Set(['--filter'])

test('the documentation names every command', () => {
  const named = new Set(pageNames().flatMap((page) => namedIn(page).map(({ command }) => command)))
  assert.deepEqual(
    [...real.keys()].filter((command) => !named.has(command)),
    [],
  )
})

test('every flag of `run` that is a setting stands in the table of settings', () => {
  const rows = tableOf('docs/configuration.md', 'Every setting', 'setting')
  const documented = rows.flatMap((cells) => coded(cells[3] ?? ''))
  const ofThePlan = ['--base', '--format', '--part', '--batches']
  const notSettings = [...ofThePlan, '--new', '--dry-run', '--json', '-q', '--quiet', '--repo', '--help', '-h']
  const flags = [...(real.get('run') ?? [])].filter((flag) => !notSettings.includes(flag))
  assert.deepEqual(documented.sort(), flags.sort())
})
