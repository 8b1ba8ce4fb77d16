// What stands in brackets behind the name of another task may say that it only orders: `Task 1.2 (optional)`, `002 [soft: nicer with it]`.

/** `behind`: from the end of the name on. The word has to stand for itself: `(optional fields only)` explains. */
export function saysSoft(behind: string): boolean {
  return SOFT.test(behind)
}

const SOFT =
  /^[\s*_`]{0,9}[([]\s{0,9}(?:soft|optional|nice[- ]to[- ]have|preferred|recommended|weak)(?: (?:dep|dependency|order))?\s{0,9}(?:[)\]:;,–—]|-\s)/i
