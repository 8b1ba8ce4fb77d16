// Commands that stand as code in a line of words: "Run `npm test` and `npm run build`", "Types: `npx tsc --noEmit`",
// "`npm test` passes". Whether code is to be run is said by the words around it.
import { isCommand } from './command-line.ts'
import { firstSentence, SENTENCE_END, saysMaybe, wantsNoSuccess } from './expected-outcome.ts'
import { isNoCommandLine, runnableCommand } from './trailing-remark.ts'

export type CodedCommands = {
  verify: string[]
  /** Something in it is no command: only somebody who reads can tell. */
  hasWords: boolean
}

/** Null: there is no code in it. */
export function codedCommands(line: string): CodedCommands | null {
  const spans = spansOf(line)
  if (spans.length === 0) return null
  const saidAt = saidOf(spans)
  const verify: string[] = []
  let hasWords = false
  let isRun = false
  // "Manually: open the app and run …", "If possible run …": that goes for the rest of its sentence.
  let isMaybe = false
  for (const [i, { code, before, after }] of spans.entries()) {
    const said = saidAt[i] ?? ''
    const isToSucceed = !wantsNoSuccess(code, firstSentence(said))
    const sentences = before.split(SENTENCE_END)
    isMaybe = (isMaybe && sentences.length === 1) || saysMaybe(sentences.at(-1) ?? '')
    isRun = (RUN.test(before) && !NOT_RUN.test(before)) || (isRun && LINK.test(before))
    const command =
      isMaybe || saysMaybe(firstSentence(after)) || !isToSucceed
        ? null
        : isRun
          ? startsLikeCommand(code)
          : saysItPasses(said) && leadsTo(before, after, i) && isCommand(code)
            ? code
            : null
    if (command === null || !(isRun || i > 0 || introduces(before))) hasWords = true
    if (command !== null) verify.push(command)
  }
  return { verify, hasWords }
}

type Span = { code: string; before: string; after: string }

/** The words between two are both: behind the one and before the other. */
function spansOf(line: string): Span[] {
  const found = [...line.matchAll(/(`{1,3})([^`]+)\1/g)].slice(0, MAX_SPANS)
  const endOf = (match: RegExpExecArray | undefined): number => (match ? match.index + match[0].length : 0)
  const between = (from: number, to?: number): string => line.slice(from, to).replace(/\s+/g, ' ').trim()
  return found.map((match, i) => ({
    code: runnableCommand((match[2] ?? '').trim()),
    before: between(endOf(found[i - 1]), match.index),
    after: between(endOf(match), found[i + 1]?.index),
  }))
}

/** More than anybody puts into one line. */
const MAX_SPANS = 50

/** What is said of each: of "`a` and `b` pass" the end is said of both. */
function saidOf(spans: readonly Span[]): string[] {
  const said: string[] = []
  for (let i = spans.length - 1; i >= 0; i--) {
    const { after = '' } = spans[i] ?? {}
    const isShared = i + 1 < spans.length && LINK.test(after)
    said[i] = isShared ? (said[i + 1] ?? '') : after
  }
  return said
}

/** Whether the words before do not make something else of it: "The page at `/login`". */
function leadsTo(before: string, after: string, index: number): boolean {
  if (introduces(before)) return true
  if (index > 0 && /[,;.]$/.test(before) && saysItPasses(before)) return true
  return /(?:^|[\s,;])(?:and|then|[,;&])$/i.test(before) && (index > 0 || saysItPasses(after))
}

/** Nothing else is said by it than that a command follows. */
function introduces(before: string): boolean {
  return LINK.test(before) || isLabel(before) || CHECK.test(before) || (CLAIM.test(before) && !NO_CLAIM.test(before))
}

