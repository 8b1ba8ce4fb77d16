// What a command prints on stdout when it has succeeded.
import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import type { Surroundings } from '../surroundings.ts'

export function printLines(lines: readonly string[], { out }: Surroundings): ExitStatus {
  out.write(`${lines.join('\n')}\n`)
  return EXIT.done
}

export function printJson(value: object, { out }: Surroundings, indent?: number): ExitStatus {
  out.write(`${jsonOutput(value, indent)}\n`)
  return EXIT.done
}
