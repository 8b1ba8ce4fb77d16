// The documentation as data: pages, their headings, links, tables and code blocks.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Block = { page: string; line: number; info: string; text: string }

/** Paths from the top of the project: the README, everything in docs/, and what introduces the examples. */
export function pageNames(): string[] {
  return ['README.md', ...globSync(['docs/**/*.md', 'examples/{,*/}README.md'], { cwd: ROOT }).sort()]
}

export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** In the order of the page, without their fences. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  pageText(page)
    .split('\n')
    .forEach((line, index) => {
      const fence = /^```(.*)$/.exec(line)
      if (fence && open) {
        blocks.push(open)
        open = null
      } else if (fence) open = { page, line: index + 1, info: (fence[1] ?? '').trim(), text: '' }
      else if (open) open.text += `${line}\n`
    })
  return blocks
}

/** The page without its code blocks; the lines keep their numbers. */
export function proseOf(page: string): string {
  let inBlock = false
  return pageText(page)
    .split('\n')
    .map((line) => {
      const fence = line.startsWith('```')
      if (fence) inBlock = !inBlock
      return fence || inBlock ? '' : line
    })
    .join('\n')
}

/** The anchors of a page, as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map((match) => match[1] ?? '')
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Links that lead to a file of this project: where from, and where to. */
export function relativeLinks(page: string): { link: string; file: string; anchor: string | null }[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor = null] = link.split('#')
      return { link, file: path === '' ? page : normalize(join(dirname(page), path)), anchor }
    })
}

/** The rows of the first table after this heading that begins with this column; cells as written. */
export function tableOf(page: string, heading: string, column: string): string[][] {
  const lines = proseOf(page).split('\n')
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'))
  if (start < 0) throw new Error(`${page} has no heading "${heading}"`)
  const head = lines.findIndex((line, index) => index > start && line.startsWith(`| ${column} |`))
  if (head < 0) throw new Error(`${page} has no table that begins with "${column}" after "${heading}"`)
  const rows: string[][] = []
  for (const line of lines.slice(head + 2)) {
    if (!line.startsWith('|')) break
    const cells = line.split('|').slice(1, -1)
    rows.push(cells.map((cell) => cell.trim()))
  }
  return rows
}

/** Everything in backticks. */
export function coded(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
}

/** What the first column of such a table names. */
export function namesIn(page: string, heading: string, column: string): string[] {
  return tableOf(page, heading, column).flatMap(([first = '']) => coded(first))
}