/** "Tests: npm test" without the label, which is read as before code; as it is where the label makes something else of it. */
export function withoutLabel(line: string): string {
  const [label = '', command = ''] = line.split(/(?<=:(?:\*\*|__)?)\s+(.*)/s, 2)
  // "npm test: none fail" begins with the command.
  if (command === '' || !isLabel(label) || isCommand(label.replace(/:\W*$/, ''))) return line
  return saysMaybe(label) || wantsNoSuccess(command, label) ? line : command
}

/** `Types:`, `**Tests:**`, `TypeScript compiles:`; but not `Do not run:` or `Rollback:`. */
function isLabel(before: string): boolean {
  return LABEL.test(before) && !OTHER_LABEL.test(before)
}

/** Nothing, or what only joins. */
const LINK = /^[\s,;&+]*(?:(?:and|then|also|both)\b[\s,]*)*$/i
const RUN = /(?:^|[\s,;*])(?:run|execute|command)(?:\*\*)?\s*:?\s*(?:\*\*)?$/i
const NOT_RUN = /\b(?:not|never|don['’]t)\s\w+\W*$/i
const LABEL = /^(?:\*\*|__)?[A-Za-z][\w /&'-]{0,60}(?::(?:\*\*|__)?|(?:\*\*|__):)$/
const OTHER_LABEL =
  /\b(?:not|never|don't|manual|manually|optional|optionally|example|rollback|roll|undo|revert|fails?|output|before|start|cleanup|clean|deploy|publish|if|note|instead)\b/i
/** "All unit tests pass (`npm test`)". */
const CLAIM = /\b(?:pass|passes|succeeds?|green|compiles|builds)\s*(?:\(|[–—-]+|via|with|using)$/i
const NO_CLAIM = /\b(?:not|never|no|cannot|until|before|if|when|unless)\b|n['’]t\b/i
const CHECK = /^(?:then |and )?(?:verify|ensure|check|confirm|make sure)(?: that)?$/i

/** Somebody said that it is to be run, so only what cannot be a command is left out: a path alone, a name. */
function startsLikeCommand(code: string): string | null {
  const isOne = /^[\w./~$-]/.test(code) && (/\s/.test(code) || isCommand(code))
  return isOne && !isNoCommandLine(code) ? code : null
}

/** Nothing more, or that it ends well. Anything else ("returns 200") is not what an exit status tells. */
function saysItPasses(rest: string): boolean {
  const text = rest.trim().replace(/^[-–—:,→=>()[\]\s]+/, '')
  return text === '' || /^[.;)]*$/.test(text) || PASSES.test(text)
}

/** What it says of itself counts only where it is that nothing is wrong: "returns 200 OK" is not what an exit status tells. */
const SAYS =
  '(?:(?:with|has|have|shows?|reports?|returns?|produces?|gives?|prints?|finds?|ends? with|finishes with|completes? with|exits? with) )?'

/** That it ends well, or that nothing is wrong: "reports no type errors", "12 passed, 0 failed", "must not fail". */
const PASSES = new RegExp(
  '^(?:(?:now|still|should|must|all|both|and|it|to|is|are|the|existing|new|unit|tests?|syntax|types?|checks?|suite) )*(?:' +
    [
      'pass(?:es|ed|ing)?|succeeds?|green|exits? (?:with )?(?:code |status )?0|completes? (?:successfully|without)',
      'works|clean|ok|runs (?:clean|without)|builds',
      String.raw`${SAYS}(?:all )?\d+(?:\/\d+)?\+? (?:[\w-]{1,20} ){0,3}pass(?:es|ed|ing)?`,
      String.raw`${SAYS}(?:no|zero|0|without(?: any)?) (?:[\w-]{1,20} ){0,2}(?:errors?|failures?|warnings?|regressions?|issues?)`,
      `${SAYS}(?:no|zero|0|without(?: any)?) (?:problems?|vulnerabilities|violations?|output|(?:tests? )?failed)`,
      "(?:(?:does|do|will|may) )?not (?:fail|throw|crash)|(?:does|do|must|should)n['’]t (?:fail|throw|crash)",
    ].join('|') +
    String.raw`)\b`,
  'i',
)
