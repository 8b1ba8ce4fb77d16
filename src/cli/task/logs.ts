import { once } from 'node:events'
import { KNOWN_AGENTS } from '../../agents/list.ts'
import { readLog, readTranscript } from '../../engine/query/attempt-output.ts'
import { refuse } from '../../problem.ts'
import { safeColoured, safeText } from '../../text/safe.ts'
import type { Commands } from '../command-line/calls.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { help, WHICH_RUN, withRepository } from '../command-line/flags.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun, knownTask, taskIn, tellRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { printMerged } from '../live/merged-logs.ts'
import type { Done } from '../refusal.ts'
import { namedHeadings } from './step-headings.ts'

export const commands: Commands = {
  logs: (command, { inWorkspace }) =>
    withRepository(command)
      .option('-f, --follow', 'follow the output')
      .option('--transcript', 'readable: messages, one line per tool call, the cost')
      .option('--raw', 'byte by byte as it was printed, for a file or a pipe')
      .option('--json', 'print one JSON object per line of output')
      .option('--attempt <n>', 'which attempt; default: the last', wholeNumber(1))
      .option('--run <run>', WHICH_RUN)
      .addHelpText('after', HELP)
      .action(inWorkspace(logs)),
}

type Flags = {
  run?: string
  attempt?: number
  follow?: boolean
  transcript?: boolean
  raw?: boolean
  json?: boolean
}

export async function logs(names: readonly string[], flags: Flags, here: InWorkspace): Promise<Done> {
  const { out, outPalette } = here
  if (flags.raw && out.isTTY)
    return refuse('--raw is for a file or a pipe: what agents print could take your terminal over')
  const { workspace } = here
  const [name, ...others] = names
  if (name === undefined || others.length > 0 || flags.json) return await merged(names, flags, here)
  const known = await knownTask(workspace, flags.run, name)
  if (!known.ok) return known
  const { task } = known.value
  const { run } = known.value.view
  const read = flags.transcript ? readTranscript : readLog
  const log = await read(workspace, { run, task, follow: flags.follow, attempt: flags.attempt })
  if (!log.ok) return log
  tellRun(known.value.view, flags.run, here)
  const withCommand = namedHeadings(workspace, { run }, task)
  const safe = new SafeLines(outPalette.strong('x') === 'x' ? safeText : safeColoured)
  let empty = true
  const write = async (text: string | Uint8Array) => {
    if (text.length > 0 && !out.write(text)) await once(out, 'drain')
  }
  for await (const chunk of log.value) {
    if (chunk.length > 0) empty = false
    const text = await withCommand(chunk)
    await write(flags.raw ? text : safe.push(text))
  }
  await write(safe.end())
  if (empty) here.err.write(`${task} has printed nothing\n`)
  return EXIT.done
}

async function merged(names: readonly string[], flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace } = here
  const isOne = names.length === 1
  if (flags.raw || (flags.attempt !== undefined && !isOne))
    return refuse(isOne ? '--raw and --json exclude each other' : '--raw and --attempt are for one task: name it')
  const known = await knownRun(workspace, flags.run)
  if (!known.ok) return known
  const tasks: string[] = []
  for (const name of names) {
    const task = await taskIn(workspace, known.value, name)
    if (!task.ok) return task
    tasks.push(task.value)
  }
  tellRun(known.value, flags.run, here)
  const { follow = false, transcript = false, json = false, attempt } = flags
  const options = { view: known.value, tasks: tasks.length > 0 ? tasks : null, follow, transcript, json, attempt }
  if (!(await printMerged(workspace, options, here))) here.err.write('nothing was printed\n')
  return EXIT.done
}

/** What agents print, line by line: a sequence for the terminal may begin in one chunk and end in the next. */
class SafeLines {
  readonly #safe: (text: string) => string
  readonly #decoder = new TextDecoder()
  #rest = ''

  constructor(safe: (text: string) => string) {
    this.#safe = safe
  }

  push(chunk: string | Uint8Array): string {
    const text = this.#rest + (typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true }))
    const end = text.length > LINE_CHARS ? text.length : text.lastIndexOf('\n') + 1
    this.#rest = text.slice(end)
    return end === 0 ? '' : this.#safe(text.slice(0, end))
  }

  /** Colours end with what has them. */
  end(): string {
    const text = this.#safe(this.#rest + this.#decoder.decode())
    this.#rest = ''
    return this.#safe === safeColoured ? `${text}\x1b[0m` : text
  }
}

/** A line that is longer is not waited for. */
const LINE_CHARS = 1 << 20

const HELP = help(
  `Several tasks, or none for all of them: their lines come with the name of the task in front. With --follow also those of
tasks that start later, until the run ends.
Without --attempt: the last one. --follow shows the output as it comes, until the attempt ends.
If the landing queue sent its work back, the output of that verification follows.
--transcript is for agents that print a protocol (${KNOWN_AGENTS.join(', ')}): messages, a line for each tool call
(✓ worked, ✗ failed, … no result) with the beginning of the result, and tokens and cost at the end.
What agents print for a terminal (titles, the clipboard, cursor movements) is taken out; colours stay on a terminal that
shows them. --raw leaves everything as it is.`,
  '0, or 2 if there is no such run, task or attempt.',
  'espalier logs schema',
  'espalier logs schema -f',
  'espalier logs -f                   all tasks, as they print',
  'espalier logs schema --transcript',
  'espalier logs schema --raw > schema.log',
)
