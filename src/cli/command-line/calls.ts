// What the actions of commands work with.
import { ok, type Result } from '../../problem.ts'
import type { ExitStatus } from '../exit-status.ts'
import type { RepositoryFlags } from '../inputs/repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { type Done, statusOf } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

export type Calls = {
  surroundings: Surroundings
  /** Takes the exit status of the command that was called. */
  finish: (status: ExitStatus) => void
}

/** Arguments and flags as the parser gives them, each command knows which. */
// biome-ignore lint/suspicious/noExplicitAny: the parser does not know their types
type CommandFunction = (...given: any[]) => Promise<Done>

/**
 * The actions of commands, which are loaded only when they are called. A command is given its surroundings last: with `inRepository`
 * also the folder that its flags name and the settings there, with `inWorkspace` also the state of the repository, or it is refused.
 */
export function actionOf({ surroundings, finish }: Calls) {
  const action =
    (find: (flags: RepositoryFlags & SettingsFlags) => Promise<Result<object>>) =>
    (load: () => Promise<CommandFunction>) =>
    async (...given: unknown[]): Promise<void> => {
      const args = given.slice(0, -1) // the last is the parser's own
      const [command, found] = await Promise.all([load(), find(args.at(-1) as RepositoryFlags)])
      const done = found.ok ? await command(...args, { ...surroundings, ...found.value }) : found
      finish(statusOf(done, surroundings))
    }
  const repository = () => import('../inputs/repository.ts')
  return {
    call: action(async () => ok({})),
    inRepository: action(async (flags) => (await repository()).findRepository(surroundings, flags)),
    inWorkspace: action(async (flags) =>
      (await repository()).findWorkspace(surroundings, flags, settingsFromFlags(flags)),
    ),
  }
}
