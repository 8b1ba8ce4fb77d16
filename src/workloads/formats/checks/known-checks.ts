// Whether every program of a command line, and every script it calls, tests, lints, builds or only looks. Fails closed.
import { posix } from 'node:path'
import { isCheckName, speaksOfMore } from './is-check-name.ts'
import { type Flag, type ProgramSection, type Row, rowOf, rowsOf } from './known-programs.ts'
import { readShell, type ShellWord, type SimpleCommand, WRITES } from './parse-shell-line.ts'

/** `part`: the command of the line because of which it is refused; `why` goes on behind "it". */
export type Refusal = { part: string; why: string }

export type Allowed = {
  isAccepted: (part: string) => boolean
  /** Words beside the line say what is to come of it. */
  isDescribed: boolean
}

export function refusalsOf(line: string, { isAccepted, isDescribed }: Allowed): Refusal[] {
  const read = readShell(line)
  if (typeof read === 'string') return [{ part: line, why: read }]
  const looks = read.commands.some(({ words: [program] }) => LOOKS.has(program?.text ?? ''))
  if (looks && (isDescribed || read.hasComments)) return [{ part: line, why: DESCRIBED }]
  const folders = new Map([['0', '']])
  return read.commands.flatMap((command) => {
    const why = whyRefused(command, folders)
    return why === null || isAccepted(command.text) ? [] : [{ part: command.text, why }]
  })
}

/** What these find they print: `grep -c foo a.ts # expect 0` does not fail where it should. */
const LOOKS = new Set('grep egrep fgrep rg jq find ls diff cmp comm wc awk git'.split(' '))
const DESCRIBED = 'has words beside it that say what it should find, which its exit status may not tell'

/** `folders`: where each of the shells is, from the top of the worktree on; `cd` moves it. */
function whyRefused(command: SimpleCommand, folders: Map<string, string>): string | null {
  const { assignments, words, shell } = command
  if (command.isRedirected) return WRITES
  if (words.length === 0) return 'sets a variable and runs nothing'
  const bad = assignments.find((one) => !isKnownSetting(one))
  if (bad) return `sets ${bad.text.split('=', 1)[0]}, which may change what is run`
  const folder = folderOf(shell, folders)
  if (words[0]?.text !== 'cd') return judge(words, { folder, section: 'shell' })
  const to = posix.join(folder, words[1]?.text ?? '..')
  if (words.length !== 2 || words[1]?.isFilled || command.isPiped || isOutside(words[1]?.text ?? '/', folder))
    return OUTSIDE
  folders.set(shell, to)
  return null
}

function folderOf(shell: string, folders: ReadonlyMap<string, string>): string {
  return folders.get(shell) ?? folderOf(shell.slice(0, shell.lastIndexOf('.')), folders)
}

export const WORDS = 'is words, not a command'
const OUTSIDE = 'leads out of the worktree'
const UNKNOWN = 'is not among the programs known to test, lint or build'

/** `section`: which programs whoever runs it may run. */
type Context = { folder: string; section: ProgramSection }

function judge(all: readonly ShellWord[], context: Context): string | null {
  const [program, ...args] = all
  if (!program || program.isFilled) return 'runs something that is not written there'
  if (/^[A-Za-z_]\w*=/.test(program.text)) return isKnownSetting(program) ? judge(args, context) : CHANGES
  const { folder, section } = context
  const isPath = program.text.includes('/') && !program.text.startsWith('@biomejs/')
  if (isOutside(program.text, folder)) return OUTSIDE
  // To others than a shell, `evil/test` may be the name of something that they fetch.
  if (isPath && section !== 'shell' && !program.text.startsWith('./')) return UNKNOWN
  const name = nameOf(program.text)
  const isHere = section === 'shell' || section === 'any' || section === name
  if (isHere && name === 'python' && args[0]?.text === '-m') return judge(args.slice(1), { folder, section: 'python' })
  const file = isHere && INTERPRETERS.has(name) ? posix.basename(args[0]?.text ?? '') : ''
  if (args[0] && rowsOf(file).some(isTool))
    return judge([{ ...args[0], text: file }, ...args.slice(1)], { folder, section: 'any' })
  const isScript = isPath && !rowsOf(name).some(isTool)
  const rows = isScript ? [SCRIPT] : rowsOf(name).filter((row) => isAllowed(row, section))
  const reasons = rows.map((row) => whyNotIn(row, isScript ? all : args, { ...context, name }))
  if (reasons.includes(null)) return null
  return reasons.find((why) => why !== UNKNOWN) ?? UNKNOWN
}

const CHANGES = 'sets a variable that may change what is run'

function isAllowed(row: Row, section: ProgramSection): boolean {
  return section === 'shell' || row.section === section || (section === 'any' && isTool(row))
}

/** These run a file that may be a program with subcommands: `python manage.py`, `php artisan`. */
const INTERPRETERS = new Set(['python', 'php', 'ruby', 'node'])

