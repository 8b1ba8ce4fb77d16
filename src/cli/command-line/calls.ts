// What a command is made of, and its actions.
import type { Command } from 'commander'
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
  /** Explain the flags that few people need, too. */
  withRare: boolean
  /** All commands with all their flags. */
  wholeCommandLine: () => Promise<Command>
}

/** The commands of a file, by the last of their words: each gives the command its flags, its help text and its action. */
export type Commands = Readonly<Record<string, (command: Command, calls: Calls & Actions) => void>>

/** Arguments and flags as the parser gives them, each command knows which. */
// biome-ignore lint/suspicious/noExplicitAny: the parser does not know their types
type CommandFunction = (...given: any[]) => Promise<Done>

type Action = (command: CommandFunction) => (...given: unknown[]) => Promise<void>

type Actions = { call: Action; inRepository: Action; inWorkspace: Action }

/**
 * A command is given its surroundings last: with `inRepository` also the folder that its flags name and the settings there, with
 * `inWorkspace` also the state of the repository, or it is refused.
 */
export function actionsOf({ surroundings, finish }: Calls): Actions {
  const action =
    (find: (flags: RepositoryFlags & SettingsFlags) => Promise<Result<object>>): Action =>
    (command) =>
    async (...given) => {
      const args = given.slice(0, -1) // the last is the parser's own
      const found = await find(args.at(-1) as RepositoryFlags)
      const done = found.ok ? await command(...args, { ...surroundings, ...found.value }) : found
      finish(statusOf(done, surroundings, args.at(-1) as { json?: boolean }))
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
