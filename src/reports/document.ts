// A report as data, whatever it is about: a title, figures and sections. It is written the same way in Markdown and as an
// HTML page.
import { html, line } from './html/escape.ts'
import { page } from './html/page.ts'
import {
  type Cell,
  cellInHtml,
  cellInMarkdown,
  type ReportSection,
  sectionInHtml,
  sectionInMarkdown,
} from './sections/section.ts'
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

export function documentInHtml({ title, words, figures = [], sections }: ReportDocument): string {
  const all = figures.map(
    ([label, value, note]) => `<div><dt>${html(label)}</dt><dd>${html(value)}<small>${html(note)}</small></dd></div>`,
  )
  return page(line(title, TITLE_CHARS), [
    `<header class="calm"><div class="in"><h1>${html(line(title, TITLE_CHARS))}</h1>`,
    ...words.map((cell) => `<p class="soft">${cellInHtml(cell)}</p>`),
    all.length > 0 ? `<dl class="figures">${all.join('')}</dl>` : '',
    '</div></header><main>',
    ...sections.map(sectionInHtml),
    '</main><footer><p>Espalier. This file loads nothing from anywhere.</p></footer>',
  ])
}

const TITLE_CHARS = 200
