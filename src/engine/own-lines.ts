// Output with headings between its parts. A heading begins a line, also after a program that ended in the middle of one.

export type Part = Buffer | { heading: string }

export async function* ownLines(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  let isLineStart = true
  for await (const part of parts) {
    const text: Buffer = Buffer.isBuffer(part) ? part : Buffer.from(`${isLineStart ? '' : '\n'}── ${part.heading} ──\n`)
    if (text.length > 0) isLineStart = text.at(-1) === NEWLINE
    yield text
  }
}

const NEWLINE = 10
