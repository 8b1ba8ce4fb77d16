// A shell line as its simple commands. What is not read here (here-documents, backticks, loops, functions, `&`, arithmetic)
// makes the whole line unreadable: nothing is run that was not understood to its end.

export type ShellWord = {
  /** Without its quotes; `$` stands for what the shell would put in. */
  text: string
  /** Some of it is in quotes, or behind a backslash. */
  isQuoted: boolean
  /** The shell puts something in that is not known here: a variable, the output of a command, what braces expand to. */
  isFilled: boolean
}

export type SimpleCommand = {
  assignments: ShellWord[]
  words: ShellWord[]
  text: string
  isRedirected: boolean
  /** It is one of several in a pipeline, so it runs in a shell of its own. */
  isPiped: boolean
  /** Which shell runs it: `0`, and `0.1` for the first `(…)` or `$(…)` in that. */
  shell: string
}

export type ShellLine = { commands: SimpleCommand[]; hasComments: boolean }

/** A text instead: why it cannot be read. */
export function readShell(text: string): ShellLine | string {
  const reading: Reading = { text, position: 0, commands: [], hasComments: false, shells: 0, problem: null }
  if (text.length > MAX_CHARS) return 'is too long to be looked through'
  if (/[^\P{Cc}\t\n]/u.test(text)) return 'has control characters in it'
  readList(reading, '0', '')
  return reading.problem ?? { commands: reading.commands, hasComments: reading.hasComments }
}

/** Longer than what anybody writes into a plan as a check. */
const MAX_CHARS = 4_000
/** Deeper than any command somebody can read. */
const MAX_DEPTH = 8

/** `problem`: once it is set, all of the functions below return. */
type Reading = ShellLine & { text: string; position: number; shells: number; problem: string | null }

function refuse(reading: Reading, problem: string): undefined {
  reading.problem ??= problem
  reading.position = reading.text.length
}

function readList(reading: Reading, shell: string, close: '' | ')'): undefined {
  const isOver = () =>
    reading.position >= reading.text.length || (close !== '' && reading.text[reading.position] === close)
  skipLines(reading)
  for (;;) {
    readPipeline(reading, shell)
    skipBlanks(reading)
    if (reading.problem !== null) return
    if (take(reading, '&&') || take(reading, '||')) {
      skipLines(reading)
      continue
    }
    if (isOver()) return
    if (!take(reading, '\n') && (reading.text.startsWith(';;', reading.position) || !take(reading, ';'))) {
      const isBackground = reading.text[reading.position] === '&'
      return refuse(reading, isBackground ? 'leaves something running behind' : NOT_READ)
    }
    skipLines(reading)
    if (isOver()) return
  }
}

const NOT_READ = 'is no plain list of commands'

function readPipeline(reading: Reading, shell: string): void {
  skipBlanks(reading)
  const first = reading.commands.length
  if (/^!(?=[ \t])/.test(reading.text.slice(reading.position, reading.position + 2))) reading.position++
  let parts = 0
  do {
    if (parts > 0) skipLines(reading)
    readCommand(reading, shell)
    skipBlanks(reading)
    parts++
  } while (!reading.text.startsWith('||', reading.position) && take(reading, '|'))
  if (parts > 1) for (const command of reading.commands.slice(first)) command.isPiped = true
}

function readCommand(reading: Reading, shell: string): undefined {
  skipBlanks(reading)
  if (take(reading, '('))
    return reading.text[reading.position] === '(' ? refuse(reading, NOT_READ) : readInner(reading, shell)
  const start = reading.position
  const command: SimpleCommand = {
    ...{ assignments: [], words: [], text: '', isRedirected: false, isPiped: false, shell },
  }
  let end = start
  while (reading.problem === null) {
    skipBlanks(reading)
    if (
      /[<>]/.test(reading.text[reading.position] ?? '') ||
      /^\d[<>]/.test(reading.text.slice(reading.position, reading.position + 2))
    )
      readRedirection(reading, command)
    else if (isWordStart(reading.text[reading.position])) addWord(reading, command)
    else break
    end = reading.position
  }
  command.text = reading.text.slice(start, end)
  const [program] = command.words
  if (command.words.length + command.assignments.length === 0) return refuse(reading, NOT_READ)
  if (program && !program.isQuoted && RESERVED.has(program.text)) return refuse(reading, NOT_READ)
  reading.commands.push(command)
}

const RESERVED = new Set(
  '! { } [[ ]] if then elif else fi for while until do done case esac in function select time coproc'.split(' '),
)

function addWord(reading: Reading, command: SimpleCommand): void {
  const start = reading.position
  const word = readWord(reading, command.shell)
  const isAssignment = /^[A-Za-z_]\w*=/.test(reading.text.slice(start, reading.position))
  if (isAssignment && command.words.length === 0) command.assignments.push(word)
  else command.words.push(word)
}

