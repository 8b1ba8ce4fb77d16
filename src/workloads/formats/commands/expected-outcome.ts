// What the words beside a command say is to come of it. An exit status of 0 is all that a gate knows, so a command that is to
// fail, or to find nothing, cannot be one: it would fail work that is right.
import { type SimpleCommand, simpleCommands } from './simple-commands.ts'

/** `words`: behind the command, or in a field for what is expected. */
export function wantsNoSuccess(command: string, words: string): boolean {
  const said = words.slice(0, MAX_CHARS)
  return saysItFails(said) || OTHER_STATUS.test(said) || (SAYS_NOTHING.test(said) && looksForSomething(command))
}

/** `npm test; expected: FAIL` is a step on the way (the test is there, the code is not): nothing that holds in the end. */
function saysItFails(words: string): boolean {
  return /(?<!\b(?:no|not|0|never|without|zero|nothing)\s(?:\w{1,20}\s)?)\bfail/i.test(words)
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

const OTHER_STATUS =
  /\bexit(?:s|ed)?(?: with)?(?: a)?(?: (?:code|status))?[ :=]{1,3}(?:[1-9]|non-?zero)|\bnon-?zero (?:exit|status|code|return)|\breturns? non-?zero/i

/** For `grep` and its like: `no matches`, `returns 0`, `→ 0`, `should be empty`, `should NOT match`, `must not exist`. */
const SAYS_NOTHING = new RegExp(
  [
    String.raw`\b(?:no|zero|0)\s+(?:\w+\s+)?(?:match|result|output|hit|occurrence|reference|line|file|entr|usage|instance|import|call|use|remaining|such|more)`,
    String.raw`\b(?:nothing|none|empty|absent|gone|zero)\b`,
    String.raw`\b(?:not|never)\s+(?:be\s+)?(?:match|find|found|exist|appear|contain|present|return|print|show|there|in|any)`,
    String.raw`(?:returns?|prints?|shows?|outputs?|gives?|count(?:\s+is)?|equals?|is|be|expect(?:ed|s)?:?|==?|=>|→|->|^)\s*\x60?0\x60?(?![\w.]|\s*(?:errors?|warnings?|failures?))`,
    String.raw`\bno longer (?:exist|present|there|appear|match|contain|found|in)|\b(?:is|are|be|been) (?:removed|deleted)\b`,
  ].join('|'),
  'i',
)

const MAYBE =
  /\b(?:optional(?:ly)?|manual(?:ly)?|by hand|if (?:possible|available|applicable|needed|necessary|desired|you|it|there|the)|when (?:possible|available)|where (?:possible|applicable|available)|ideally|nice to have|(?:in|on|against) (?:the )?(?:staging|production|prod)\b(?! (?:mode|build|bundle|config)))/i

function looksForSomething(script: string): boolean {
  return script.split('\n').some((line) => !JUDGES.test(line) && simpleCommands(line).some(isSearch))
}

/** What judges itself whether something was found is a check: `! grep -r foo src`, `test "$(grep -c foo a)" -eq 0`. */
const JUDGES = /(?:^|[\s;&|([])!\s|\|\||\s-(?:eq|ne|lt|le|gt|ge)\s|(?:\btest|\[)\s+-[zn]\s|\bexit\b/

function isSearch({ words: [program = '', first = ''] }: SimpleCommand): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return SEARCHES.has(name) || SEARCHES.has(`${name} ${first}`)
}

const SEARCHES = new Set([
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'find', 'fd', 'ls', 'which', 'wc', 'pgrep', 'lsof'],
  ...['test', '[', '[[', 'stat', 'type', 'command -v', 'git grep', 'git ls-files'],
  ...['npm ls', 'npm list', 'pnpm ls', 'pnpm list', 'pnpm why', 'yarn list', 'yarn why'],
])
