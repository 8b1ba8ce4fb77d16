// The paths of one item in a list of files, without what is said about them: `- Modify: `a.ts` (the imports), `b.ts``.
import { pathsInProse } from './prose.ts'

export function pathsOfItem(item: string): string[] {
  const bare = item
    .slice(0, MAX_CHARS)
    .replace(/\s+/g, ' ')
    .replace(/ \([^()]*\)/g, '')
  const said = bare.split(/ \(| [-–—]+ /, 1)[0] ?? ''
  const coded = said.match(/`[^`]+`/g)
  const paths = coded
    ? coded.map((code) => firstWord(code.slice(1, -1)))
    : said.split(/[,;] ?| and | (?:→|->|=>) /).flatMap(pathsOfPart)
  return paths.filter((path) => path !== '' && !NO_PATH.has(path.toLowerCase()) && !/^\d+(?:[-–]\d+)?$/.test(path))
}

/** One path with words behind it, or words with a path among them: `all files in src/`. */
function pathsOfPart(part: string): string[] {
  const first = firstWord(part)
  const isAlone = first === part.trim()
  return isAlone || /[/.*]|^[A-Z]{3,}$/.test(first) ? [first] : pathsInProse(part)
}

/** Without the colon behind which something is said of it. */
function firstWord(text: string): string {
  return text.trim().split(/\s/, 1)[0]?.replace(/:$/, '') ?? ''
}

const MAX_CHARS = 4_000

const NO_PATH = new Set(['none', 'n/a', 'na', '-', '–', '—', 'no', 'nothing', 'tbd', 'all', 'various'])
