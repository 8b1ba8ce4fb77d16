// Writes docs/reference/: the command line as the program explains it, and every field of plans and settings files from the
// schemas the program reads them with. A test compares the files with what this makes.
// Usage: npm run reference
import { mkdirSync, writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { z } from 'zod'
import { MODELS_DATED } from '../src/agents/facts.ts'
import { AGENTS, KNOWN_AGENTS } from '../src/agents/list.ts'
import { settingRow } from '../src/cli/commands/config.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { runProgram, wholeCommandLine } from '../src/cli/program.ts'
import type { Surroundings } from '../src/cli/surroundings.ts'
import { palette } from '../src/cli/terminal/palette.ts'
import { SETTINGS } from '../src/config.ts'
import { allSettings, valueName } from '../src/setting.ts'
import { planSchema } from '../src/workloads/plan/schema.ts'
import { SETTING_VARIABLES } from '../src/workloads/settings/read.ts'
import { settingsSchema } from '../src/workloads/settings/settings-file-schema.ts'

export const REFERENCE_FOLDER = new URL('../docs/reference/', import.meta.url)

/** What each file of the folder should hold. */
export async function referenceFiles(): Promise<Record<string, string>> {
  return { 'cli.md': await cliPage(), 'plan.md': planPage(), 'prices.md': pricesPage(), 'settings.md': settingsPage() }
}

const NOTE = 'This page is generated: `npm run reference` writes it.'

async function cliPage(): Promise<string> {
  const program = await wholeCommandLine({ version: '' } as Surroundings)
  const without = commandsOf(program).filter(
    ({ command }) => !command.options.some(({ long }) => long === '--state-dir'),
  )
  const intro = [
    'Help of each command. Options and paragraphs stand at the first command that has them; `--help` also shows examples.',
    `All commands have \`--repo\` and \`--state-dir\`, except ${without.map(({ words }) => `\`${words.join(' ')}\``).join(', ')}.`,
    'The exit status is 0, or 2 if nothing was done (wrong usage, no such run or task), where a command names no other.',
    NOTE,
  ].join(' ')
  const lines = ['# Command line', '', intro, '']
  const explained = new Set<string>()
  const printed = new Set<string>()
  for (const group of Object.keys(COMMANDS)) {
    lines.push(`## ${group.replace(':', '')}`, '')
    for (const { words } of commandsOf(program).filter((one) => one.group === group)) {
      const [usage = '', ...help] = (await helpOf(words)).split('\n')
      const shorter = withoutRepeats(withNewOptions(help.join('\n'), explained), printed).trim()
      lines.push(`### \`${usage.replace(/^Usage: | \[options\]/g, '')}\``, '', '```text', shorter, '```', '')
    }
  }
  return `${lines.join('\n').trimEnd()}\n`
}

/** Commands that do something: of a command with commands of its own, those. */
function commandsOf(program: Command): { command: Command; words: string[]; group: string }[] {
  return program.commands
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => {
      const group = one.helpGroup()
      if (one.commands.length === 0) return [{ command: one, words: [one.name()], group }]
      return one.commands.map((inner) => ({ command: inner, words: [one.name(), inner.name()], group }))
    })
}

/** Options that are not named again after the first command that has them. */
const EVERYWHERE = new Set(['--help', '--repo', '--state-dir'])

/** The help without the options that are `explained` in the same words already; these are named in one line. */
function withNewOptions(help: string, explained: Set<string>): string {
  const again: string[] = []
  const shorter = help.replace(/^ {2}(-\S.*\n(?: {20,}.*\n)*)/gm, (block, text: string) => {
    const words = text.replace(/\s+/g, ' ').trim()
    const name = /--[\w-]+/.exec(words)?.[0]
    if (name !== undefined && explained.has(words)) {
      if (!EVERYWHERE.has(name)) again.push(name)
      return ''
    }
    explained.add(words)
    return block
  })
  if (again.length === 0) return shorter.replace(/^Options:\n(?=\n|$)/m, '')
  const line = `  as above: ${again.join(' ')}`.replace(/(.{1,98})(?:\s|$)/g, '$1\n            ').trimEnd()
  return shorter.replace(/^(Options:\n(?: {2}.*\n)*)/m, `$1${line}\n`)
}

