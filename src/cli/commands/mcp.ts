import { serveTaskManager } from '../../server/mcp/serve.ts'
import { identityOf } from '../../workspace/attempt-variables.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import type { Surroundings } from '../surroundings.ts'

export async function mcp(_flags: object, { env, version }: Surroundings): Promise<ExitStatus> {
  const { stdin: input, stdout: output } = process
  await serveTaskManager({ identity: identityOf(env), version, input, output })
  return EXIT.done
}
