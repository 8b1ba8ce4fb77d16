// The frame of every HTML page: one file that loads nothing. Its content security policy allows its own script, by hash,
// and nothing else, so that even a mistake in escaping would not let somebody's text run.
import { createHash } from 'node:crypto'
import { SCRIPT } from './script.ts'
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

function policy(): string {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}
