import { serveTaskManager } from '../../server/mcp/serve.ts'
import { identityOf } from '../../workspace/attempt-variables.ts'
import type { Commands } from '../command-line/calls.ts'
import { help } from '../command-line/flags.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import type { Surroundings } from '../surroundings.ts'

export const commands: Commands = {
  mcp: (command, { call }) => command.addHelpText('after', HELP).action(call(mcp)),
}

async function mcp(_flags: object, { env, version }: Surroundings): Promise<ExitStatus> {
  const { stdin: input, stdout: output } = process
  await serveTaskManager({ identity: identityOf(env), version, input, output })
  return EXIT.done
}

const HELP = help(
  `Agents of a run start it themselves: there is nothing to set up or to call by hand. \`mcp: false\` in the settings turns
it off. Environment variables of the agent tell it which attempt it serves.

Tools: get_task, list_running, update_task, log_issue, note_follow_up, add_lesson, request_claim.`,
  '0.',
)
