// Replaces the help of the parser, which knows only commands of one word and takes `help plan show` for `help plan`.
import type { Commands } from '../command-line/command.ts'

export const commands: Commands = {
  help: (help) =>
    help.action((words: string[]) => {
      let command = help.parent
      for (const word of words) {
        const named = command?.commands.find((one) => one.name() === word)
        if (!named) return help.error(`error: unknown command '${words.join(' ')}'`)
        command = named
      }
      command?.outputHelp()
    }),
}
