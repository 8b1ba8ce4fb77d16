// The frame of every HTML page: one file that loads nothing. Its content security policy allows its own script, by hash,
// and nothing else, so that even a mistake in escaping would not run foreign text.

import { createHash } from 'node:crypto'
import type { Figure } from '../wording.ts'
import { html } from './escape.ts'
import { statusSprite } from './status-look.ts'
import { style } from './style.ts'

/** `title` and `body` are HTML already. */
export function page(title: string, body: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy()}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
    `<title>${title}</title><style>${style()}</style></head><body>${statusSprite()}`,
    ...body,
    `<script>${SCRIPT}</script></body></html>\n`,
  ].join('\n')
}

/** `name`, `title` and `words` are HTML already. `kind`: what the page is about. */
export function heading(name: string, kind: string, title: string, words: string, figures: readonly Figure[]): string {
  return [
    `<header class="calm"><div class="in"><div class="crumb"><b><bdi>${name}</bdi></b><span>${kind}</span></div>`,
    `<div class="verdict"><div><h1>${title}</h1>${words}</div></div>${figureList(figures)}</div></header>`,
  ].join('')
}

export const FOOTER = '<footer><p>Espalier. Times are estimates. This file loads nothing from anywhere.</p></footer>'

export function figureList(figures: readonly Figure[]): string {
  if (figures.length === 0) return ''
  const all = figures.map(
    ([label, value, note]) => `<div><dt>${html(label)}</dt><dd>${html(value)}<small>${html(note)}</small></dd></div>`,
  )
  return `<dl class="figures">${all.join('')}</dl>`
}

function policy(): string {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

/** Adds local times, a filter, an order, and that a click in the graph opens the task. Nothing in it comes from a run. */
export const SCRIPT = `(()=>{
const $=(q,e=document)=>[...e.querySelectorAll(q)]
for(const t of $('time')){const d=new Date(t.dateTime);t.title=t.textContent;t.textContent=d.toLocaleString([],{dateStyle:'medium',timeStyle:'short'})}
const open=()=>{const k=location.hash.length>1&&document.getElementById(decodeURIComponent(location.hash.slice(1)));if(k&&k.tagName==='DETAILS')k.open=true}
addEventListener('hashchange',open);open()
const list=document.getElementById('list'),tools=document.getElementById('tools')
if(!list||!tools)return
tools.hidden=false
const [find,order,all]=['find','order','all'].map(i=>document.getElementById(i))
const rows=$('.k',list),text=rows.map(r=>r.firstElementChild.textContent.toLowerCase())
find.oninput=()=>{const w=find.value.toLowerCase().split(/\\s+/);rows.forEach((r,i)=>{r.style.display=w.every(x=>text[i].includes(x))?'':'none'})}
const by={attention:r=>+r.dataset.a,plan:r=>+r.dataset.p,longest:r=>-r.dataset.d,attempts:r=>-r.dataset.n}
order.onchange=()=>{const f=by[order.value];list.append(...[...rows].sort((x,y)=>f(x)-f(y)||x.dataset.p-y.dataset.p))}
all.onclick=()=>{const o=all.getAttribute('aria-pressed')!=='true';all.setAttribute('aria-pressed',o);all.textContent=o?'Close all':'Open all';for(const r of rows)if(r.tagName==='DETAILS'&&r.style.display!=='none')r.open=o}
let shut=[];addEventListener('beforeprint',()=>{shut=$('details:not([open])',list).filter(d=>d.dataset.a<6);for(const d of shut)d.open=true});addEventListener('afterprint',()=>{for(const d of shut)d.open=false})
})()`
