// Whether words say of a command that it fails. `npm test; expected: FAIL` is a step on the way (the test is there, the code is
// not): nothing that holds in the end. But "fail" is in many words that say nothing of the kind: "no failures", "stop on first
// failure", "all pass, failed logins too".

export function saysItFails(words: string): boolean {
  if (PLAINLY.test(words)) return true
  return !saysItPasses(words) && [...words.matchAll(FAIL)].some(({ 0: fail, index }) => isSaid(words, fail, index))
}

export function saysItPasses(words: string): boolean {
  return PASSES.test(words)
}

/** The first thing that is said of it, or how many do: "should fail", "3 passed, 1 failed". What "fails if …" may pass. */
const PLAINLY =
  /(?:^|[;:.])\W*(?:(?:expect(?:ed|s)?|output|result|it|this|that|they|tests?|all|should|must|will|to|see|now|still|is|are|be)\b\W*)*fail(?:s|ed|ing)?\b(?![ -](?:only if|if|when|unless|below|under|on any|on first|on the first|tests?|cases?|fast|over)\b)(?!\s+\w+\s+(?:now )?pass)|\b[1-9]\d* (?:tests? )?fail/i

const PASSES =
  /(?<!\b(?:not|never|cannot|until|before)\s(?:\w{1,20}\s)?)\b(?:pass(?:es|ed|ing)?|succeeds?|green|exits? (?:with )?(?:code |status )?0)\b/i

const FAIL = /\bfail(?:s|ed|ing|ures?)?\b/gi

/** Of the command, and not only spoken of. */
function isSaid(words: string, fail: string, index: number): boolean {
  const before = words.slice(Math.max(0, index - MAX_BEFORE), index)
  const isSpokenOf = /^failure/i.test(fail) && SPOKEN_OF.test(before)
  return !isSpokenOf && !DENIED.test(before) && !CONDITION.test(words.slice(index + fail.length))
}

/** More than the words that can take a "fail" back. */
const MAX_BEFORE = 100

/** "No new test failures", "none fail", "if any test fails", "previously failing". */
const DENIED =
  /\b(?:(?:no|none|nothing|zero|0|without)\s+(?:\w{1,20}\s+){0,3}|(?:any|if|including|includes?|covers?|covering|handles?|handling|previously|formerly)\s+(?:\w{1,20}\s+){0,2}|(?:not|never|(?:do|does|must|should)n['’]t)\s+(?:\w{1,20}\s+)?)$/i

/** "Stop on first failure". */
const SPOKEN_OF = /\b(?:on|upon|of|for|first)\s+(?:\w{1,20}\s+){0,2}$/i

/** "Fails if coverage < 80%", "fail-fast", "failure cases". */
const CONDITION =
  /^[\s-]+(?:only if|if|when|whenever|unless|below|under|fast|over|on (?:any|the|first|an?|errors?|warnings?)|cases?|modes?|paths?|scenarios?|handling|messages?|(?:is|are) (?:handled|covered|reported|shown|logged))\b/i
