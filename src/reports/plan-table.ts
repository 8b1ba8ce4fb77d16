// A table of the pages about a plan.
import { count } from './wording.ts'

/** `nw`: never broken; `wd`: has words or paths in it, and room for some of them in each line. */
export type Column = { name: string; look: 'nw' | 'wd' }

/** Titles and cells are HTML already. `all`: how many rows there would be without a limit. Empty without rows. */
export function table(title: string, words: string, columns: readonly Column[], rows: string[][], all: number): string {
  if (rows.length === 0) return ''
  const head = columns.map(({ name }) => `<th>${name}</th>`)
  const body = rows.map((row) => {
    return `<tr>${columns.map(({ look }, at) => `<td class="${look}">${row[at] ?? ''}</td>`).join('')}</tr>`
  })
  const more =
    all > rows.length
      ? `<p class="note">And ${count(all - rows.length)} more; <code>--json</code> has all of them.</p>`
      : ''
  return [
    `<section><h2>${title}</h2>${words === '' ? '' : `<p class="soft">${words}</p>`}`,
    `<div class="scroll"><table class="pl"><thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>${body.join('')}</tbody></table></div>${more}</section>`,
  ].join('')
}
