// What the agent of an attempt did, made readable: while it works, or afterwards.
import { CommandWords, speaksCommandLines } from '../../agents/command/agent.ts'
import { transcriptOf } from '../../agents/known-agents.ts'
import type { Transcript } from '../../agents/transcript.ts'
import { ok, type Result } from '../../problem.ts'
import { lineSplitter } from '../../process/supervise/lines.ts'
import { usageText } from '../../text/usage-text.ts'
import type { AttemptView } from '../../view.ts'
import { readRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import {
  agentOf,
  type LogRequest,
  openLog,
  ownLines,
  type Part,
  PLAIN,
  type Shown,
  type StepOutput,
  withHeadings,
} from './attempt-output.ts'

/** The same as `readLog`, but for what the agent printed; of commands it is the same. */
export async function readTranscript(
  workspace: Workspace,
  request: LogRequest,
): Promise<Result<AsyncIterable<Buffer>>> {
  const log = await openLog(workspace, request)
  if (!log.ok) return log
  const { run, attempt, output } = log.value
  const view = async () => attemptOf(workspace, request, run, attempt)
  const agent = await agentOf(workspace, request, log.value)
  return ok(ownLines(readable(output, () => shownAs(agent), view)))
}

async function* readable(
  output: AsyncIterable<StepOutput>,
  shownAs: () => Shown,
  view: () => Promise<AttemptView | null>,
): AsyncGenerator<Part> {
  yield* withHeadings(output, shownAs)
  const end = await view()
  if (end?.finishedAt != null) yield { heading: endText(end) }
}

function shownAs(agent: string | null): Shown {
  if (speaksCommandLines(agent)) return new CommandWords()
  const transcript = transcriptOf(agent ?? '')
  return transcript ? new Folded(transcript) : PLAIN
}

class Folded implements Shown {
  readonly #transcript: Transcript
  readonly #splitter = lineSplitter()
  #wasEmpty = true

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  push(data: Buffer): Buffer[] {
    return this.#written(this.#splitter.push(data).flatMap((line) => this.#transcript.line(line)))
  }

  end(): Buffer[] {
    const lines = this.#splitter.end().flatMap((line) => this.#transcript.line(line))
    return this.#written([...lines, ...this.#transcript.end()])
  }

  #written(lines: string[]): Buffer[] {
    return lines.flatMap((line) => {
      if (line === '' && this.#wasEmpty) return []
      this.#wasEmpty = line === ''
      return [Buffer.from(`${line}\n`)]
    })
  }
}

async function attemptOf(
  workspace: Workspace,
  request: LogRequest,
  run: string,
  attempt: number,
): Promise<AttemptView | null> {
  const found = await readRun(workspace, { run })
  const task = found.ok ? found.value?.tasks.find(({ id }) => id === request.task) : undefined
  return task?.history.find((one) => one.attempt === attempt) ?? null
}

/** `changed, 3 turns, 2 tool calls, 4,428 tokens in (4,428 from the cache), 39 out, $0.0152` */
function endText({ outcome, session, usage }: AttemptView): string {
  const counts = session
    ? [
        `${session.turns} turn${session.turns === 1 ? '' : 's'}`,
        `${session.toolCalls} tool call${session.toolCalls === 1 ? '' : 's'}`,
      ]
    : []
  return [outcome ?? 'ended', ...counts, ...(usage ? [usageText(usage)] : [])].join(', ')
}
