// The words by which a task is recognised when a similar one comes along: the rarer ones of its text.
import { type Classified, textOf, wordsOf } from './domain.ts'
import { HIDDEN, redact } from './redact.ts'

/**
 * Longer words first, which say more; in a fixed order, so that the same text gives the same list. They are kept beyond the
 * run, so secrets are taken out while the text is still in one piece.
 */
export function tellingWords(task: Pick<Classified, 'title' | 'work' | 'claims'>): string[] {
  const paths = [...task.claims.write, ...task.claims.read].join(' ')
  const said = `${task.title} ${textOf(task).slice(0, WORDS_CHARS)} ${paths.slice(0, WORDS_CHARS)}`
  const found = [...wordsOf(redact(said).replaceAll(HIDDEN, ' '))]
  return found
    .filter((word) => word.length >= SHORTEST && !EVERYWHERE.has(word) && !/^\d+$/.test(word) && !isRandom(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map((word) => word.slice(0, LONGEST))
}

/** Nobody writes such a word, and no other task has it. */
function isRandom(word: string): boolean {
  return word.length > LONGEST_MIXED && /\d/.test(word) && /\p{L}/u.test(word)
}

const SHORTEST = 4
const LONGEST_MIXED = 20
/** More than words are taken from: where a text is cut, half a secret might stay. */
const WORDS_CHARS = 40_000
const LONGEST = 40
const MOST_WORDS = 24
const EVERYWHERE = new Set(
  'that this with from have must should when then them they there each every only into onto than also make made adds work file files code task tasks using used uses need needs will would could what which where while after before does done same some such more most other about between without within'.split(
    ' ',
  ),
)
