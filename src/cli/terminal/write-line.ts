// Writes a line, and waits where the reader is slower than we are: what is not read yet is held in memory.
import type { Output } from '../surroundings.ts'

export function writeLine(out: Output, line: string): void | Promise<void> {
  return written(out, `${line}\n`)
}

/** A promise only where there is something to wait for. A reader that goes away ends the wait. */
export function written(out: Output, text: string | Uint8Array): void | Promise<void> {
  if (out.write(text)) return
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ENDS) out.removeListener(event, done)
      resolve()
    }
    for (const event of ENDS) out.once(event, done)
  })
}

const ENDS = ['drain', 'error', 'close']
