// What the actions of commands work with.
import type { ExitStatus } from '../exit-status.ts'
import type { Surroundings } from '../surroundings.ts'

export type Calls = {
  version: string
  surroundings: Surroundings
  /** Takes the exit status of the command that was called. */
  finish: (status: ExitStatus) => void
}

/** Arguments and flags as the parser gives them, each command knows which. */
// biome-ignore lint/suspicious/noExplicitAny: the parser does not know their types
type CommandFunction = (...given: any[]) => Promise<ExitStatus>

/** The action of a command, which is loaded only when it is called. Its function is given the surroundings last. */
export function actionOf({ surroundings, finish }: Calls) {
  return (load: () => Promise<CommandFunction>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = await load()
      finish(await command(...given.slice(0, -1), surroundings)) // the last is the parser's own
    }
}
