// Every command and flag that the documentation names exists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { wholeCommandLine } from '../../src/cli/program.ts'
import type { Surroundings } from '../../src/cli/surroundings.ts'
import { blocksOf, coded, pageNames, proseOf, tableOf } from './pages.ts'

type Named = { command: string; flags: string[]; where: string }

const program = await wholeCommandLine({ version: '' } as Surroundings)

function flagsOf(command: Command): Set<string> {
  const flags = command.options.flatMap(({ short, long }) => [short, long]).filter((flag) => typeof flag === 'string')
  return new Set([...flags, '-h', '--help'])
}

/** Those that do something: of a group its commands. */
function realCommands(): Map<string, Set<string>> {
  const commands = program.commands.filter((one) => one.name() !== 'help')
  return new Map(
    commands.flatMap((command) => {
      const inner = command.commands.filter((one) => one.name() !== 'help')
      if (inner.length === 0) return [[command.name(), flagsOf(command)]]
      return inner.map((one): [string, Set<string>] => [`${command.name()} ${one.name()}`, flagsOf(one)])
    }),
  )
}

/** `espalier run plan.yaml -j 4`: quoted parts, comments and what a pipe leads to are not Espalier's. */
function parse(text: string, where: string): Named | null {
  const line = text.replace(/'[^']*'|"[^"]*"/g, '').replace(/\s#.*$/, '')
  const [, said = ''] = /(?:^|\s)espalier ([^|>;&]*)/.exec(line) ?? []
  // The server to ask stands before the command.
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

const real = realCommands()
/** Commands that have commands of their own. */
const groups = new Set([...real.keys()].flatMap((name) => (name.includes(' ') ? name.split(' ', 1) : [])))
const ofTheProgram = flagsOf(program)
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

/** Flags of git that the pages speak of, and those that name a server, before the command. */
const OTHERS = new Set(['--filter'])

test('the documentation names every command', () => {
  const named = new Set(pageNames().flatMap((page) => namedIn(page).map(({ command }) => command)))
  assert.deepEqual(
    [...real.keys()].filter((command) => !named.has(command)),
    [],
  )
})

test('every flag of `run` that is a setting stands in the table of settings', () => {
  const rows = tableOf('docs/reference/settings.md', 'Settings', 'setting')
  const documented = rows.flatMap((cells) => coded(cells[4] ?? ''))
  const ofThePlan = ['--base', '--dirty', '--format', '--part', '--spec']
  const forOtherTools = ['--parallel', '--max-parallel']
  const notSettings = [
    ...ofThePlan,
    ...forOtherTools,
    '--new',
    '--dry-run',
    '--standby',
    '--json',
    '-q',
    '--quiet',
    '--repo',
    '--help',
    '-h',
  ]
  const flags = [...(real.get('run') ?? [])].filter((flag) => !notSettings.includes(flag))
  assert.deepEqual(documented.sort(), flags.sort())
})
