// Writes a line, and waits where the reader is slower than we are: what is not read yet is held in memory.
import type { Output } from '../surroundings.ts'

/** A promise only where there is something to wait for. A reader that goes away ends the wait. */
export function writeLine(out: Output, line: string): void | Promise<void> {
  if (out.write(`${line}\n`)) return
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ENDS) out.removeListener(event, done)
      resolve()
    }
    for (const event of ENDS) out.once(event, done)
  })
}

const ENDS = ['drain', 'error', 'close']
