// What the pages about a plan begin and end with.
import { html } from './escape.ts'

export type Figure = [label: string, value: string, note: string]

/** `name`, `title` and `words` are HTML already. `kind`: what is told of the plan. */
export function heading(name: string, kind: string, title: string, words: string, figures: readonly Figure[]): string {
  const list = figures.length === 0 ? '' : `<dl class="figures">${figures.map(figure).join('')}</dl>`
  return [
    `<header class="calm"><div class="in"><div class="crumb"><b><bdi>${name}</bdi></b><span>${kind}</span></div>`,
    `<div class="verdict"><div><h1>${title}</h1>${words}</div></div>${list}</div></header>`,
  ].join('')
}

function figure([label, value, note]: Figure): string {
  return `<div><dt>${html(label)}</dt><dd>${html(value)}<small>${html(note)}</small></dd></div>`
}

export const FOOTER = '<footer><p>Espalier. Times are estimates. This file loads nothing from anywhere.</p></footer>'
