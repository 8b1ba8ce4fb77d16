// What the words beside a command say is to come of it. An exit status of 0 is all that a gate knows, so a command that is to
// fail, or to find nothing, cannot be one: it would fail work that is right.
import { saysItFails, saysItPasses } from './said-to-fail.ts'
import { type SimpleCommand, simpleCommands } from './simple-commands.ts'

/** `words`: behind the command, or in a field for what is expected. */
export function wantsNoSuccess(command: string, words: string): boolean {
  const said = words.slice(0, MAX_CHARS)
  if (saysItFails(said)) return true
  if (saysOtherStatus(said) && !(NON_ZERO.test(said) && counts(command))) return true
  return looksForSomething(command) && (SAYS_NOTHING.test(said) || (SAYS_ZERO.test(said) && !hasOnlyStatus(command)))
}

function saysOtherStatus(words: string): boolean {
  return OTHER_STATUS.test(words) && !saysItPasses(words)
}

/** `(optional)`, `if possible`, `in staging`: whoever reads it decides. */
export function saysMaybe(words: string): boolean {
  return MAYBE.test(words.slice(0, MAX_CHARS))
}

/** What is said of a command, and not what is to be done next: "all tests pass. Then manually confirm …". */
export function firstSentence(words: string): string {
  return words.replace(/^[\s.,;:()-]+/, '').split(SENTENCE_END, 1)[0] ?? ''
}

export const SENTENCE_END = /[.;!?](?:\s|$)|,?\s(?=then\s)/i

/** More than is said about a command. */
const MAX_CHARS = 1_000

const NON_ZERO = /\bnon-?zero\b/i

const OTHER_STATUS =
  /\bexit(?:s|ed)?(?: with)?(?: a)?(?: (?:code|status))?[ :=]{1,3}(?:[1-9]\d{0,2}|non-?zero)\b(?! (?:on|if|when|unless)\b)|\bnon-?zero (?:exit|status|code|return)|\breturns? non-?zero/i

/** For `grep` and its like: `no matches`, `should be empty`, `should NOT match`, `must not exist`. */
const SAYS_NOTHING = new RegExp(
  [
    String.raw`\b(?:no|zero|0)\s+(?:\w+\s+)?(?:match|result|output|hit|occurrence|reference|line|file|entr|usage|instance|import|call|use|remaining|such|more)`,
    String.raw`(?<!\b(?:not|non|than|above|never|isn['’]t)[\s-]+(?:be\s+|an?\s+)?)\b(?:nothing|none|empty|absent|gone|zero)\b`,
    String.raw`\b(?:not|never)\s+(?:be\s+)?(?:match|find|found|exist|appear|contain|present|return|print|show|there|in|any)`,
    String.raw`\bno longer (?:exist|present|there|appear|match|contain|found|in)|\b(?:is|are|be|been) (?:removed|deleted)\b`,
  ].join('|'),
  'i',
)

/** As many as there are: `returns 0`, `→ 0`. */
const SAYS_ZERO =
  /(?:returns?|prints?|shows?|outputs?|gives?|count(?:\s+is)?|equals?|is|be|expect(?:ed|s)?:?|==?|=>|→|->|^)\s*`?0`?(?![\w.]|\s*(?:errors?|warnings?|failures?))/i

/** "Including optional fields", "no manual steps" and "even if it is cold" leave nothing to anybody. */
const MAYBE = new RegExp(
  String.raw`(?<!\b(?:no|not|non|never|without|even)[\s-])\b(?:` +
    [
      'optionally|manually|by hand|ideally|nice to have',
      String.raw`(?:optional|manual)(?=\W*$|\s*[,.:;)(–—-]|\s+(?:steps?|checks?|runs?|reviews?|tests?|testing|verification|but|and|only|for now)\b)`,
      String.raw`if (?:possible|available|applicable|needed|necessary|desired|you|it|there|the)\b|when (?:possible|available)|where (?:possible|applicable|available)`,
      String.raw`(?:in|on|against) (?:the )?(?:staging|production|prod)\b(?! (?:mode|build|bundle|config))`,
    ].join('|') +
    ')',
  'i',
)

function looksForSomething(script: string): boolean {
  return script.split('\n').some((line) => !JUDGES.test(line) && simpleCommands(line).some(isSearch))
}

/** What judges itself whether something was found is a check: `! grep -r foo src`, `test "$(grep -c foo a)" -eq 0`. */
const JUDGES = /^\s*(?:el)?if\s|(?:^|[\s;&|([])!\s|\|\||\s-(?:eq|ne|lt|le|gt|ge)\s|(?:\btest|\[)\s+-[zn]\s|\bexit\b/

function isSearch({ words: [program = '', first = ''] }: SimpleCommand): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return SEARCHES.has(name) || SEARCHES.has(`${name} ${first}`)
}

/** It prints nothing, so 0 is its exit status: `test -f a.ts` that "returns 0" has found it. */
function hasOnlyStatus(script: string): boolean {
  return simpleCommands(script).every(
    ({ words: [program = '', ...rest] }) =>
      /^(?:test|\[\[?|command|type|cd|set)$/.test(program) ||
      (/grep$|^rg$/.test(program) && rest.some((word) => /^-\w*q|^--(?:quiet|silent)$/.test(word))),
  )
}

/** What it prints is a number. */
function counts(script: string): boolean {
  const { words: [program = '', ...rest] = [] } = simpleCommands(script).at(-1) ?? {}
  return program === 'wc' || (/grep$|^rg$/.test(program) && rest.some((word) => /^-\w*c|^--count/.test(word)))
}

const SEARCHES = new Set([
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'find', 'fd', 'ls', 'which', 'wc', 'pgrep', 'lsof'],
  ...['test', '[', '[[', 'stat', 'type', 'command -v', 'git grep', 'git ls-files'],
  ...['npm ls', 'npm list', 'pnpm ls', 'pnpm list', 'pnpm why', 'yarn list', 'yarn why'],
])