/** The help without examples, usual exit statuses, and paragraphs that an earlier command or another page has in the same words. */
function withoutRepeats(help: string, printed: Set<string>): string {
  const elsewhere = /^(Examples?|Task statuses):|^Exit status: 0(\.|, or 2 \b[^:]*)$/
  const paragraphs = help.split(/\n{2,}/).filter((paragraph) => !elsewhere.test(paragraph.trim()))
  const kept = paragraphs.filter((paragraph) => paragraph.length < 60 || !printed.has(paragraph))
  for (const paragraph of kept) printed.add(paragraph)
  return kept.join('\n\n')
}

async function helpOf(words: readonly string[]): Promise<string> {
  let text = ''
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  const wide = Object.assign(out, { columns: HELP_COLUMNS })
  const plain = { outPalette: palette(false), errPalette: palette(false) }
  const outside = { out: wide, err: wide, env: {}, cwd: '/', home: '/', live: false, ...plain }
  await runProgram(['node', 'espalier', ...words, '--help', '--all'], '0.0.0', outside)
  return text
}

const HELP_COLUMNS = 100

function planPage(): string {
  const { properties = {}, required = [] } = jsonSchema(planSchema)
  const { tasks, defaults, epics, landing, $schema: _, ...top } = properties
  const settings = new Set(allSettings(SETTINGS).map(([path]) => path.join('.')))
  const isSetting = (name: string) => settings.has(name)
  const inLanding = Object.keys(landing?.properties ?? {}).filter((name) => isSetting(`landing.${name}`))
  const onlyOfTask = Object.keys(tasks?.items?.properties ?? {}).filter(
    (name) => !(name in (defaults?.properties ?? {})),
  )
  const own = Object.fromEntries(Object.entries(top).filter(([name]) => !isSetting(name)))
  const intro = `[The plan](../plan.md) explains them by example. A name with a link has more there. A field without a default is left out or none. ${NOTE}`
  const lines = [
    ...['# Fields of a plan', '', intro, ''],
    ...['## Top level', '', ...table({ ...own, landing, defaults, epics, tasks }, required)],
    `These [settings](settings.md) are fields of a plan, too: ${listed(Object.keys(top).filter(isSetting))}.`,
    '',
    ...['## A task', '', ...table(tasks?.items?.properties, tasks?.items?.required)],
    ...['## An epic', '', ...table(epics?.items?.properties, epics?.items?.required)],
    ...['## Landing', ''],
    `\`landing\` holds the [settings](settings.md) that begin with \`landing.\`: ${listed(inLanding)}.`,
    ...['', '## Defaults', ''],
    `\`defaults\` may hold every field of a task except ${listed(onlyOfTask)}.`,
  ]
  return `${lines.join('\n')}\n`
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function settingsPage(): string {
  const { properties = {} } = jsonSchema(settingsSchema)
  const types = new Map(flat(properties))
  const defaults = defaultValues()
  const variables = new Map([...SETTING_VARIABLES].map(([variable, { path }]) => [path.join('.'), variable]))
  const [first = '', ...others]: string[] = KNOWN_AGENTS
  const shown = allSettings(SETTINGS).filter(([[top, agent = '']]) => !(top === 'agents' && others.includes(agent)))
  const rows = shown.map(([path, setting]) => {
    const name = path.join('.')
    const flags = setting.flag?.name.match(/--?[a-z-]+(?=[ ,]|$)/g) ?? []
    const variable = variables.get(name)
    const [page] = Object.entries(PAGES).find(([, names]) => names.some((one) => name.startsWith(one))) ?? []
    const places = [variable ? `\`${variable}\`` : '', flags.map((flag) => `\`${flag}\``).join(', ')]
    const forAll = name.replace(`agents.${first}.`, 'agents.NAME.')
    const values = KNOWN_AGENTS.map((agent) => defaults.get(forAll.replace('NAME', agent)))
    const initial = new Set(values).size === 1 ? `\`${defaults.get(name)}\`` : 'by agent'
    const title = linked(forAll, page && `../${page}`)
    return [title, typeOf(types.get(name) ?? {}), initial, ...places, setting.help]
  })
  const about = `[Configuration](../configuration.md) says which place overrules which; a name with a link has more there. NAME is ${listed(KNOWN_AGENTS)}. ${NOTE}`
  const head = ['| setting | type | default | variable | flag | meaning |', '|---|---|---|---|---|---|']
  return `${['# Settings', '', about, '', ...head, ...rows.map(tableRow), '', ...SETTING_NOTES].join('\n')}\n`
}

/** Default of each setting as a file would say it. */
function defaultValues(): Map<string, string> {
  const rows = allSettings(SETTINGS).map(([path, setting]) => {
    const name = path.join('.')
    return [name, settingRow(valueName(name, setting), setting.fallback).value] as const
  })
  return new Map(rows)
}

const SETTING_NOTES = [
  'Lists in variables are separated by commas: `ESPALIER_KEEP=node_modules,.cache`. `ESPALIER_SETUP` and `ESPALIER_LANDING_VERIFY` are one command. Yes or no is `1`, `true`, `yes`, `on` or `0`, `false`, `no`, `off`; no budget is `none`. An empty variable counts as none; only an empty `ESPALIER_COMMAND` is refused.',
  'The other variables `ESPALIER_…` are [what an agent is told](../command-agent.md#what-it-gets), not settings.',
]

/** Models of the same prices share a row. */
function pricesPage(): string {
  const rows = new Map<string, string[]>()
  for (const [model, { input, output, cacheRead, cacheWrite }] of Object.values(AGENTS).flatMap(({ prices }) =>
    Object.entries(prices),
  )) {
    const prices = tableRow(['', `${input}`, `${output}`, `${cacheRead}`, `${cacheWrite}`])
    rows.set(prices, [...(rows.get(prices) ?? []), model])
  }
  const about = [
    `US dollars per million tokens, and the tiers of \`model: auto\`, as of ${MODELS_DATED}. They are for questions of usual length: very long ones`,
    '(from 100,000 to 272,000 tokens, by model) cost more. A name stands for that version of a model with any date (`-20250929`, `-latest`), and for no other model.',
    `[Your own prices](../budgets.md#prices) and [tiers](../models.md#what-it-chooses-from) replace these. ${NOTE}`,
  ]
  const lines = [
    ...['# Prices of models', '', about.join(' '), ''],
    ...['| model | input | output | read from the cache | written to the cache |', '|---|---|---|---|---|'],
    ...[...rows].map(([prices, models]) => prices.replace('|  |', `| ${listed(models)} |`)),
    ...['', '## Tiers', '', '| agent | the cheapest first |', '|---|---|'],
    ...KNOWN_AGENTS.map((name) => tableRow([`\`${name}\``, listed(AGENTS[name].tiers) || 'none: list yours'])),
  ]
  return `${lines.join('\n')}\n`
}

/** The pages that explain settings by example, with the beginnings of their names. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'fleet.md': ['store', 'workersOnly'],
  'fleet.md#a-second-coordinator': ['engineRepository'],
  'scheduling.md#as-many-as-the-machine-carries': ['autoConcurrency'],
  'scheduling.md#the-soft-cap-per-epic': ['maxPerEpic'],
  'scheduling.md#eager-and-waves': ['schedule'],
  'reference/plan.md#a-task': ['labels'],
  'plan.md#when-a-task-changes-more-than-it-claimed': ['claims'],
  'acp.md': ['agents.acp'],
  'models.md': KNOWN_AGENTS.map((name) => `agents.${name}.tiers`),
  'agents.md#models': KNOWN_AGENTS.map((name) => `agents.${name}.model`),
  'agents.md#rate-limits': KNOWN_AGENTS.map((name) => `agents.${name}.patience`),
  'agents.md#what-each-is-started-with': KNOWN_AGENTS.map((name) => `agents.${name}.args`),
  'agents.md': ['agent'],
  'command-agent.md': ['command'],
  'command-agent.md#its-environment': ['envAllow'],
  'learning.md': ['learning.'],
  'models.md#how-it-chooses': ['models.'],
  'iterations.md': ['iterations'],
  'running.md#stalls': ['stallAfter', 'onStall'],
  'running.md#clean': ['history.'],
  'budgets.md': ['budgetUsd'],
  'budgets.md#what-happens-when': ['onBudget'],
  'budgets.md#prices': ['strictBudget', 'prices'],
  'write-back.md': ['writeBack'],
  'formats.md#which-commands-are-checks': ['checks'],
  'task-manager.md': ['mcp'],
  'worktrees.md#keep-and-setup': ['keep', 'setup'],
  'worktrees.md#submodules': ['submodules'],
  'configuration.md#notifications': ['notify.'],
  'landing.md#settings': ['landing.batch', 'landing.window', 'landing.allgreen', 'landing.reruns', 'landing.timeout'],
  'landing.md': ['landing.verify', 'landing.env'],
  'landing-git.md#merge-squash-rebase': ['landing.merge', 'landing.signoff'],
  'resolving-conflicts.md': ['landing.conflict'],
}

/** Fields within fields as `landing.verify`. */
function flat(fields: Fields, prefix = ''): [string, Field][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    if (field?.properties) return flat(field.properties, `${prefix}${name}.`)
    return field ? [[`${prefix}${name}`, field]] : []
  })
}

