// Text that came from agents, plans, commands or files, made safe for a terminal, a report or a prompt. This is the only
// list of what is taken out:
//   - terminal sequences (colours, titles, the clipboard) and all control characters except line breaks and tabs;
//   - what was overwritten on a line that a program drew again and again: of a progress bar the last state stays;
//   - characters that show nothing: those that turn the direction of text, tags that only a model reads, variation selectors
//     that carry hidden data. Joiners and emoji selectors stay where a script or an emoji needs them.
// Nothing is put in their place, so that a secret with one of them in its middle is still recognised. By hand: strip-ansi and
// Node's stripVTControlCharacters remove colours and titles only.

export function safeText(text: string): string {
  if (HARMLESS.test(text)) return text
  const plain = text.toWellFormed().replace(TERMINAL_SEQUENCE, '').replace(LINE_BREAK, '\n')
  return withoutOverwritten(plain).replace(CONTROL, '').replace(INVISIBLE, '')
}

/** The same for a terminal that shows colours: they stay, and nothing else does. Of whole lines. */
export function safeColoured(text: string): string {
  if (HARMLESS.test(text)) return text
  return withoutOverwritten(text)
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join('')
}

export function safeLine(text: string): string {
  return safeText(text)
    .replace(/[\n\t]\s*/g, ' ')
    .trim()
}

/** For JSON and the like, whose values must stay what they are: such characters are written as `\uXXXX`. */
export function escapeUnsafe(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(UNSAFE, (character) => character.split('').map(escaped).join(''))
}

/** A carriage return goes back to the start of the line. One at its end overwrites nothing. */
function withoutOverwritten(text: string): string {
  if (!text.includes('\r')) return text
  const lines = text.split('\n').map((line) => {
    let end = line.length
    while (line[end - 1] === '\r') end--
    return line.slice(end === 0 ? 0 : line.lastIndexOf('\r', end - 1) + 1, end)
  })
  return lines.join('\n')
}

const pattern = (source: string, flags = 'gv') => new RegExp(source, flags)

/** Printable ASCII and line breaks, which is nearly everything. */
const HARMLESS = pattern('^[\\n\\t\\x20-\\x7e]*$', 'v')
/**
 * OSC, DCS, SOS, PM and APC with their text, which ends with BEL or ST; control sequences (CSI); then all other escapes. Each
 * exists as ESC and a letter and as one C1 character. Where a text does not end, only its beginning is taken out.
 */
const TERMINAL_SEQUENCE = pattern(
  '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])(?:[^\\x07\\n\\x1b\\x90\\x98\\x9c-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c))?' +
    '|(?:\\x1b\\[|\\x9b)[0-?]*[ -\\/]*[@-~]?|\\x1b[ -\\/]*[0-~]?',
)
/** Select Graphic Rendition: how what follows looks. */
const COLOUR = pattern('(\\x1b\\[[0-9;:]*m)', 'v')
const LINE_BREAK = pattern('[\\v\\f\\x85\\u2028\\u2029]')
const CONTROL = pattern('[\\p{Cc}--[\\n\\t]]')
/** Characters after which a zero-width joiner has an effect: an emoji, or a letter of a script that has joined forms. */
const JOINED =
  '(?:[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?|' +
  '[[\\p{L}\\p{M}]--[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{DI}]])'
/** `DI`: Default_Ignorable_Code_Point, all that is not to be shown; direction characters and tags are among it. */
const INVISIBLE = pattern(
  `(?<!${JOINED})[\\u200c\\u200d]|(?<!\\p{Emoji})[\\ufe0e\\ufe0f]|` +
    '[[\\p{DI}\\ufff9-\\ufffb]--[\\u200c\\u200d\\ufe0e\\ufe0f]]',
)
const UNSAFE = pattern('[[\\p{Cc}\\p{DI}\\u2028\\u2029\\ufff9-\\ufffb]--[\\n]]')
