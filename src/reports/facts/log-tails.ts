// The end of the logs of a run's tasks, in readable form.

import { transcriptOf } from '../../agents/agents-by-name.ts'
import { CommandWords, speaksCommandLines } from '../../agents/command/agent.ts'
import type { Failure } from '../../event.ts'
import { workerOf } from '../../facts/spending.ts'
import { isToldInLog, messageParts } from '../../failure.ts'
import { readTail } from '../../process/supervise/read-output.ts'
import type { Plan } from '../../task.ts'
import type { RunView } from '../../view.ts'
import { tail } from '../escape.ts'

/** Log tails by task. `dirOf`: the folder with the output of an attempt. */
export async function logTails(
  view: Pick<RunView, 'tasks'>,
  plan: Plan,
  dirOf: (task: string, attempt: number) => string,
): Promise<Record<string, string>> {
  const works = new Map(plan.tasks.map(({ id, work }) => [id, work]))
  const started = view.tasks.filter((task) => task.attempts > 0)
  const ordered = [...started.filter((task) => task.failure), ...started.filter((task) => !task.failure)]
  const found: Record<string, string> = {}
  for (const task of ordered.slice(0, MAX_TAILS)) {
    const { agent } = workerOf(task.history.at(-1) ?? { session: null }, works.get(task.id))
    const text = await readTail(dirOf(task.id, task.attempts), READ_BYTES).catch(() => '')
    const readable = inWords(wholeLines(text), agent).slice(-TAIL_CHARS)
    if (readable !== '') found[task.id] = readable
  }
  return found
}

/** Drops a cut first line: half a line of a protocol cannot be parsed. */
function wholeLines(text: string): string {
  if (Buffer.byteLength(text) < READ_BYTES - LONGEST_CHARACTER) return text
  return text.slice(text.indexOf('\n') + 1) || text
}

function inWords(text: string, agent: string | null): string {
  if (speaksCommandLines(agent)) {
    const words = new CommandWords()
    return Buffer.concat([...words.push(Buffer.from(text)), ...words.end()]).toString('utf8')
  }
  const transcript = transcriptOf(agent ?? '')
  if (!transcript) return text
  const lines = text.split('\n').flatMap((line) => transcript.line(line))
  return [...lines, ...transcript.end()].join('\n').replace(/\n{3,}/g, '\n\n')
}

/** Enough for the last lines of a protocol, which are long. */
const READ_BYTES = 64_000
/** Bytes: decoding drops a cut character at the start of the text. */
const LONGEST_CHARACTER = 4
const TAIL_CHARS = 4_000
/** Tasks whose log is shown: the failed ones first. */
const MAX_TAILS = 500

/** End of a failed task's log; empty if unrelated to the failure, or if the message ends with the same line, as for `run:` commands. */
export function failureLog(failure: Failure | null, log: string | undefined, lines: number, chars: number): string {
  if (!isToldInLog(failure)) return ''
  const { text } = tail(log ?? '', lines, chars)
  return text !== '' && lastLine(messageParts(failure?.message ?? '').output) === lastLine(text) ? '' : text
}

function lastLine(text: string): string {
  return tail(text, 1, LINE_CHARS).text.trim()
}

const LINE_CHARS = 500
