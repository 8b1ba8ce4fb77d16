// Features of a task before it has run, for comparing attempts: its domain, by its words and paths; its complexity; and the words
// that distinguish it.
import type { Looks } from '../learning-records.ts'
import type { Task } from '../task.ts'
import { HIDDEN, redact } from './redact.ts'

export function looksOf(task: Task): Looks {
  return { domain: domainOf(task), complexity: complexityOf(task), words: tellingWords(task) }
}

/** Words are matched as whole words, paths as a part of a path; both without regard to case. */
type DomainRule = { words: readonly string[]; paths: readonly string[] }

export const GENERAL = 'general'

export const DOMAINS: Readonly<Record<string, DomainRule>> = {
  database: {
    words: words('database sql migration migrations schema table tables query queries index postgres sqlite mysql orm'),
    paths: ['db/', 'database/', 'migrations/', 'prisma/', '.sql'],
  },
  api: {
    words: words('api endpoint endpoints route routes rest graphql http request response webhook controller openapi'),
    paths: ['api/', 'routes/', 'controllers/', 'handlers/', 'graphql/', '.proto'],
  },
  frontend: {
    words: words('ui page button form component components css layout style react vue svelte dashboard accessibility'),
    paths: ['components/', 'pages/', 'frontend/', 'web/', 'ui/', '.css', '.tsx', '.vue', '.svelte', '.html'],
  },
  testing: {
    words: words('test tests testing coverage fixture fixtures mock e2e playwright flaky assertion'),
    paths: ['test/', 'tests/', 'spec/', '__tests__/', '.test.', '.spec.'],
  },
  security: {
    words: words(
      'auth authentication authorization login password token tokens oauth encryption secret permissions csrf',
    ),
    paths: ['auth/', 'security/', 'crypto/'],
  },
  deployment: {
    words: words('deploy deployment docker kubernetes ci pipeline terraform helm release build container nginx'),
    paths: ['deploy/', '.github/', 'terraform/', 'helm/', 'dockerfile', 'docker-compose', '.gitlab-ci'],
  },
}

/** The best fitting domain; of equals the first. */
function domainOf(task: Task): string {
  const words = wordsOf(`${task.title} ${textOf(task)}`)
  const paths = [...task.claims.write, ...task.claims.read].map((path) => path.toLowerCase())
  let best = GENERAL
  let most = 0
  for (const [name, rule] of Object.entries(DOMAINS)) {
    const isTagged = task.tags.some((tag) => tag.toLowerCase() === name)
    const byPath = paths.filter((path) => rule.paths.some((part) => path.includes(part))).length
    const byWord = rule.words.filter((word) => words.has(word)).length
    // A path is where the work is done; a word may only be mentioned.
    const score = (isTagged ? TAGGED : 0) + PER_PATH * Math.min(byPath, MOST_COUNTED) + Math.min(byWord, MOST_COUNTED)
    if (score <= most) continue
    best = name
    most = score
  }
  return best
}

const TAGGED = 100
const PER_PATH = 2
const MOST_COUNTED = 3

function textOf({ work }: Pick<Task, 'work'>): string {
  return work.kind === 'prompt' ? work.prompt : work.command
}

/** Lower-case words, each once. Only from the beginning of a long text, which says what the task is about. */
function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .slice(0, READ_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )
}

function words(text: string): string[] {
  return text.split(' ')
}

/** Estimated difficulty from 0 to 1: a first guess until similar tasks have run (model-choice.ts). */
function complexityOf(task: Task): number {
  const text = `${task.title}\n${textOf(task)}`.slice(0, READ_CHARS)
  const hard = 2 * count(text, HARD_WORDS) + count(text, REQUIREMENTS) - 2 * count(text, EASY_WORDS)
  const size = breadth(task.claims.write) + count(text, FILE_NAMES) / 2 + text.length / 1_000
  return share(hard + size + task.verify.length + task.needs.length, 15)
}

/** `amount` as a share of `plenty`, with diminishing effect: twice plenty is not twice as hard. */
function share(amount: number, plenty: number): number {
  return amount <= 0 ? 0 : 1 - Math.exp((-2 * amount) / plenty)
}

/** A number for the claimed files: wildcards claim more code. */
function breadth(globs: readonly string[]): number {
  return globs.reduce((sum, glob) => sum + (glob.includes('**') ? 3 : glob.includes('*') ? 2 : 1), 0)
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

const HARD_WORDS =
  /\b(architect\w*|redesign\w*|refactor\w*|rewrit\w+|migrat\w+|concurren\w+|race|races|deadlock\w*|lock-?free|distributed|consisten\w+|algorithm\w*|optimi[sz]\w*|performance|investigat\w+|debug\w*|diagnos\w+|protocol|parser|compiler|transaction\w*|recover\w*|crypto\w*|security|invariant\w*|backward\w*|legacy|memory leak)\b/giu
const EASY_WORDS = /\b(typo\w*|rename\w*|comment\w*|readme|changelog|bump|wording|whitespace|format|lint|docs?)\b/giu
/** Requirements: items of lists, and words that demand something. */
const REQUIREMENTS = /^\s*(?:[-*]|\d+[.)])\s|\b(must|should|never|always|ensure)\b/gimu
const FILE_NAMES = /[\w-]+\.(ts|tsx|js|py|go|rs|java|rb|c|cpp|sql|css|html|ya?ml|json|md)\b/giu

const READ_CHARS = 20_000

// The words by which similar tasks are recognised: the rarer ones of the text.

/** Longer words first, in a fixed order. Secrets are removed before the text is cut. */
function tellingWords(task: Task): string[] {
  const paths = [...task.claims.write, ...task.claims.read].join(' ')
  const said = `${task.title} ${textOf(task).slice(0, WORDS_CHARS)} ${paths.slice(0, WORDS_CHARS)}`
  const found = [...wordsOf(redact(said).replaceAll(HIDDEN, ' '))]
  return found
    .filter((word) => word.length >= SHORTEST && !EVERYWHERE.has(word) && !/^\d+$/.test(word) && !isRandom(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map((word) => word.slice(0, LONGEST))
}

/** True for generated words, which no other task shares. */
function isRandom(word: string): boolean {
  return word.length > LONGEST_MIXED && /\d/.test(word) && /\p{L}/u.test(word)
}

const SHORTEST = 4
const LONGEST_MIXED = 20
/** Longer than the part that words are taken from: a cut could leave half a secret. */
const WORDS_CHARS = 40_000
const LONGEST = 40
const MOST_WORDS = 24
const EVERYWHERE = new Set(
  'that this with from have must should when then them they there each every only into onto than also make made adds work file files code task tasks using used uses need needs will would could what which where while after before does done same some such more most other about between without within'.split(
    ' ',
  ),
)
