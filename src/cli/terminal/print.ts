// Prints the results of commands on stdout.
import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import type { Output, Surroundings } from '../surroundings.ts'

export function printLines(lines: readonly string[], { out }: Surroundings): ExitStatus {
  out.write(`${lines.join('\n')}\n`)
  return EXIT.done
}

export function printJson(value: object, { out }: Surroundings, indent?: number): ExitStatus {
  out.write(`${jsonOutput(value, indent)}\n`)
  return EXIT.done
}

export function writeLine(out: Output, line: string): void | Promise<void> {
  return written(out, `${line}\n`)
}

/** Returns a promise only if the stream is full; a reader that goes away ends the wait. */
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
