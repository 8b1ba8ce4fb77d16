// A command line as the commands it consists of, each as its words: `cd web && npm test "a b"` is [cd, web] and [npm, test, a b].
// It is not a shell: it knows quotes, comments and what stands between commands, which is enough to see which programs are run.

export type SimpleCommand = {
  /** Without their quotes, and without `X=1` in front. */
  words: string[]
  /** `&` behind it: nobody waits for it. */
  isInBackground: boolean
  /** Those between the command before and this one: `(` begins a shell of its own, and `)` ends it. */
  brackets: string
}

export function simpleCommands(line: string): SimpleCommand[] {
  const found: SimpleCommand[] = []
  let words: string[] = []
  let brackets = ''
  const end = (isInBackground: boolean): void => {
    while (/^[A-Za-z_]\w*=/.test(words[0] ?? '') || LEADING.has(words[0] ?? '')) words.shift()
    if (words.length > 0) {
      found.push({ words, isInBackground, brackets })
      brackets = ''
    }
    words = []
  }
  for (const [token] of line.slice(0, MAX_CHARS).matchAll(TOKEN)) {
    if (SEPARATOR.test(token)) {
      end(token === '&')
      if (token === '(' || token === ')') brackets += token
    } else if (!token.startsWith('#') && !/^\s/.test(token)) words.push(unquoted(token))
  }
  end(false)
  return found
}

/** What `bash -c "npm test"` is to run; null: it is something else. */
export function shellScript([program = '', flag = '', script]: readonly string[]): string | null {
  return /^(?:ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flag) ? (script ?? null) : null
}

/** Longer than any script that somebody writes into a plan. */
const MAX_CHARS = 20_000

/** Blanks; a comment; what stands between commands; a word. `2>&1` and `&>` are words, a quote without an end is a character. */
const TOKEN =
  /[^\S\n]+|(?<![^\s;&|()])#[^\n]*|&&|\|\||&(?!>)|[;|()\n]|(?:\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*'|[0-9]?>>?&[0-9-]?|&>|[^\s;&|()"'\\]|["'\\])+/g

const SEPARATOR = /^(?:&&|\|\||[;&|()\n])$/

/** What a shell knows itself, before the program: `if ! npm test; then …`. */
const LEADING = new Set(['{', '}', '!', 'if', 'then', 'elif', 'else', 'while', 'until', 'do', 'time'])

function unquoted(token: string): string {
  return token.replace(/\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g, (_, escaped, double, single) => {
    return escaped ?? double ?? single ?? ''
  })
}
