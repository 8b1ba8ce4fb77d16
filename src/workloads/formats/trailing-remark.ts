// What people note behind a command: `npm test (all pass)`, `npm run build => no errors`, `npm test; expected: PASS`. A shell
// would take it for a part of the command, which then fails whatever the work is like.

/** For a line that may be a command. */
export function withoutRemark(line: string): string {
  let command = line.trim()
  for (let i = 0; i < MAX_REMARKS; i++) {
    const start = startOfRemark(command)
    if (start === null) break
    command = command.slice(0, start).trimEnd()
  }
  return command
}

/** For what is meant as a command: it stays as it is, unless no shell would take it and one without the remark would be taken. */
export function runnableCommand(command: string): string {
  if (command.length > MAX_CHARS || command.includes('\n') || !wouldBeRefused(command)) return command
  const bare = withoutRemark(command)
  return bare === '' || wouldBeRefused(bare) ? command : bare
}

/** `npm test; expected: FAIL` is a step on the way (the test is there, the code is not): nothing that holds in the end. */
export function saysItFails(words: string): boolean {
  return /(?<!\b(?:no|not|0|never|without|zero|nothing)\s(?:\w{1,20}\s)?)\bfail/i.test(words)
}

/** By what is seen without being a shell: quotes and brackets without an end, brackets behind a word, `<name>` at the end. */
export function wouldBeRefused(command: string): boolean {
  const bare = withoutQuoted(command)
  if (/["']/.test(bare)) return true
  // In `$(…)` and `` `…` `` is a command of its own, and `f() {…}` is a function.
  const outer = bare.replace(/\$\([^()]*\)/g, '""').replace(/\w\(\)\s*\{/g, '{')
  if (/[^\s;&|(!{`]\s+\(/.test(outer.replace(/\b(?:do|then|else|if|while|until|in|time)\s+\(/g, '('))) return true
  return count(outer, '(') !== count(outer, ')') || /<[^<>\s&]+>\s*(?:$|[;&|])/.test(outer)
}

/** One behind the other: `npm test (unit) => PASS`. */
const MAX_REMARKS = 3

/** Longer than any line somebody types. */
const MAX_CHARS = 4_000

/** Where the first remark begins that nobody means as a part of the command. */
function startOfRemark(command: string): number | null {
  if (command.length > MAX_CHARS) return null
  const bare = withoutQuoted(command)
  const starts = REMARKS.flatMap((remark) => {
    const match = remark.exec(bare)
    return match && match.index > 0 ? [match.index] : []
  })
  return starts.length === 0 ? null : Math.min(...starts)
}

/** Each begins where the command ends. Brackets behind `&&`, `|` and the like are a part of the command. */
const REMARKS = [
  /(?<=[^\s;&|(!{])\s+\([^()]*\)[.;]?$/,
  /(?<=[^\s;&|(!{])\s+\[[^\s[\]][^[\]]{0,200}\s[^[\]]{0,200}\][.;]?$/,
  /(?<=\S)\s+(?:=>|→|⇒|➜|->|—|–)(?:\s.*)?$/,
  /(?<=\s)\[(?:pass(?:es|ed|ing)?|ok|green)\]$/i,
  /(?<=\S)\s?[;,:.]\s+expect(?:ed|s|ing)?\b.*$/i,
  // Without a mark before it, it may be a name: `diff actual expected`.
  /(?<=\S)\s+expect(?:ed|s|ing)?(?::| to | output\b| result\b).*$/i,
  /(?<=\S)(?:[;,:]|\s-)\s+(?:all |tests? |should |must |it )*(?:pass(?:es|ing)?|green|succeeds?|no (?:errors?|warnings?|failures?))\b.*$/i,
  /(?<=\S)\s+#\s.*$/,
]

/** The same length, with `_` for what is in quotes. */
function withoutQuoted(command: string): string {
  return command.replace(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length))
}

function count(text: string, char: string): number {
  return text.split(char).length - 1
}
