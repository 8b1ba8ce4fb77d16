// What the actions of commands work with.
import type { ExitStatus } from '../exit-status.ts'
import type { Surroundings } from '../surroundings.ts'

export type Calls = {
  version: string
  surroundings: Surroundings
  /** Takes the exit status of the command that was called. */
  finish: (status: ExitStatus) => void
}
