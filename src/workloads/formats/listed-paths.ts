// The paths of one item in a list of files, without what is said about them: `- Modify: `a.ts`, `b.ts` (the imports)`.

export function pathsOfItem(item: string): string[] {
  const said = item.slice(0, MAX_CHARS).split(/\s\(|\s[-–—]+\s/, 1)[0] ?? ''
  const coded = said.match(/`[^`]+`/g)
  const parts = coded ? coded.map((code) => code.slice(1, -1)) : said.split(/,\s*|\s+and\s+/)
  return parts
    .map((part) => part.trim().split(/\s/, 1)[0] ?? '')
    .filter((part) => part !== '' && !NO_PATH.has(part.toLowerCase()))
}

const MAX_CHARS = 4_000

const NO_PATH = new Set(['none', 'n/a', 'na', '-', '–', '—', 'no', 'nothing', 'tbd'])