export const WRITES = 'reads from or writes to a file of its own'

function readInner(reading: Reading, shell: string): undefined {
  if (shell.split('.').length > MAX_DEPTH) return refuse(reading, NOT_READ)
  readList(reading, `${shell}.${++reading.shells}`, ')')
  if (reading.problem === null && !take(reading, ')')) refuse(reading, 'has a bracket that does not end')
}

/** To `/dev/null` and from one number to another changes nothing. */
function readRedirection(reading: Reading, command: SimpleCommand): undefined {
  const harmless = /\d?(?:(?:>>?|<)[ \t]*\/dev\/null|>&[0-9])(?![^\s;&|()])/y
  harmless.lastIndex = reading.position
  const match = harmless.exec(reading.text)
  if (match) {
    reading.position += match[0].length
    return
  }
  const file = /\d?(?:>>|>\||<>|<(?![<&(])|>(?![&(]))[ \t]*/y
  file.lastIndex = reading.position
  const opening = file.exec(reading.text)
  if (!opening) return refuse(reading, NOT_READ)
  reading.position += opening[0].length
  if (!isWordStart(reading.text[reading.position])) return refuse(reading, NOT_READ)
  readWord(reading, '0')
  if (/[<>]/.test(reading.text[reading.position] ?? '')) return refuse(reading, NOT_READ)
  command.isRedirected = true
}

function isWordStart(character: string | undefined): boolean {
  return character !== undefined && !/[\s;&|()<>#]/.test(character)
}

function readWord(reading: Reading, shell: string): ShellWord {
  const word: ShellWord = { text: '', isQuoted: false, isFilled: false }
  while (reading.position < reading.text.length && !/[\s;&|()<>]/.test(reading.text[reading.position] ?? '')) {
    const character = reading.text[reading.position++] as string
    if (character === "'") readSingleQuotes(reading, word)
    else if (character === '"') readDoubleQuotes(reading, word, shell)
    else if (character === '\\') readEscaped(reading, word, /[\s\S]/)
    else if (character === '$') readExpansion(reading, word, shell)
    else if (character === '`') refuse(reading, NOT_READ)
    else {
      word.text += character
      if (character === '{') word.isFilled = true
    }
  }
  return word
}

function readSingleQuotes(reading: Reading, word: ShellWord): undefined {
  const end = reading.text.indexOf("'", reading.position)
  if (end < 0) return refuse(reading, UNCLOSED)
  word.text += reading.text.slice(reading.position, end)
  word.isQuoted = true
  reading.position = end + 1
}

const UNCLOSED = 'has a quote that does not end'

function readDoubleQuotes(reading: Reading, word: ShellWord, shell: string): undefined {
  word.isQuoted = true
  while (reading.position < reading.text.length) {
    const character = reading.text[reading.position++] as string
    if (character === '"') return
    if (character === '\\') readEscaped(reading, word, /[$`"\\\n]/)
    else if (character === '$') readExpansion(reading, word, shell)
    else if (character === '`') return refuse(reading, NOT_READ)
    else word.text += character
  }
  refuse(reading, UNCLOSED)
}

/** `special`: before what else the backslash is one itself. A line that goes on in the next one is one line. */
function readEscaped(reading: Reading, word: ShellWord, special: RegExp): undefined {
  const next = reading.text[reading.position]
  if (next === undefined) return refuse(reading, 'ends with a backslash')
  word.isQuoted ||= next !== '\n'
  if (!special.test(next)) word.text += '\\'
  else reading.position++
  if (special.test(next) && next !== '\n') word.text += next
}

function readExpansion(reading: Reading, word: ShellWord, shell: string): void {
  const rest = reading.text.slice(reading.position, reading.position + 100)
  const variable = /^(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*|[?#@*!0-9-])/.exec(rest)
  word.text += '$'
  if (variable) {
    word.isFilled = true
    reading.position += variable[0].length
  } else if (/^\((?!\()/.test(rest)) {
    word.isFilled = true
    reading.position++
    readInner(reading, shell)
  } else if (/^[({'$]/.test(rest)) refuse(reading, NOT_READ)
}

/** Also a comment up to the end of its line, and a line break behind a backslash. */
function skipBlanks(reading: Reading): void {
  const blanks = /(?:[ \t]|\\\n)+/y
  blanks.lastIndex = reading.position
  reading.position += blanks.exec(reading.text)?.[0].length ?? 0
  if (reading.text[reading.position] !== '#') return
  const end = reading.text.indexOf('\n', reading.position)
  reading.position = end < 0 ? reading.text.length : end
  reading.hasComments = true
}

function skipLines(reading: Reading): void {
  do skipBlanks(reading)
  while (take(reading, '\n'))
}

function take(reading: Reading, token: string): boolean {
  if (!reading.text.startsWith(token, reading.position)) return false
  reading.position += token.length
  return true
}
