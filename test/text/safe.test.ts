import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeUnsafe, safeColoured, safeLine, safeText } from '../../src/text/safe.ts'

const ESC = '\u001b'

const texts: [what: string, given: string, wanted: string][] = [
  ['plain text', 'two lines\n\tand a tab', 'two lines\n\tand a tab'],
  ['other scripts and emoji', '你好 👩‍💻 ❤️‍🔥 1️⃣ 👍🏽 naïve עברית', '你好 👩‍💻 ❤️‍🔥 1️⃣ 👍🏽 naïve עברית'],
  ['a joiner where a script needs it', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
  ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
  ['colours as C1', '\u009b31mred\u009b0m', 'red'],
  ['a cleared screen and a moved cursor', `${ESC}[2J${ESC}[1;1Hhello${ESC}[?25l`, 'hello'],
  ['a character set', `${ESC}(Bplain${ESC}7`, 'plain'],
  ['a title', `${ESC}]0;title\u0007hello`, 'hello'],
  ['a title as C1', '\u009d0;title\u009chello', 'hello'],
  ['the clipboard (OSC 52)', `${ESC}]52;c;ZXZpbA==${ESC}\\hello`, 'hello'],
  ['a link', `${ESC}]8;;http://evil.example\u0007click${ESC}]8;;${ESC}\\`, 'click'],
  ['a device control string', `${ESC}P+q544e${ESC}\\hello\u0090$qm\u009c`, 'hello'],
  ['APC, PM and SOS', `${ESC}_a${ESC}\\${ESC}^b${ESC}\\${ESC}Xc${ESC}\\hello`, 'hello'],
  ['a sequence that does not end', `${ESC}]0;seen\nhello ${ESC}`, '0;seen\nhello '],
  ['a sequence around a control character', `${ESC}\u0000[31mseen`, '[31mseen'],
  ['NUL, bell, backspace, delete', 'nul\u0000bell\u0007back\u0008del\u007f', 'nulbellbackdel'],
  ['C1 control characters', 'a\u0080\u0084\u009cb', 'ab'],
  ['line ends of all kinds', 'a\r\nb\u2028c\u2029d\u0085e\fg\vh', 'a\nb\nc\nd\ne\ng\nh'],
  ['a progress bar', '10%\r50%\r100%\nnext', '100%\nnext'],
  ['returns at the end of a line', 'kept\r\r\nkept\r', 'kept\nkept'],
  ['a direction override', 'user\u202egpj.exe', 'usergpj.exe'],
  ['isolates and marks', '\u2066a\u2069\u200e\u200fb\u061cc', 'abc'],
  ['tag characters', 'a\u{e0001}\u{e0069}\u{e007f}b', 'ab'],
  ['zero-width characters', 'z\u200be\u2060r\ufeffo\u00ad\u180e', 'zero'],
  ['joiners between Latin letters', 'ad\u200cmi\u200dn', 'admin'],
  ['fillers and invisible operators', 'a\u3164\u115f\u2062b', 'ab'],
  ['data hidden in variation selectors', '😀\ufe0f\ufe01\u{e0101}\u{e01ef}!\ufe0e', '😀\ufe0f!'],
  ['interlinear annotations', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ['half a character', 'half \ud83d', 'half \u{fffd}'],
]
for (const [what, given, wanted] of texts) test(`safe text: ${what}`, () => assert.equal(safeText(given), wanted))

test('a safe line is one line, and other spaces stay', () => {
  assert.equal(safeLine('  a  b\r\n\t c\u2028d\n'), 'a  b c d')
  assert.equal(safeLine(`${ESC}]0;title\u0007${ESC}[2Jhello\n\tworld${ESC}`), 'hello world')
})

const pattern = (source: string) => new RegExp(source, 'v')
const BAD = pattern('[[\\p{Cc}\\p{Bidi_Control}\\u2028\\u2029\\u200b\\u{e0000}-\\u{e0fff}]--[\\n\\t]]')

test('whatever the text, nothing of that kind is left, and it is safe already the second time', () => {
  const nasty = fc.constantFrom(ESC, '\u009b', '\u009d', '[', ']', '\\', '\r', '\u200d', '\ufe0f', '👩', 'a', '\u202e')
  const text = fc.string({ unit: fc.oneof(nasty, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) })
  fc.assert(
    fc.property(text, (given) => {
      const once = safeText(given)
      assert.doesNotMatch(once, BAD)
      assert.ok(once.isWellFormed())
      assert.equal(safeText(once), once)
      assert.doesNotMatch(safeLine(given), /[\n\t]/)
    }),
  )
})

test('long hostile texts take no longer than others', { timeout: 120_000 }, () => {
  for (const unit of [`${ESC}[0`, '\u009d', '\r', 'é ', `${ESC}]`, '\u200d', '\ufe0f', '\t '])
    safeLine(unit.repeat(1_000_000))
})

test('JSON keeps its values when such characters are escaped', () => {
  const value = '\u202e\u009b31m\u2028\u{e0069}\u200b\n<é👩‍💻'
  const written = escapeUnsafe(JSON.stringify({ value }, null, 2))
  assert.doesNotMatch(written, BAD)
  assert.deepEqual(JSON.parse(written), { value })
})

test('for a terminal with colours, only colours stay', () => {
  assert.equal(safeColoured('\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b[2J\x1b[6n'), '\x1b[31mred\x1b[0m')
  assert.equal(safeColoured('\x1b]52;c;\x1b[31mx\x07y'), '52;c;\x1b[31mxy')
  assert.equal(safeColoured('10%\r\x1b[32m20%\n'), '\x1b[32m20%\n')
  assert.equal(safeColoured('\x1b[31;?25lm'), 'm')
})
