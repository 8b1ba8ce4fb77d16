// The frame of every HTML page: one file that loads nothing. Its content security policy allows no script at all, so that
// even a mistake in escaping would not run foreign text.
import { html } from './escape.ts'
import { style } from './style.ts'

/** `body` is HTML already. */
export function page(title: string, body: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
    `<title>${html(title)}</title><style>${style()}</style></head><body>`,
    ...body,
    '</body></html>\n',
  ].join('\n')
}
