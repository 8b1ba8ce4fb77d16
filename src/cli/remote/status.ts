import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { runLines } from '../status/run-list.ts'
import { statusLines } from '../status/status-table.ts'
import { width } from '../surroundings.ts'
import { type RemoteServer, runNamed, wholeView } from './server.ts'

type Flags = { all?: boolean; json?: boolean }

export async function status(server: RemoteServer, named: string | undefined, flags: Flags): Promise<ExitStatus> {
  const { client, project, surroundings } = server
  const { out, err, outPalette: palette } = surroundings
  if (flags.all) {
    const { items } = await client.runs.list({ project, limit: 500 })
    const lines = flags.json ? [jsonOutput({ runs: items })] : runLines(items, Date.now())
    for (const line of lines) out.write(`${line}\n`)
    return EXIT.done
  }
  const run = await runNamed(server, named)
  if (run === null) {
    err.write('no runs there yet\n')
    return EXIT.badInput
  }
  const view = await wholeView(server, run)
  if (flags.json) out.write(`${jsonOutput(view)}\n`)
  else {
    const look = { now: Date.now(), width: width(out) - 1, palette, estimates: new Map() }
    out.write(`${statusLines(view, look).join('\n')}\n`)
  }
  return EXIT.done
}
