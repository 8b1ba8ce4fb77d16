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
  const wellAt = endsWell(spans)
  const verify: string[] = []
  let hasWords = false
  let isRun = false
  // "Manually: open the app and run …", "If possible run …": that goes for the rest of its sentence.
  let isMaybe = false
  for (const [i, { code, before, after }] of spans.entries()) {
    const sentences = before.split(SENTENCE_END)
    isMaybe = (isMaybe && sentences.length === 1) || saysMaybe(sentences.at(-1) ?? '')
    isRun = (RUN.test(before) && !NOT_RUN.test(before)) || (isRun && LINK.test(before))
    const command =
      isMaybe || saysMaybe(firstSentence(after))
        ? null
        : isRun
          ? wantsNoSuccess(code, firstSentence(after))
            ? null
            : startsLikeCommand(code)
          : wellAt[i] && leadsTo(before, after, i) && isCommand(code)
            ? code
            : null
    if (command === null || !(isRun || i > 0 || LINK.test(before) || isLabel(before) || CHECK.test(before)))
      hasWords = true
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

/** Of "`a` and `b` pass" the end is said of both. */
function endsWell(spans: readonly Span[]): boolean[] {
  const well: boolean[] = []
  for (let i = spans.length - 1; i >= 0; i--) {
    const { after = '' } = spans[i] ?? {}
    const isShared = i + 1 < spans.length && LINK.test(after)
    well[i] = isShared ? well[i + 1] === true : saysItPasses(after)
  }
  return well
}

/** Whether the words before do not make something else of it: "The page at `/login`". */
function leadsTo(before: string, after: string, index: number): boolean {
  if (LINK.test(before) || isLabel(before) || CHECK.test(before)) return true
  if (index > 0 && /[,;.]$/.test(before) && saysItPasses(before)) return true
  return /(?:^|[\s,;])(?:and|then|[,;&])$/i.test(before) && (index > 0 || saysItPasses(after))
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

const PASSES =
  /^(?:now |still |should |must |all |both |and |it |to |is |are |the |existing |new |unit |tests? )*(?:pass(?:es|ing)?|succeeds?|green|exits? (?:with )?(?:code |status )?0|completes? (?:successfully|without)|works|clean|ok|no errors?|without errors?|runs (?:clean|without)|builds)\b/i
