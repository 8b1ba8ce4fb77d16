// The flags that name the agent that writes a plan.
import { type Command, Option } from 'commander'
import { dollars, duration, filled } from './flag-values.ts'

/** `conflicts`: flags that only mean something without an agent. */
export function withPlanner(command: Command, conflicts: string[] = []): Command {
  const agent = new Option('--agent <name>', 'the agent that writes it, such as claude').argParser(filled('--agent'))
  const program = new Option('--command <command>', 'the program that writes it; implies --agent command')
  return command
    .addOption(agent.conflicts(conflicts))
    .addOption(program.argParser(filled('--command')).conflicts(conflicts))
    .option('--model <model>', "the model it uses; default: the agent's own choice", filled('--model'))
    .option('--timeout <time>', 'stop it after this time (90s, 30m)', duration)
    .option('--budget-usd <n>', 'stop it once it has cost N US dollars', dollars)
}
