// How hard a task looks, before anybody has tried: a number between 0 and 1 with its parts, by what stands in the plan.
// A first guess only; what really happened to tasks that looked alike soon counts for more (model-choice.ts).
import { type Classified, type DomainRules, domainScores, textOf } from './domain.ts'

export const COMPLEXITY_PARTS = ['reasoning', 'code', 'domain', 'context'] as const
export type ComplexityPart = (typeof COMPLEXITY_PARTS)[number]
export type Weights = Record<ComplexityPart, number>

/** Each between 0 and 1. */
export type Complexity = Record<ComplexityPart, number> & { score: number }

export type Weighed = Classified & { needs: readonly string[]; verify: readonly string[] }

export function complexityOf(task: Weighed, weights: Weights, own: DomainRules = {}): Complexity {
  const text = `${task.title}\n${textOf(task)}`.slice(0, READ_CHARS)
  const domains = [...domainScores(task, own).keys()]
  const parts = {
    reasoning: share(2 * count(text, HARD_WORDS) + count(text, REQUIREMENTS) - 2 * count(text, EASY_WORDS), 8),
    code: share(breadth(task.claims.write) + task.verify.length + count(text, FILE_NAMES) / 2, 10),
    domain: Math.max(...domains.map((name) => DOMAIN_WEIGHT[name] ?? USUAL_DOMAIN), domains.length === 0 ? 0.2 : 0),
    context: share(task.needs.length + domains.length + text.length / 1_000, 10),
  }
  const sum = COMPLEXITY_PARTS.reduce((total, part) => total + Math.max(0, weights[part]), 0)
  const score = COMPLEXITY_PARTS.reduce((total, part) => total + Math.max(0, weights[part]) * parts[part], 0)
  return { ...parts, score: sum === 0 ? 0.5 : score / sum }
}

/** `how much` of `plenty`, with less and less effect: twice plenty is not twice as hard. */
function share(amount: number, plenty: number): number {
  return amount <= 0 ? 0 : 1 - Math.exp((-2 * amount) / plenty)
}

/** A claim on many files is one on much code. */
function breadth(globs: readonly string[]): number {
  return globs.reduce((sum, glob) => sum + (glob.includes('**') ? 3 : glob.includes('*') ? 2 : 1), 0)
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

const HARD_WORDS =
  /\b(architect\w*|redesign\w*|refactor\w*|rewrit\w+|migrat\w+|concurren\w+|race|races|deadlock\w*|lock-?free|distributed|consisten\w+|algorithm\w*|optimi[sz]\w*|performance|investigat\w+|debug\w*|diagnos\w+|protocol|parser|compiler|transaction\w*|recover\w*|crypto\w*|security|invariant\w*|backward\w*|legacy|memory leak)\b/giu
const EASY_WORDS = /\b(typo\w*|rename\w*|comment\w*|readme|changelog|bump|wording|whitespace|format|lint|docs?)\b/giu
/** Things asked for: items of lists, and words that demand. */
const REQUIREMENTS = /^\s*(?:[-*]|\d+[.)])\s|\b(must|should|never|always|ensure)\b/gimu
const FILE_NAMES = /[\w-]+\.(ts|tsx|js|py|go|rs|java|rb|c|cpp|sql|css|html|ya?ml|json|md)\b/giu

const DOMAIN_WEIGHT: Record<string, number> = {
  security: 0.8,
  database: 0.6,
  deployment: 0.6,
  api: 0.5,
  frontend: 0.4,
  testing: 0.3,
}
const USUAL_DOMAIN = 0.5
const READ_CHARS = 20_000
