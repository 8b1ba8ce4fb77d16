// What a command prints on stdout when it has succeeded.
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
