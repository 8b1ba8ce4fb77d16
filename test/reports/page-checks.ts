// What every HTML page has to be, whatever is on it.
import assert from 'node:assert/strict'

/** Titles, names and logs like this must stay text. */
export const HOSTILE =
  '</script></title></style><img src=x onerror=alert(1)>"\'><svg onload=alert(2)>\u202e\u001b[31m\u0000'

export function assertLoadsNothing(page: string): void {
  const [, styles] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  assert.ok(styles && !/@import|url\(|https?:/.test(styles))
  for (const tag of tags(page)) {
    assert.doesNotMatch(tag, /^<(link|iframe|object|embed|base|img|source|video|audio)\b/i, tag)
    for (const [, name, value] of tag.matchAll(/\s([\w:-]+)="([^"]*)"/g)) {
      if (name === 'href' || name === 'src' || name === 'xlink:href') assert.match(value ?? '', /^#/, tag)
      assert.doesNotMatch(name ?? '', /^on/i, tag)
      if (name !== 'title' && name !== 'aria-label') assert.doesNotMatch(value ?? '', /https?:|\/\/|url\((?!#)/, tag)
    }
  }
}

/** No script at all. */
export function assertPolicy(page: string): void {
  assert.ok(!page.includes('<script'))
  assert.ok(page.includes(`content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'`))
}

/** Every element that is opened is closed, in order; ids are unique; links lead somewhere; no figure is broken. */
export function assertSound(page: string): void {
  const open: string[] = []
  for (const [tag, close, name = '', rest = ''] of markup(page).matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/gi)) {
    if (VOID.has(name) || rest.endsWith('/')) continue
    if (close === '') open.push(name)
    else assert.equal(name, open.pop(), `${tag} closes something else`)
  }
  assert.deepEqual(open, [])
  const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length, 'an id is there twice')
  for (const [, to] of page.matchAll(/\shref="#([^"]*)"/g)) assert.ok(ids.includes(to), `#${to} leads nowhere`)
  assert.doesNotMatch(markup(page), /NaN|Infinity|undefined/)
}

/** Everything a parser would take for a tag, outside style and script. */
export function tags(page: string): string[] {
  return markup(page).match(/<[a-z][^>]*>/gi) ?? []
}

export function nameOf(tag: string): string {
  return /^<([a-z0-9]+)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
}

function markup(page: string): string {
  return page.replace(/<style>[\s\S]*?<\/style>/g, '')
}

const VOID = new Set(['meta', 'br', 'input'])
