// Lines out of a stream of bytes, each of bounded length: an agent may write 100 MB without a line break.

const MAX_LINE_BYTES = 1 << 20

/** The rest of the line is skipped. */
const CUT_NOTE = ' … [line cut]'

/** Lines come without their line breaks. A last line without one counts too. */
type LineSplitter = { push(chunk: Buffer): string[]; end(): string[] }

export function lineSplitter(maxBytes = MAX_LINE_BYTES): LineSplitter {
  let parts: Buffer[] = []
  let length = 0
  let cut = false

  function add(part: Buffer): void {
    const room = maxBytes - length
    if (part.length > room) cut = true
    const kept = part.subarray(0, Math.max(room, 0))
    if (kept.length === 0) return
    // A copy: a few bytes must not keep the whole buffer they came in.
    parts.push(kept.length < part.buffer.byteLength / 2 ? Buffer.from(kept) : kept)
    length += kept.length
  }

  function take(): string {
    const bytes = Buffer.concat(parts)
    const text = cut ? wholeCharacters(bytes) + CUT_NOTE : bytes.toString('utf8').replace(/\r$/, '')
    parts = []
    length = 0
    cut = false
    return text
  }

  return {
    push(chunk) {
      const lines: string[] = []
      let start = 0
      for (let stop = chunk.indexOf(10); stop >= 0; stop = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, stop))
        lines.push(take())
        start = stop + 1
      }
      add(chunk.subarray(start))
      return lines
    },
    end: () => (length > 0 ? [take()] : []),
  }
}

/** `stream` leaves out a last character that is not complete. */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true })
}
