// Which git processes something starts.
import { channel } from 'node:diagnostics_channel'

const gitCommands = channel('espalier.git')

/** The commands, in the order they were started, without `-c name=value`. */
export async function counted<T>(action: () => Promise<T>): Promise<{ value: T; commands: string[] }> {
  const commands: string[] = []
  const note = (message: unknown) => {
    const { args } = message as { args: string[] }
    commands.push(args.find((word, n) => word !== '-c' && args[n - 1] !== '-c') ?? '')
  }
  gitCommands.subscribe(note)
  try {
    return { value: await action(), commands }
  } finally {
    gitCommands.unsubscribe(note)
  }
}