type Field = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Field[]
  items?: Field
  properties?: Fields
  required?: string[]
  additionalProperties?: Field | boolean
  description?: string
  pattern?: string
}

type Fields = Record<string, Field | undefined>

function jsonSchema(schema: z.ZodType): Field {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as Field
}

/** Fields of a plan. Those that are settings too have the default of the setting. */
function table(fields: Fields = {}, required: readonly string[] = []): string[] {
  const defaults = defaultValues()
  const rows = Object.entries(fields).flatMap(([name, field]) => {
    if (!field) return []
    // The claims of a task are paths; the setting of that name is a policy.
    const value = PLAN_DEFAULTS[name] ?? (name === 'claims' ? undefined : defaults.get(name)) ?? ''
    const isNone = value === '' || value === 'null' || value === '[]' || value === '{}'
    const initial = required.includes(name) ? 'required' : isNone ? '' : `\`${value}\``
    return [tableRow([linked(name, SEE[name]), typeOf(field), initial, field.description ?? ''])]
  })
  return ['| field | type | default | meaning |', '|---|---|---|---|', ...rows, '']
}

/** Defaults of fields that are no settings. */
const PLAN_DEFAULTS: Record<string, string> = {
  ...{ base: 'HEAD', isolation: 'task', land: 'true', maxRepeats: '10', priority: 'normal', allowNoChange: 'false' },
}

