import { identityOf } from '../../workspace/attempt-variables.ts'
import { call, help } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'

export const commands = {
  mcp: call(
    {},
    help(
      `Agents of a run start it themselves: there is nothing to set up or to call by hand. \`mcp: false\` in the settings turns
it off. Environment variables of the agent tell it which attempt it serves.

Tools: get_task, list_running, update_task, log_issue, note_follow_up, add_lesson, request_claim.`,
      '0.',
    ),
    async ({ env, version }) => {
      // Imported late, as it is large: agents wait for their MCP servers at startup.
      const { serveTaskManager } = await import('../../server/mcp/task-manager-tools.ts')
      const { stdin: input, stdout: output } = process
      await serveTaskManager(identityOf(env), version, { input, output })
      return EXIT.done
    },
  ),
}
