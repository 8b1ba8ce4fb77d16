// A report in Markdown, whatever it is about: a title, figures and sections.
import { line } from './escape.ts'
import { type Cell, cellInMarkdown, type ReportSection, sectionInMarkdown } from './sections/section.ts'
import type { Figure } from './wording.ts'

export type ReportDocument = {
  title: string
  words: readonly Cell[]
  figures?: readonly Figure[]
  sections: readonly (ReportSection | null)[]
}

export function documentInMarkdown({ title, words, figures = [], sections }: ReportDocument): string {
  const rows = figures.map(([label, value, note]) => `| ${label} | **${value}** | ${note} |`)
  const parts = [
    `# ${cellInMarkdown(line(title, TITLE_CHARS))}`,
    ...words.map(cellInMarkdown),
    ...(rows.length > 0 ? [['|  |  |  |', '| --- | --- | --- |', ...rows].join('\n')] : []),
    ...sections.map(sectionInMarkdown),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const TITLE_CHARS = 200