/** Pages that explain a field. */
const SEE: Record<string, string> = {
  ...{ agent: '../agents.md', agents: '../agents.md#fallbacks', model: '../models.md' },
  ...{ claims: '../plan.md#claims', uses: '../plan.md#resources', resources: '../plan.md#resources' },
  ...{ epics: '../plan.md#epics', isolation: '../plan.md#epics', needs: '../plan.md#needs-and-after' },
  ...{ budgetUsd: '../budgets.md', estimateUsd: '../budgets.md#what-happens-when', estimate: '../scheduling.md' },
  ...{ setup: '../worktrees.md#keep-and-setup', labels: '../fleet.md' },
  ...{ verify: '../command-agent.md#verify', iterations: '../iterations.md', completion: '../iterations.md#a-promise' },
  ...{ maxTurns: '../iterations.md#going-round-in-circles', maxRepeats: '../iterations.md#going-round-in-circles' },
  ...{ protected: '../landing-git.md#protected-paths', decision: '../sessions.md#decisions' },
  ...{ landing: '../landing.md', objective: '../sessions.md#where-it-comes-from' },
}

/** The name of a field, with a link to the page that explains it. */
function linked(name: string, page: string | undefined): string {
  return page === undefined ? `\`${name}\`` : `[\`${name}\`](${page})`
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`
}

function typeOf(field: Field): string {
  if (field.const !== undefined) return `\`${String(field.const)}\``
  if (field.enum) return field.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (field.anyOf) {
    // `90s` and `90`: a time.
    if (field.anyOf.some(({ pattern }) => pattern?.includes('(ms|s|m|h|d)'))) return 'time'
    return [...new Set(field.anyOf.map(typeOf))].join(' or ')
  }
  if (field.type === 'array') return field.items ? `list of ${plural(typeOf(field.items))}` : 'list'
  if (field.type === 'object') return 'mapping'
  return [field.type ?? 'anything'].flat().map(word).join(' or ')
}

function word(type: string): string {
  return { string: 'text', boolean: 'true or false', integer: 'whole number', null: '`null`' }[type] ?? type
}

function plural(type: string): string {
  return { text: 'texts', mapping: 'mappings', number: 'numbers' }[type] ?? type
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(REFERENCE_FOLDER, { recursive: true })
  for (const [name, text] of Object.entries(await referenceFiles())) {
    writeFileSync(new URL(name, REFERENCE_FOLDER), text)
    console.log(`docs/reference/${name}: ${text.length} bytes`)
  }
}