/** `.venv/bin/pytest`, `./gradlew`, `python3.12`, `@biomejs/biome`, `eslint@9`: the name under which it is in the table. */
function nameOf(program: string): string {
  const found =
    /(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|\.?v?env\/bin|bin)\/([\w.-]+)$/.exec(program)?.[1] ?? program
  const name = found.replace(/^(?:\.\/)?(gradle|mvn)w$/, '$1').replace(/^\.\/(artisan|manage\.py)$/, '$1')
  return name
    .replace(/^@biomejs\//, '')
    .replace(/(?<=\w)@(?:[\d.^~x]+|latest)$/, '')
    .replace(/^python3?(?:\.\d+)?$/, 'python')
}

/** A file of the repository that is run as it is: `./scripts/test.sh`. */
const SCRIPT = rowOf(['^'], '', 'any')

function isTool({ section }: Row): boolean {
  return section !== 'shell'
}

function whyNotIn(row: Row, args: readonly ShellWord[], context: Context & { name: string }): string | null {
  const last = row.subs.at(-1) ?? ''
  const fixed = row.subs.filter((sub) => !/^(?:@\+|@java|[.&]|~~?|….*)$/.test(sub)).length
  const operands: ShellWord[] = []
  const given: string[] = []
  for (let position = 0; position < args.length; position++) {
    const word = args[position] as ShellWord
    const isInside = operands.length >= fixed
    if (last.startsWith('…') && isInside && !word.text.startsWith('-'))
      return whyNotSubs(row, operands) ?? judge(args.slice(position), { ...context, section: sectionIn(last, context) })
    const why = whyNotWord(word, row, operands.length, context)
    if (why !== null) return why
    if (!/^-./.test(word.text)) operands.push(word)
    else if (word.text !== '--' && !row.isHarmless && !/^-\d+$/.test(word.text)) {
      const flag = flagOf(word.text, isInside ? row.inside : row.flags)
      if (flag === null) return `has the flag \`${word.text}\`, which is not known to be harmless`
      given.push(flag.name)
      const next = flag.joined === null ? nextValue(flag, args[position + 1]) : undefined
      const isSure = flag.isSure || flag.value === '=#' || (isInside && !/^(?:@\+|@java|\.)$/.test(last))
      if (next && !isSure) return UNKNOWN
      const bad = (next && whyNotWord(next, row, -1, context)) ?? whyNotValue(flag, flag.joined ?? next?.text)
      if (bad !== null) return bad
      if (next) position++
    }
  }
  if (last.startsWith('…') || row.must.some(({ name }) => !given.includes(name))) return UNKNOWN
  if (row.must.some(({ name, isFirst }) => isFirst && args[0]?.text !== name)) return UNKNOWN
  return whyNotSubs(row, operands)
}

/** `env` runs what the shell would; others run programs, and some only those that they know. */
function sectionIn(sub: string, { section, name }: Context & { name: string }): ProgramSection {
  if (name === 'env' || name === 'timeout') return section
  return sub === '…' ? 'any' : (sub.slice(1) as ProgramSection)
}

function flagOf(
  word: string,
  flags: ReadonlyMap<string, Flag>,
): (Flag & { name: string; joined: string | null }) | null {
  const whole = flags.get(word)
  if (whole) return { ...whole, name: word, joined: null }
  const [, name = '', joined = ''] = /^(--?[^=:]+)[=:](.*)$/s.exec(word) ?? []
  const long = flags.get(name)
  if (long) return long.value === '' ? null : { ...long, name, joined }
  // With flags such as `-run`, letters behind one dash are no flags of their own.
  if (word.startsWith('--') || [...flags.keys()].some((one) => /^-[A-Za-z]{2}/.test(one))) return null
  const short = flags.get(word.slice(0, 2))
  if (short && short.value !== '') return { ...short, name: word.slice(0, 2), joined: word.slice(2) }
  const isCluster = [...word.slice(1)].every((letter) => flags.get(`-${letter}`)?.value === '')
  return isCluster ? { value: '', isSure: true, name: word.slice(0, 2), joined: null } : null
}

function nextValue({ value }: Flag, next: ShellWord | undefined): ShellWord | undefined {
  if (!next || value === '' || value === '==' || next.text.startsWith('-')) return undefined
  return value !== '=#' || /^\d+$/.test(next.text) ? next : undefined
}

function whyNotValue(flag: Flag, value: string | undefined): string | null {
  if (value === undefined) return null
  if (flag.value === '=@' && !isCheckName(value)) return UNKNOWN
  return flag.value === '=~' && speaksOfMore(value) ? UNKNOWN : null
}

/** `index`: how many operands are before it; -1: it is the value of a flag. */
function whyNotWord(
  word: ShellWord,
  row: Row,
  index: number,
  { folder, name }: Context & { name: string },
): string | null {
  if (row.subs[0] === '~~') return null
  if (word.isFilled && !row.isHarmless) return 'depends on what the shell puts in'
  const isPattern = index === 0 && /^[~%]/.test(row.subs[0] ?? '')
  const value = word.text.startsWith('-') ? word.text.slice(word.text.indexOf('=') + 1) : word.text
  const isLabel = /^(?:bazel|bazelisk|buck2)$/.test(name) && value.startsWith('//')
  if (!isPattern && !isLabel && isOutside(value, folder)) return OUTSIDE
  if (!row.isHarmless && ELSEWHERE.test(value)) return 'takes something from another place'
  if (index >= 0 && value.startsWith('@') && row.subs[1] !== '_' && !row.isHarmless)
    return 'takes its arguments from a file'
  if (index < 0 || isPattern || word.isQuoted) return null
  if (index === 0 && row.subs.length === 0 && SERVES.test(word.text)) return 'does not end by itself'
  return PROSE.has(word.text.toLowerCase().replace(/[,.:;!?]$/, '')) ? WORDS : null
}

const ELSEWHERE = /:\/\/|^(?:jsr|npm|data|file|git|github|ssh|s3|gs):/i

const SERVES = /^(?:watch|dev|serve|start|ui)$/

/** An absolute path, as people of all systems write it, or one that leads above the top of the worktree. */
function isOutside(path: string, folder: string): boolean {
  if (path === '/dev/null') return false
  if (/^(?:[/~]|[A-Za-z]:[\\/])/.test(path)) return true
  return path.split('/').includes('..') && /^\.\.(?:\/|$)/.test(posix.join(folder, path))
}

function whyNotSubs({ subs }: Row, operands: readonly ShellWord[]): string | null {
  for (const [at, sub] of subs.entries()) {
    const rest = operands.slice(at)
    const text = rest[0]?.text
    if (sub === '@+' || sub === '@java')
      return rest.length > 0 && rest.every((one) => isCheckName(one.text) || (sub === '@java' && JAVA.has(one.text)))
        ? null
        : UNKNOWN
    if (sub === '.') return rest.length === 0 ? null : UNKNOWN
    if (sub === '&') return rest.every((one) => isTestFile(one.text)) ? null : UNKNOWN
    if (/^[…~]/.test(sub)) return null
    if (text === undefined || !fitsSub(sub, text)) return UNKNOWN
    if (/^[@^]$/.test(sub) && rest.slice(1).some((one) => !/[./]/.test(one.text) && speaksOfMore(one.text)))
      return UNKNOWN
  }
  return null
}

function isTestFile(path: string): boolean {
  return !speaksOfMore(posix.basename(path)) || /test|spec/i.test(path)
}

const JAVA = new Set(['clean', 'package', 'assemble', 'classes', 'testClasses', 'jar'])

function fitsSub(sub: string, text: string): boolean {
  if (sub === '_') return true
  if (sub === '@') return isCheckName(text)
  if (sub === '^') return isCheckName(posix.basename(text).replace(/\.(?:sh|bash|[cm]?[jt]s|py|rb|php)$/, ''))
  return PATTERNS.get(sub)?.test(text) ?? sub.split('|').includes(text)
}

const PATTERNS = new Map([
  ['%', /^\d+(?:\.\d+)?[smh]?$/],
  ['%lines', /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/],
  // It could run programs, and write to files with `>` behind what it prints.
  ['%awk', /^(?!.*(?:system|getline|[|@]|print.*>)).*$/s],
  ['%activate', /^(?:[\w./-]+\/)?\.?v?env\/bin\/activate$/],
])

/** Words of a sentence, in which the name of a program may stand as well: "npm test passes", "tsc has no errors". */
const PROSE = new Set(
  (
    'the a an is are be and or that this with without should must will returns shows contains exists matches passes pass ' +
    'passing succeeds works all any no not it of from by when if then see ensure prints correctly successfully cleanly ' +
    'fails has have still on to for in after before green ok errors warnings passed compiles exits output again locally ' +
    'manually everything'
  ).split(' '),
)

function isKnownSetting({ text, isFilled }: ShellWord): boolean {
  const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  const fits = SETTINGS.find(([names]) => names.test(name))?.[1] ?? /(?!)/
  return !isFilled && fits.test(value) && !isOutside(value, '')
}

/** By name, what their value may be: others may name a program, or a server that the tests would talk to. */
const SETTINGS: [names: RegExp, value: RegExp][] = [
  [/^(?:NODE|RAILS|RACK|APP|MIX|BUN)_ENV$|^ENV(?:IRONMENT)?$/, /^test(?:ing)?$/],
  [/^NODE_OPTIONS$/, /^(?:--max-old-space-size=\d+|--experimental-vm-modules|--no-warnings| )+$/],
  [/^(?:CI|FORCE_COLOR|NO_COLOR|TZ|LANG|LC_ALL|RUST_BACKTRACE|CGO_ENABLED|GOOS|GOARCH)$/, /^[\w./+-]*$/],
  [/^PYTHON(?:PATH|DONTWRITEBYTECODE|UNBUFFERED|WARNINGS)$/, /^[\w./-]*$/],
]
