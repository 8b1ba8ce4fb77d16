// Which field of the work a task belongs to, by its words and paths.
import type { Task } from '../task.ts'

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

/** Best fitting domain; of equals the first. */
export function domainOf(task: Task): string {
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

export function textOf({ work }: Pick<Task, 'work'>): string {
  return work.kind === 'prompt' ? work.prompt : work.command
}

/** Lower-case words, each once. Only the beginning of a long text: what a task is about stands there. */
export function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .slice(0, READ_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )
}

const READ_CHARS = 20_000

function words(text: string): string[] {
  return text.split(' ')
}
