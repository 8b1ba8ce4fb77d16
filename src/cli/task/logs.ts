// `espalier logs`: the output of one task, or of several with their names in front.

import { KNOWN_AGENTS } from '../../agents/list.ts'
import { readLog, readTranscript } from '../../engine/query/attempt-output.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { jsonOutput } from '../../text/json.ts'
import { safeColoured, safeLine, safeText } from '../../text/safe.ts'
import { fitMiddle, padEnd, widest } from '../../text/width.ts'
import type { RunView, TaskView } from '../../view.ts'
import { readPlanOf, readSettingsOf, watchRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { flag, type Given, help, inWorkspace, WHICH_RUN } from '../command-line/command.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun, knownTask, taskIn, tellRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { written } from '../terminal/print.ts'

const FLAGS = {
  follow: flag('-f, --follow', 'follow the output'),
  transcript: flag('--transcript', 'readable: messages, one line per tool call, the cost'),
  raw: flag('--raw', 'byte by byte as it was printed, for a file or a pipe'),
  json: flag('--json', 'print one JSON object per line of output'),
  attempt: flag('--attempt <n>', 'which attempt; default: the last', wholeNumber(1)),
  run: WHICH_RUN,
}

export const commands = {
  logs: inWorkspace(
    FLAGS,
    help(
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
    ),
    async (here, flags, names: readonly string[]) => {
      const { workspace, out } = here
      const { follow = false, raw = false, json = false, attempt } = flags
      const [name, ...others] = names
      const isOne = name !== undefined && others.length === 0
      if (raw && out.isTTY)
        return refuse('--raw is for a file or a pipe: what agents print could take your terminal over')
      if (raw && json) return refuse('--raw and --json exclude each other')
      if ((raw || attempt !== undefined) && !isOne) return refuse('--raw and --attempt are for one task: name it')
      const one = isOne ? await knownTask(workspace, flags.run, name) : null
      const known = one?.ok ? ok(one.value.view) : (one ?? (await knownRun(workspace, flags.run)))
      if (!known.ok) return known
      const view = known.value
      const tasks = new Set(one?.ok ? [one.value.task] : [])
      for (const other of isOne ? [] : names) {
        const task = await taskIn(workspace, view, other)
        if (!task.ok) return task
        tasks.add(task.value)
      }
      tellRun(view, flags.run, here)
      const wanted = ({ tasks: all }: RunView) => (tasks.size > 0 ? all.filter(({ id }) => tasks.has(id)) : all)
      const printer = printerOf(view.run, flags, wanted(view), here)
      const [only = ''] = tasks
      if (isOne && !json) {
        const printed = await printer.print(only, attempt, follow, null)
        if (!printed.ok) return printed
      } else if (follow && view.engine) await followAll(workspace, view, { wanted, isNamed: tasks.size > 0 }, printer)
      else
        for (const { id, attempts } of wanted(view))
          if (attempts > 0) await printer.print(id, Math.min(attempt ?? attempts, attempts), false)
      if (printer.isEmpty) here.err.write(isOne ? `${only} has printed nothing\n` : 'nothing was printed\n')
      return EXIT.done
    },
  ),
}

/** Prints attempts: lines prefixed with their task, JSON objects, or for a single task the plain lines. */
function printerOf(
  run: string,
  flags: Given<typeof FLAGS>,
  tasks: readonly TaskView[],
  { workspace, out, outPalette }: InWorkspace,
) {
  const columns = Math.min(WIDEST, widest(tasks.map(({ id }) => id)))
  const safe = outPalette.strong('x') === 'x' ? safeText : safeColoured
  const labelOf = (task: string) => outPalette.dim(`${padEnd(fitMiddle(task, columns), columns)} │`)
  const printer = {
    isEmpty: true,
    async print(
      task: string,
      attempt: number | undefined,
      follow: boolean,
      label: string | null = labelOf(task),
    ): Promise<Result<null>> {
      const log = await (flags.transcript ? readTranscript : readLog)(workspace, { run, task, follow, attempt })
      if (!log.ok) return log
      const lineOf = (text: string) => {
        if (label === null) return safe(text)
        const line = text.replace(/\n$/, '')
        return `${flags.json ? jsonOutput({ task, attempt, text: line }) : `${label} ${safe(line)}`}\n`
      }
      const output = withNamedHeadings(log.value, workspace, { run, task })
      for await (const text of flags.raw ? output : linesOf(output)) {
        printer.isEmpty = false
        await written(out, typeof text === 'string' ? lineOf(text) : text)
      }
      // Resets colours after the text.
      if (label === null && safe === safeColoured) await written(out, '\x1b[0m')
      return ok(null)
    },
  }
  return printer
}

const WIDEST = 24

/** Follows tasks until they end or the run has no engine. Named tasks start with their last attempt, others with a running one. */
async function followAll(
  workspace: Workspace,
  view: RunView,
  { wanted, isNamed }: { wanted: (view: RunView) => readonly TaskView[]; isNamed: boolean },
  printer: ReturnType<typeof printerOf>,
): Promise<void> {
  const isSkipped = ({ finishedAt }: TaskView) => finishedAt !== null && !isNamed
  const seen = new Map(wanted(view).map((task) => [task.id, isSkipped(task) ? task.attempts : task.attempts - 1]))
  const followed: Promise<unknown>[] = []
  for await (const now of watchRun(workspace, { run: view.run, everyMs: LOOK_MS })) {
    if (!now.ok || !now.value) break
    const tasks = wanted(now.value)
    for (const { id, attempts } of tasks) {
      for (let attempt = Math.max(0, seen.get(id) ?? 0) + 1; attempt <= attempts; attempt += 1)
        followed.push(printer.print(id, attempt, true))
      seen.set(id, attempts)
    }
    if (!now.value.engine || tasks.every(({ finishedAt }) => finishedAt !== null)) break
  }
  await Promise.all(followed)
}

const LOOK_MS = 500

/** Lines with their line breaks, so that escape sequences split between chunks stay whole. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/(?<=\n)/)
    const last = lines.at(-1) ?? ''
    rest = last.endsWith('\n') || last.length > LONGEST ? '' : (lines.pop() ?? '')
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Longer lines are split: a program may never end its line. */
const LONGEST = 64_000

/** Adds the command to headings such as `── verify-1 ──`, if known. A heading comes as a chunk of its own. */
async function* withNamedHeadings(
  chunks: AsyncIterable<Uint8Array>,
  workspace: Workspace,
  { run, task }: { run: string; task: string },
): AsyncGenerator<Uint8Array> {
  let commands: readonly string[] | null = null
  for await (const chunk of chunks) {
    const text = chunk.length > HEADING_BYTES ? '' : Buffer.from(chunk).toString()
    if (/^── verification \d+ of [0-9a-f]+ ──\n$/.test(text)) {
      const settings = await readSettingsOf(workspace, { run })
      commands = (settings.ok && settings.value?.landing.verify) || []
    }
    const [, number] = /^── verify-(\d+) ──\n$/.exec(text) ?? []
    if (number !== undefined && commands === null) {
      const plan = await readPlanOf(workspace, { run })
      commands = (plan.ok && plan.value?.tasks.find(({ id }) => id === task)?.verify) || []
    }
    const command = number === undefined ? undefined : commands?.[Number(number) - 1]
    yield command === undefined ? chunk : Buffer.from(`── verify: ${safeLine(command)} ──\n`)
  }
}

const HEADING_BYTES = 64
